local M = {}

function M.act(self, owner, seat)
  string.format("%999999d", 1)
end

return M
