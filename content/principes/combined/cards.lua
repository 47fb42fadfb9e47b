-- Combined Action Tiles: a neutral Principality assembles, moves or builds for the tile's owner.
local building = import("actions/building")
local figures = import("pieces/figures")
local march = import("war/march")
local M = {}

-- Lands inside the Principality's borders without foreign units.
local function free_lands(principality)
  return filter(spaces{kind = "land", home = principality}, function(land)
    return figures.free_for(principality, land)
  end)
end

-- Puts up to n removed units of a kind on the land.
local function raise(principality, sort, n, land)
  for _ = 1, n do
    place(sort, principality, land)
  end
  log("neutral-assembled", principality, sort, land)
end

-- The Principality's Capital as a one-land list, empty while foreign units stand there.
local function free_capital(principality)
  local capital = prop(principality, "capital")
  return figures.free_for(principality, capital) and { capital } or {}
end

-- How many units of the kind the tile raises; a tile without a number for the kind raises none.
local function raised(self, sort)
  if sort == kind.knight then
    return self.knights or 0
  end
  return self.footmen or 0
end

--- Assembly: one kind, then a land, from what was removed. Each kind's number is a param.
local function assemble(self, seat, principality, sites)
  local options = {}
  for _, land in sites do
    for _, sort in { kind.knight, kind.footman } do
      if raised(self, sort) > 0 and count{owner = principality, kind = sort, on = "pool"} > 0 then
        table.insert(options, { "assemble", sort, land })
      end
    end
  end
  local about = { about = { principality }, source = self.card, pass = true }
  local verb, sort, land = choose(seat, "combined.unit", options, about)
  if verb then
    raise(principality, sort, raised(self, sort), land)
  end
end

-- Lets the seat pick up to n of the units, then moves those.
---@param chosen? Piece[]
local function move_some(self, seat, principality, candidates, n, chosen)
  chosen = chosen or {}
  for left = n, 1, -1 do
    local rest = filter(candidates, function(piece) return not contains(chosen, piece) end)
    local options = figures.options("unit", rest)
    table.insert(options, "done")
    local verb, sort, land = choose(seat, "combined.pick", options, { about = { principality, left }, source = self.card })
    if verb ~= "unit" then
      break
    end
    table.insert(chosen, figures.find(rest, sort, land))
  end
  local result = move_units{
    mover = seat,
    pieces = chosen,
    forbid = spaces{controller = seat},
    source = self.card,
  }
  march.after(result, seat)
end

-- Offers the tokens on the Principality's free lands; `found` adds small Cities.
local function construct(self, seat, principality, buildings, found)
  local options = {}
  for _, land in free_lands(principality) do
    if found and building.city_kind(land) == kind.civitas and building.can_found(land) then
      table.insert(options, { "found", land })
    end
    for _, token in buildings do
      if building.can_build(token, land) then
        table.insert(options, { "build", token, land })
      end
    end
  end
  local about = { about = { principality }, source = self.card, pass = true }
  local verb, a, b = choose(seat, "combined.site", options, about)
  if verb == "found" then
    building.found(seat, a)
  elseif verb == "build" then
    building.build(seat, a, b)
  end
end

-- Village Levy ---------------------------------------------------------------

--- Village Levy: Assembly: {footmen} removed Footmen to its Capital. Movement: up to {units} of its units. Building: a
--- Castle, Tiltyard or Abbey.
function M.levy_assembly(self, seat, principality)
  assemble(self, seat, principality, free_capital(principality))
end

function M.levy_movement(self, seat, principality)
  move_some(self, seat, principality, pieces{owner = principality, occupying = true, on = "map"}, self.units)
end

function M.levy_building(self, seat, principality)
  construct(self, seat, principality, building.kinds(), false)
end

-- Knights' League ------------------------------------------------------------

--- Knights' League: Assembly: {knights} removed Knight to its Capital. Movement: up to {units} units from one land.
--- Building: a small City.
function M.league_assembly(self, seat, principality)
  assemble(self, seat, principality, free_capital(principality))
end

function M.league_movement(self, seat, principality)
  local seen, sites = {}, {}
  local units = pieces{owner = principality, occupying = true, on = "map"}
  for _, unit in units do
    local land = at(unit)
    if not seen[land] then
      seen[land] = true
      table.insert(sites, land)
    end
  end
  local land = choose(seat, "combined.muster", sites, { about = { principality }, source = self.card, pass = true })
  if land then
    local here = filter(units, function(unit) return at(unit) == land end)
    move_some(self, seat, principality, here, self.units)
  end
end

function M.league_building(self, seat, principality)
  construct(self, seat, principality, {}, true)
end

-- Regent's Seal --------------------------------------------------------------

--- Regent's Seal: Assembly: {knights} removed Knight or {footmen} Footmen where its units stand. Movement: its Prince
--- and up to {escort} unit. Building: a Castle.
function M.regent_assembly(self, seat, principality)
  local sites = filter(free_lands(principality), function(land)
    return count{at = land, owner = principality, occupying = true} > 0
  end)
  assemble(self, seat, principality, sites)
end

function M.regent_movement(self, seat, principality)
  local prince = the_piece{owner = principality, kind = kind.prince, on = "map"}
  local rest = filter(pieces{owner = principality, occupying = true, on = "map"}, function(unit)
    return unit ~= prince
  end)
  move_some(self, seat, principality, rest, self.escort, { prince })
end

function M.regent_building(self, seat, principality)
  construct(self, seat, principality, { kind.castle }, false)
end

return M
