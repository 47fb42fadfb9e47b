local M = {}

function M.act(self, owner, seat)
  error({ 1 })
end

return M
