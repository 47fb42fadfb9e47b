local M = {}

function M.act(self, value, owner, seat)
  local doubled = value * 2
end

return M
