-- Taxes: one Support point buys gold for every point of Might, the surplus above the track included.
local hand = import("hand/hand")
local M = {}

local function payments(seat)
  local options = {}
  if get(counter.people, seat) > 0 then
    table.insert(options, "people")
  end
  if get(counter.clergy, seat) > 0 and query("taxes.clergy", 0, seat) > 0 then
    table.insert(options, "clergy")
  end
  return options
end

--- Gold the seat would collect now if the bank held enough.
function M.income(seat)
  return query("taxes.income", raw(counter.might, seat), seat)
end

function M.action(seat)
  if query("taxes.free", 0, seat) <= 0 then
    local track = choose(seat, "taxes.pay", function() return payments(seat) end)
    if track == nil then
      log("taxes-refused", seat)
      return
    end
    lose(counter[track], 1, seat)
  end
  local collected = gain(counter.gold, M.income(seat), seat)
  log("taxes-collected", seat, collected)
  trigger("taxes.collected", seat)
  hand.window(seat, "taxes")
end

return M
