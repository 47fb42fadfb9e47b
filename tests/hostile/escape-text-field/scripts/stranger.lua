local M = {}

function M.act(self, owner, seat)
  local s = ""
  s.stash = 1
end

return M
