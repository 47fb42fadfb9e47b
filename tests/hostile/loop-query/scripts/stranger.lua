local M = {}

function M.act(self, value, owner, seat)
  while true do
  end
end

return M
