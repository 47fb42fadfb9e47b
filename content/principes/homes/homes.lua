-- Where units without a player belong: their areas, the Pomeranias, the land of the Teutonic Knights, and the borders of
-- neutral Principalities.
local figures = import("pieces/figures")
local M = {}

local POMERANIAS = { faction.western_pomerania, faction.eastern_pomerania }

--- The space that removed pieces of this kind and side return to; nil means that they leave the map.
function M.home_space(unit, side)
  local area = prop(unit, "area")
  if area then
    return area
  end
  if side == faction.teutonic_knights then
    return the_space{prop = "teutonic"}
  end
  -- Mongols only start in a Neighbor's area, they do not live there.
  if prop(side, "group") == "neighbor" then
    return prop(side, "area")
  end
  return nil
end

--- Lands inside the Principality's borders without foreign units.
function M.free_lands(side)
  return filter(spaces{kind = "land", home = side}, function(land) return figures.free_for(side, land) end)
end

-- The Prince of a neutral Principality moves to another of its lands, or waits for one.
---@param by? Seat
local function respawn(side, by)
  local chooser = by or get(counter.princeps)
  local land = choose(chooser, "homes.prince", M.free_lands(side), { about = { side } })
  if land then
    place(kind.prince, side, land)
    set(counter.prince_waiting, 0, side)
    log("neutral-prince-returns", side, land)
  else
    set(counter.prince_waiting, 1, side)
  end
end

--- Takes a piece off its land to where it belongs. `context.remover` is the seat that removed it.
function M.send(piece, context)
  local side, unit = owner(piece), kindof(piece)
  local back = M.home_space(unit, side)
  if back and (prop(back, "kind") ~= "land" or figures.free_for(side, back)) then
    if at(piece) ~= back then
      move(piece, back)
    end
  else
    remove(piece)
  end
  if unit == kind.prince and not led(side) then
    respawn(side, context.remover)
  end
end

--- Takes several pieces off the map.
function M.send_all(list, context)
  for _, piece in list do
    M.send(piece, context)
  end
end

-- Only this side's units stand there.
local function holds(side, land)
  local there = occupants(land)
  return #there == 1 and there[1] == side
end

-- No City, building or Division Token stands there.
local function bare(land)
  return count{at = land, class = "settlement"} == 0 and count{at = land, class = "building"} == 0
    and count{at = land, kind = kind.division} == 0
end

--- Lands to which beaten units of this faction may withdraw from `from`, by the rule of their kind.
function M.retreats(side, from)
  local function is_free(land)
    return figures.free_for(side, land)
  end
  if led(side) then
    return filter(spaces{beside = from, controller = side}, is_free)
  elseif prop(side, "group") == "principality" then
    return filter(spaces{beside = from, home = side}, is_free)
  elseif side == faction.mongols then
    return filter(spaces{beside = from, empty = true}, bare)
  end
  return filter(neighbors(from), function(land) return holds(side, land) end)
end

-- Brings the units that wait off the map back to their land.
local function return_home(side, land)
  local waiting = pieces{owner = side, on = "pool"}
  if #waiting == 0 or not figures.free_for(side, land) then
    return
  end
  for _, piece in waiting do
    place(kindof(piece), side, land)
  end
  log("units-return", side, land)
end

--- Neutral lands: Pomeranian units and Teutonic Knights beaten at home return as soon as the land is free; so do
--- neutral Princes.
function M.vacated(self, owner_of_rule, land)
  if prop(land, "kind") ~= "land" then
    return
  end
  if has(land, "pomerania") then
    for _, side in POMERANIAS do
      if prop(side, "area") == land then
        return_home(side, land)
      end
    end
  elseif has(land, "teutonic") and get(counter.teutons_called) == 1 then
    return_home(faction.teutonic_knights, land)
  end
  local side = home(land)
  if side and not led(side) and get(counter.prince_waiting, side) == 1 then
    respawn(side)
  end
end

--- A Prince without land: A Prince whose player controls no land returns with the first land gained.
function M.claimed(self, owner_of_rule, land, from, to)
  if to and get(counter.prince_waiting, to) == 1 then
    import("princes/dynasty").place_prince(to)
  end
end

return M
