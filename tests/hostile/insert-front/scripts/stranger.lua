local M = {}

function M.act(self, owner, seat)
  local list = {}
  while true do
    table.insert(list, 1, 0)
  end
end

return M
