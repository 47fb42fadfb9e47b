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
  -- What is in the wrong position because of that is not reported.
  add(counter.gold, faction.red)
  add(faction.red, counter.gold, 1, faction.red)
  give(1)
  give(1, faction.red, 2)
end

return M
