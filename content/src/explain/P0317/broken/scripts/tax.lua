local M = {}

function M.rich(self, value, owner, seat)
  set_active(seat)
  return value + self.gold
end

return M
