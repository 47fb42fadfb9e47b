-- Building: one City and two buildings on controlled lands. Events and cards use the same sites.
local hand = import("hand/hand")
local M = {}

local KINDS = { kind.castle, kind.tiltyard, kind.abbey }
local CITIES_PER_ACTION = 1

--- The three kinds of buildings.
function M.kinds()
  return KINDS
end

--- The City Token that fits a land: its own named one, or a small City.
function M.city_kind(land)
  if has(land, "capital") then
    return kind.capital_city
  end
  return has(land, "named") and kind.city or kind.civitas
end

local function is_left(token)
  return count{kind = token, on = "pool"} > 0
end

-- Every kind of City Token.
local CITIES = { kind.capital_city, kind.city, kind.civitas }

--- Those of the lands, each with a free Gord, for which a fitting City Token is left.
local function with_token(lands)
  if #lands == 0 then
    return lands
  end
  local each_left = true
  for _, token in CITIES do
    each_left = each_left and is_left(token)
  end
  if each_left then
    return lands
  end
  return filter(lands, function(land) return is_left(M.city_kind(land)) end)
end

--- Whether a Gord of the land is still unfounded and a fitting token is left.
function M.can_found(land)
  return contains(with_token(spaces{fewer = "settlement", than = "gords"}), land)
end

--- Printed price: the Might that the new City will have.
function M.city_cost(land)
  return math.floor(prop(land, "might") / prop(land, "gords")) + stat(M.city_kind(land), "might")
end

--- Founds a City on the land, no matter who controls it.
function M.found(seat, land)
  local token = M.city_kind(land)
  if place(token, nil, land) then
    log("city-founded", seat, land)
    trigger("building.built", seat, land, token)
  end
end

local function has_room(land)
  return count{at = land, class = "building"} == 0
end

--- Whether the land has room for a building and a token of the kind is left.
function M.can_build(building, land)
  return is_left(building) and has_room(land)
end

--- Puts a building on the land.
function M.build(seat, building, land)
  if place(building, nil, land) then
    log("building-built", seat, building, land)
    trigger("building.built", seat, land, building)
  end
end

--- Controlled lands where a City could be founded.
function M.city_sites(seat)
  return with_token(spaces{controller = seat, fewer = "settlement", than = "gords"})
end

--- All other lands where one could be founded.
function M.foreign_city_sites(seat)
  return with_token(spaces{kind = "land", uncontrolled_by = seat, fewer = "settlement", than = "gords"})
end

--- Controlled lands without a building.
function M.building_sites(seat)
  return spaces{controller = seat, without = "building"}
end

--- What the seat pays in a Building Action for a City on the land.
function M.price_of_city(seat, land)
  return math.max(0, query("building.city-cost", M.city_cost(land), seat, land))
end

--- What the seat pays for the nth building of a Building Action.
function M.price_of_building(seat, building, nth)
  return math.max(0, query("building.cost", get(counter.building_cost), seat, building, nth))
end

local function options(seat, cities_left, buildings_left, nth)
  local gold = get(counter.gold, seat)
  local cities, buildings, sites = {}, {}, {}
  if cities_left > 0 then
    cities = filter(M.city_sites(seat), function(land) return M.price_of_city(seat, land) <= gold end)
  end
  if buildings_left > 0 then
    buildings = filter(KINDS, function(building)
      return is_left(building) and M.price_of_building(seat, building, nth) <= gold
    end)
    sites = M.building_sites(seat)
  end
  return { { "found", cities }, { "build", buildings, sites }, "done" }
end

function M.action(seat)
  hand.window(seat, "building")
  local cities_left = CITIES_PER_ACTION
  local buildings_left = query("building.limit", get(counter.buildings_per_action), seat)
  local nth = 1
  while cities_left + buildings_left > 0 do
    local verb, a, b = choose(seat, "building.site", function()
      return options(seat, cities_left, buildings_left, nth)
    end, { about = { cities_left, buildings_left } })
    if verb == "found" then
      lose(counter.gold, M.price_of_city(seat, a), seat)
      M.found(seat, a)
      cities_left = cities_left - 1
    elseif verb == "build" then
      lose(counter.gold, M.price_of_building(seat, a, nth), seat)
      M.build(seat, a, b)
      buildings_left = buildings_left - 1
      nth = nth + 1
    else
      break
    end
  end
  trigger("building.done", seat)
end

return M
