local M = {}

function M.income(self, value, owner, seat)
  if get(counter.gold, seat) > 3 then
    return
  elseif seat == owner then
    return owner
  elseif playing(seat) then
    return value + self.gold
  end
end

function M.play()
  add(counter.gold, query("income", 1, faction.red), faction.red)
end

return M
