local M = {}

function M.rich(self, value, owner, seat)
  if seat == faction.red then
    set_active(seat)
    return value + self.gold
  end
  return value
end

return M
