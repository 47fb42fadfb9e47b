-- The round: who starts it, and what happens between two of them.
local finale = import("rounds/finale")
local M = {}

--- A round begins. The starting player shifts; the seat that triggered the end starts the final round.
function M.begin()
  local first = get(counter.starter)
  if finale.is_final() then
    first = get(counter.trigger)
    log("final-round", first)
  end
  local order = { first }
  for _, seat in others(first) do
    table.insert(order, seat)
  end
  set_order(order)
  log("round-begun", get(counter.round), first)
  if get(counter.round) == get(counter.round_limit) then
    finale.trigger(first, "agreed")
  end
end

--- The army phase: nothing happens without an expansion.
function M.army()
  for _, seat in seats() do
    trigger("army.phase", seat)
  end
end

--- A round is over: boats that were made in it fish from now on, and the starting player shifts.
function M.finish()
  for _, seat in seats() do
    set(counter.new_boats, 0, seat)
  end
  set(counter.starter, others(get(counter.starter))[1])
end

return M
