local M = {}

function M.act(self, owner, seat)
  error("\27[2J\27]0;owned\7")
end

return M
