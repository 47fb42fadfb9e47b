local M = {}

function M.act(self, owner, seat)
  newproxy(true)
end

return M
