local M = {}

function M.act(self, owner, seat)
  error()
end

return M
