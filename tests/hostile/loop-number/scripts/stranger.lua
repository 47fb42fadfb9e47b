local M = {}

function M.act(self, owner, seat)
  for i = 1, math.huge do
  end
end

return M
