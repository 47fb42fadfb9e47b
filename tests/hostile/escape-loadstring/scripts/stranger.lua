local M = {}

function M.act(self, owner, seat)
  loadstring("return 1")()
end

return M
