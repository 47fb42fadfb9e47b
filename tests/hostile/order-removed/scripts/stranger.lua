local M = {}

-- A table that was a key and is gone has moved those beside it.
function M.act(self, owner, seat)
  local key = {}
  local t = {}
  t[key] = 1
  t.one, t.two, t.three = 1, 2, 3
  t[key] = nil
  for first in pairs(t) do
    if first == "one" then
      add(counter.score, 1, seat)
    end
    break
  end
end

return M
