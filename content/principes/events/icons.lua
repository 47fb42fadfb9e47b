-- End of a Round: the History Card's two events.
local building = import("actions/building")
local calendar = import("round/calendar")
local council = import("politics/council")
local figures = import("pieces/figures")
local invaders = import("invaders/invaders")
local rounds = import("round/rounds")
local M = {}

--- Lands of other players that the seat may divide: no unit, no Princess, no token.
function M.divisible(seat)
  local divides, visited = {}, {}
  for _, other in others(seat) do
    divides[other] = true
  end
  for _, lady in pieces{kind = kind.princess, on = "map"} do
    visited[at(lady)] = true
  end
  return filter(spaces{kind = "land", empty = true, without = kind.division}, function(land)
    return divides[home(land)] and not visited[land]
  end)
end

function M.division()
  for _, seat in seats() do
    if count{kind = kind.division, on = "pool"} == 0 then
      log("no-division-token", seat)
    else
      local land = choose(seat, "icons.divide", M.divisible(seat), { pass = true })
      if land then
        place(kind.division, nil, land)
        log("land-divided", seat, land)
      end
    end
  end
end

function M.urbanization()
  for _, seat in seats() do
    local land = choose(seat, "icons.urbanize", building.foreign_city_sites(seat), { pass = true })
    if land then
      building.found(seat, land)
    end
  end
end

function M.release()
  for _, seat in seats() do
    local troops = figures.troops(seat)
    local verb, sort, land = choose(seat, "icons.release", figures.options("release", troops))
    if verb then
      figures.release(seat, troops, sort, land)
    end
  end
end

local EVENTS = {
  ["division"] = M.division,
  ["urbanization"] = M.urbanization,
  ["release"] = M.release,
  ["common-council"] = function() council.hold(nil) end,
  ["balt-raid"] = invaders.balts,
  ["teutonic-knights"] = invaders.teutons,
  ["mongol-invasion"] = invaders.mongols,
}

--- The upper icon is finished before the lower one begins; the last Round has no events.
function M.resolve()
  local card = top(zone.history)
  if card == nil or calendar.final_round() then
    return
  end
  for _, slot in { "upper", "lower" } do
    if over() then
      return
    end
    -- The token may have changed hands: from now on its holder comes first.
    set_order(rounds.order(get(counter.princeps)))
    local event = prop(card, slot)
    log("event", event)
    EVENTS[event]()
  end
end

return M
