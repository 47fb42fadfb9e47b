local M = {}

function M.act(self, owner, seat)
  _G.stash = 1
end

return M
