local M = {}

function M.act(self, owner, seat)
  log(string.format("%010.1f", -1/0))
end

return M
