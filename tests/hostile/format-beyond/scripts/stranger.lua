local M = {}

function M.act(self, owner, seat)
  log(string.format("%x", 2 ^ 70))
end

return M
