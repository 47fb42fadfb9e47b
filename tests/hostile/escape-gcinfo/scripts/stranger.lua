local M = {}

function M.act(self, owner, seat)
  gcinfo()
end

return M
