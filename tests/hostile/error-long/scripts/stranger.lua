local M = {}

function M.act(self, owner, seat)
  error(string.rep("x", 60000) .. string.rep("x", 60000))
end

return M
