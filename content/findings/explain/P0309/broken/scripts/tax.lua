local M = {}

function M.rich(self, value, owner, seat)
  if seat == faction.red then
    pcall(add, counter.gold, 1, seat)
    return value + self.gold
  end
  return value
end

return M
