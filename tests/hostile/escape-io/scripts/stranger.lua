local M = {}

function M.act(self, owner, seat)
  io.open("/etc/passwd")
end

return M
