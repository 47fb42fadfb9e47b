local M = {}

function M.act(self, owner, seat)
  query(string.rep("x", 60000), 1)
end

return M
