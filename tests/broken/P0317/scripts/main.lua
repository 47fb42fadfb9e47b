local M = {}

local function count_up(seat)
  add(counter.gold, 1, seat)
  return 1
end

function M.income(self, value, owner, seat)
  set_active(seat)
  return value + self.gold + count_up(seat)
end

function M.play()
  local income = query("income", 1, faction.red)
  choose(faction.red, "pick", function()
    add(counter.gold, income, faction.red)
    return { 1, 2 }
  end)
end

return M
