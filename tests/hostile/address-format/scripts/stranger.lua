local M = {}

function M.act(self, owner, seat)
  error(string.format("%p", "x"))
end

return M
