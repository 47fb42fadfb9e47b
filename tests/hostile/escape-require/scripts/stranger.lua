local M = {}

function M.act(self, owner, seat)
  require("os")
end

return M
