-- Territories: whose they are, who stands there, which buildings work, what an order or a rebellion has left.
local M = {}

local HORDES_GATHER = 1
-- What lies on a territory for its owner.
local TOKENS = {
  counter.orders, counter.rebellion, counter.defense, counter.owed, counter.hollow, counter.market_used,
  counter.breached,
}

--- The territories of a seat.
function M.of(seat)
  return spaces{controller = seat}
end

--- Who has to be beaten for a territory: its owner, or revolutionaries that hold it; nil where it is nobody's.
function M.holder(land)
  if count{at = land, owner = faction.revolutionaries, class = "unit"} > 0 then
    return faction.revolutionaries
  end
  return controller(land)
end

--- Army units of a faction on a territory.
function M.units(land, side)
  return pieces{at = land, owner = side, class = "unit"}
end

--- How many army units of a faction stand on a territory.
function M.size(land, side)
  return count{at = land, owner = side, class = "unit"}
end

--- How many units of anybody stand on a territory.
function M.garrison(land)
  return count{at = land, class = "unit"}
end

--- All units of a seat on the map.
function M.army(seat)
  return count{owner = seat, class = "unit", on = "map"}
end

--- Whether a building of the seat stands on one of its territories and works: there is no rebellion.
function M.works(building, land, seat)
  return count{at = land, owner = seat, kind = building} > 0 and get(counter.rebellion, land) == 0
end

--- The kinds of buildings of the seat that work on one of its territories, as keys.
function M.working(land, seat)
  local kinds = {}
  if get(counter.rebellion, land) == 0 then
    for _, building in pieces{at = land, owner = seat, class = "building"} do
      kinds[kindof(building)] = true
    end
  end
  return kinds
end

--- Own territories in which a building of the seat works.
function M.with(building, seat)
  local found, built = {}, pieces{owner = seat, kind = building, on = "map"}
  if #built == 0 then
    return found
  end
  for _, token in built do
    local land = at(token)
    if controller(land) == seat and get(counter.rebellion, land) == 0 then
      table.insert(found, land)
    end
  end
  return sorted(found)
end

-- How many units a seat may have without a fine while the Hordes gather, and where Marquees work.
local function crowded_limit()
  return math.max(get(counter.unit_limit), get(counter.hordes_limit))
end

--- The same where nothing else is said.
function M.usual_limit(seat)
  if get(counter.hordes, seat) == HORDES_GATHER then
    return crowded_limit()
  end
  return get(counter.unit_limit)
end

local function limit_on(land, seat, usual, has_marquees)
  return query("lands.limit", has_marquees and crowded_limit() or usual, seat, land)
end

--- How many units the seat may have on a territory without a fine: more while the Hordes gather, and where Marquees
--- work.
function M.limit(land, seat)
  return limit_on(land, seat, M.usual_limit(seat), M.works(kind.warrior_marquees, land, seat))
end

--- The same, for those who know the usual limit and the kinds of buildings that stand there.
function M.limit_among(kinds, land, seat, usual)
  if kinds[kind.warrior_marquees] then
    return M.limit(land, seat)
  end
  return limit_on(land, seat, usual, false)
end

--- Room that is left for units of the seat below the limit.
function M.room(land, seat)
  return math.max(0, M.limit(land, seat) - M.size(land, seat))
end

--- How many units of the seat stand on each territory where there are any.
function M.sizes(seat)
  return tally{owner = seat, class = "unit", on = "map"}
end

--- Two functions, for those who ask for many territories: the limit and the number of units of the seat on each. They
--- look at the map only once.
function M.measures(seat)
  local sizes = M.sizes(seat)
  local usual, marquees = M.usual_limit(seat), M.with(kind.warrior_marquees, seat)
  local function limit(land)
    local has_marquees = false
    if #marquees > 0 then
      has_marquees = contains(marquees, land)
    end
    return limit_on(land, seat, usual, has_marquees)
  end
  return limit, function(land) return sizes[land] or 0 end
end

--- A function that tells the room on each territory.
function M.rooms(seat)
  local limit, size = M.measures(seat)
  return function(land) return math.max(0, limit(land) - size(land)) end
end

--- Those of the territories on which there is room for a unit of the seat.
function M.roomy(sites, seat)
  if #sites == 0 then
    return sites
  end
  local room, open = M.rooms(seat), {}
  for _, land in sites do
    if room(land) > 0 then
      table.insert(open, land)
    end
  end
  return open
end

--- How many units a seat may still add to an army of this size.
function M.reserve_of(army)
  return math.max(0, get(counter.army_limit) - army)
end

--- How many units the seat may still add to its army. While there are any, the supply has a Warrior: it holds as many as
--- an army may have units.
function M.reserve(seat)
  return M.reserve_of(M.army(seat))
end

--- Own territories in rebellion.
function M.rebels(seat)
  return spaces{controller = seat, marked = counter.rebellion}
end

--- Own territories without order and rebellion.
function M.order_free(seat)
  local free, rebels = spaces{controller = seat, unmarked = counter.orders}, M.rebels(seat)
  if #rebels == 0 then
    return free
  end
  return filter(free, function(land) return not contains(rebels, land) end)
end

--- Those of the territories with the fewest units of the seat.
function M.fewest(lands, seat)
  local least, found, sizes = nil, {}, M.sizes(seat)
  for _, land in lands do
    local size = sizes[land] or 0
    if least == nil or size < least then
      least, found = size, {}
    end
    if size == least then
      table.insert(found, land)
    end
  end
  return found
end

--- Neighbors that belong to the seat.
function M.own_neighbors(land, seat)
  return spaces{beside = land, controller = seat}
end

--- Neighbors that do not.
function M.foreign_neighbors(land, seat)
  return spaces{beside = land, uncontrolled_by = seat}
end

--- Puts a unit from the supply on a territory, which is not left alone any more; nil where none is left.
function M.station(seat, what, land)
  if get(counter.hollow, land) > 0 then
    set(counter.hollow, 0, land)
  end
  return place(what, seat, land)
end

--- Whether a territory was the seat's from the start.
function M.is_home(land, seat)
  return prop(land, "lord") == seat
end

--- Adds a common unit from the supply; nil where supply or army limit forbid it.
function M.recruit(seat, land)
  if M.reserve(seat) == 0 then
    return nil
  end
  return M.station(seat, kind.warrior, land)
end

-- What lies on a territory for its owner goes when the owner goes.
local function wipe(land)
  for _, token in TOKENS do
    if get(token, land) > 0 then
      set(token, 0, land)
    end
  end
  if get(counter.breached_by, land) then
    set(counter.breached_by, nil, land)
  end
end

--- Takes a territory from its owner; nobody's banner stays.
function M.lose(land)
  for _, banner in pieces{at = land, kind = kind.banner} do
    remove(banner)
  end
  wipe(land)
end

--- Gives a territory to a seat.
function M.take(seat, land)
  M.lose(land)
  place(kind.banner, seat, land)
end

--- A rebellion breaks out. A Bedehouse prevents the first one of an age that the owner's own doing has caused.
function M.rebel(seat, land, own_doing)
  if get(counter.rebellion, land) > 0 then
    return
  end
  if own_doing and get(counter.bedehouse_used, seat) == 0 and #M.with(kind.bedehouse, seat) > 0 then
    set(counter.bedehouse_used, 1, seat)
    log("rebellion-prevented", seat, land)
    return
  end
  set(counter.rebellion, 1, land)
  log("rebellion", land)
end

return M
