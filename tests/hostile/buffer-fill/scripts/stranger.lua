local M = {}

function M.act(self, owner, seat)
  buffer.fill(buffer.create(1e9), 0, 1)
end

return M
