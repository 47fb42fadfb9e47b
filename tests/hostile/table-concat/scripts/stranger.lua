local M = {}

function M.act(self, owner, seat)
  local list, s = {}, string.rep("a", 65000)
  for i = 1, 100 do
    list[i] = s
  end
  table.concat(list)
end

return M
