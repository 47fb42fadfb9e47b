local M = {}

function M.act(self, owner, seat)
  local list = {}
  for i = 1, 100000 do
    list[i] = i
  end
  return table.unpack(list)
end

return M
