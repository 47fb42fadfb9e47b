local M = {}

function M.act(self, owner, seat)
  import("../../arena/scripts/arena")
end

return M
