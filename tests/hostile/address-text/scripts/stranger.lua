local M = {}

function M.act(self, owner, seat)
  error("at " .. tostring({}) .. tostring(get))
end

return M
