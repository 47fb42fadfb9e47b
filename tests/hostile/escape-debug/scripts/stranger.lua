local M = {}

function M.act(self, owner, seat)
  debug.info(1, "f")
end

return M
