local M = {}

function M.act(self, owner, seat)
  string.rep("x", 1e9)
end

return M
