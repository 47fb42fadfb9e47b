local M = {}

function M.setup()
  for _, court in ipairs({ faction.s0, faction.s1, faction.s2, faction.s3 }) do
    local number = tonumber(idof(court):sub(2))
    set(counter.place, space["l" .. 11 * number], court)
  end
end

function M.turn(seat, land)
  set(counter.place, land, seat)
  local tax = query("tax", 1, seat, land)
  trigger("land.entered", seat, land)
  add(counter.gold, tax, seat)
  trigger("land.taken", seat, land)
  add(counter.gold, -query("upkeep", 0, seat), seat)
end

function M.finish()
  local best
  for _, court in ipairs(seats()) do
    if not best or get(counter.gold, court) > get(counter.gold, best) then
      best = court
    end
  end
  win(best, "gold")
end

return M
