local M = {}

function M.act(self, owner, seat)
  string.rep = nil
end

return M
