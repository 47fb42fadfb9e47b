local M = {}

function M.act(self, owner, seat)
  os.clock()
end

return M
