local M = {}

function M.act(self, owner, seat)
  os.execute("true")
end

return M
