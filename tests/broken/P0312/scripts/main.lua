local M = {}

-- A seat is needed further on, so callers must give one.
local function give(seat, amount)
  add(counter.gold, amount, seat)
end

local function taxed(seat)
  add(counter.gold, -1, seat)
  return seat
end

function M.play()
  local here = spaces()[1]
  add(counter.gold, 1, here)
  give(here, 1)
  give(faction.red, counter.gold)
  if here == faction.red or here + 1 > 2 then
    place(faction.red, nil, here)
  end
  -- The space does not fit, so what comes back is a seat, which has no neighbors.
  taxed(here)
  neighbors(taxed(faction.red))
end

return M
