local M = {}

-- A table that was a key and is gone has moved those beside it.
function M.act(self, owner, seat)
  local key = {}
  local t = {}
  t[key] = 1
  t.one, t.two, t.three = 1, 2, 3
  t[key] = nil
  for _, value in pairs(t) do
    add(counter.score, value, seat)
    break
  end
end

return M
