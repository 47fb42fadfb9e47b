local M = {}

function M.act(self, owner, seat)
  stash = 1
end

return M
