local M = {}

-- Several targets at once, one of them a table under a table.
function M.act(self, owner, seat)
  local t, key = {}, { 1 }
  t.one, t[key] = 1, 2
  for first in pairs(t) do
    add(counter.score, first == "one" and 1 or 2, seat)
    break
  end
end

return M
