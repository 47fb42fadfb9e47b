local M = {}

function M.act(self, owner, seat)
  setfenv(1, {})
end

return M
