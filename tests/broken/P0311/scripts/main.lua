local M = {}

local function give(seat, amount)
  add(counter.gold, amount, seat)
end

function M.play()
  add(counter.gold, 1)
  add(counter.round, 1, nil, 2)
  give(faction.red)
  give(faction.red, 1, 2)
  choose(faction.red, { "left", "right" })
end

return M
