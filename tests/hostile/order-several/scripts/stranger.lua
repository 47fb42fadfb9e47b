local M = {}

-- Several targets at once, one of them a table under a table.
function M.act(self, owner, seat)
  local t, key = {}, { 1 }
  t.one, t[key] = 1, 2
  for _, value in pairs(t) do
    add(counter.score, value, seat)
    break
  end
end

return M
