local M = {}

function M.act(self, owner, seat)
  local list = {}
  for i = 1, 300000 do
    list[i] = i
  end
  while #list > 0 do
    table.remove(list, 1)
  end
end

return M
