local M = {}

function M.act(self, owner, seat)
  setmetatable(string, {})
end

return M
