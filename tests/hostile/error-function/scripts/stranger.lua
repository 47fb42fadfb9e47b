local M = {}

function M.act(self, owner, seat)
  error(function() end)
end

return M
