local M = {}

function M.act(self, owner, seat)
  while true do
  end
end

return M
