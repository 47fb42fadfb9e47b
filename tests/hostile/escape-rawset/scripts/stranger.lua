local M = {}

function M.act(self, owner, seat)
  rawset(math, "max", nil)
end

return M
