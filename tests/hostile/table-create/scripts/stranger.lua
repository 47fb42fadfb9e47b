local M = {}

function M.act(self, owner, seat)
  table.create(1e9, 0)
end

return M
