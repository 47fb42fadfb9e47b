-- What brings the end: the first trigger decides who starts the final round.
local city = import("city/city")
local M = {}

--- What can bring the end, in the order of the counter `cause`.
M.CAUSES = { "military", "orders", "island", "stuck", "agreed" }

--- Whether this is the final round.
function M.is_final()
  local last = get(counter.final_round)
  return last > 0 and get(counter.round) >= last
end

--- Something ends the game: the running round is finished, and one more is played, which this seat starts.
function M.trigger(seat, cause)
  if get(counter.trigger) ~= nil then
    return
  end
  set(counter.trigger, seat)
  for at, known in M.CAUSES do
    if known == cause then
      set(counter.cause, at)
    end
  end
  set(counter.final_round, get(counter.round) + 1)
  set(counter.last_round, get(counter.round) + 1)
  log("end-triggered", seat)
end

--- Whether a seat has built or earned enough to bring the end.
function M.check(seat)
  if #city.buildings(seat, "military") >= get(counter.military_limit) then
    M.trigger(seat, "military")
  end
  if size(zone.honors, seat) >= get(counter.order_limit) then
    M.trigger(seat, "orders")
  end
end

return M
