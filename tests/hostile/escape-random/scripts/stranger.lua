local M = {}

function M.act(self, owner, seat)
  math.random(6)
end

return M
