local M = {}

function M.act(self, owner, seat)
  getmetatable("").__index.rep = nil
end

return M
