local M = {}

function M.rich(self, value, owner, seat)
  if seat == faction.red then
    return value + self.gold
  end
end

return M
