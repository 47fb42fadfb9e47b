local M = {}

function M.act(self, owner, seat)
  getfenv(0).x = 1
end

return M
