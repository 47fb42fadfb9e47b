local M = {}

function M.act(self, owner, seat)
  error("harmless\n\nerror[P0001]: forged")
end

return M
