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

function M.list(seat)
  draw_game("stuck")
  return { "pass", { "build", seat, 2 } }
end

-- A keyword and two values are all that can come beside the seat.
function M.turn(seat, word, a, b, c)
  set_active(word == "pass" and seat or c)
  return a, b
end

return M
