local M = {}

function M.act(self, owner, seat)
  import("arena").turn = nil
end

return M
