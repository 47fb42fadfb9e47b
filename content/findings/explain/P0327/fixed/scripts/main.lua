local M = {}

--- Pays a seat.
---@param least? integer the least that it gets
local function pay(seat, gold, least)
  add(counter.gold, math.max(gold, least or 0), seat)
end

function M.play()
  for _, seat in seats() do
    pay(seat, 1, 2)
    pay(seat, get(counter.gold, seat), 3)
  end
  pay(faction.red, query("tax.income", 1, faction.red), 1)
  pay(faction.blue, query("tax.income", 1, faction.blue), 1)
  pay(faction.blue, 4, 1)
end

return M
