local M = {}

function M.act(self, owner, seat)
  local list = {}
  for i = 1, 100000 do
    list[i] = seat
  end
  while true do
    pcall(set_order, list)
  end
end

return M
