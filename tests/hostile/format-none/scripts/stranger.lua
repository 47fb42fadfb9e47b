local M = {}

function M.act(self, owner, seat)
  log(string.format("%f", 0/0))
end

return M
