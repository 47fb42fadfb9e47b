local M = {}

function M.act(self, owner, seat)
  self.gold = 99
end

return M
