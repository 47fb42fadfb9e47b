-- Phase 1: land, explore, build. Log lines here go to both players, so they never name a tile.
local castles = import("castles")
local fog = import("fog")
local M = {}

local LANDING_TURN = 1

local function prince_of(seat)
  return the_piece({ kind = kind.prince, owner = seat, on = "map" })
end

local function left_to_build(seat)
  return count({ kind = kind.castle, owner = seat, on = "pool" })
end

local function land(seat)
  local beach = choose(seat, "landing.coast", spaces({ prop = "coast" }))
  place(kind.prince, seat, beach)
  fog.look_around(seat, beach)
  log("prince-landed", seat)
end

local function walk(seat)
  local prince = prince_of(seat)
  local options = { "stay" }
  for _, tile in ipairs(neighbors(at(prince))) do
    table.insert(options, { "go", tile })
  end
  local verb, tile = choose(seat, "explore.move", options)
  if verb == "go" then
    move(prince, tile)
    fog.look_around(seat, tile)
  end
end

local function building_is_due()
  return get(counter.turn) >= get(counter.building_due)
end

local function sites(seat)
  local options = {}
  if not building_is_due() then
    table.insert(options, "wait")
  end
  for _, tile in ipairs(fog.known(seat)) do
    if not castles.on(tile) then
      table.insert(options, { "build", tile })
    end
  end
  return options
end

local function build(seat)
  local verb, site = choose(seat, "explore.build", sites(seat))
  if verb ~= "build" then
    return
  end
  place(kind.castle, seat, site)
  add(counter.castles_built, 1, seat)
  log("castle-built", seat, get(counter.castles_built, seat))
end

-- The last Castle ends a Prince's walks; the last of all ends the phase.
local function finish(seat)
  remove(prince_of(seat))
  log("explorer-home", seat)
  if left_to_build(castles.rival(seat)) == 0 then
    set(counter.last_turn, get(counter.turn))
  end
end

--- One turn of one player.
function M.turn(seat)
  if left_to_build(seat) == 0 then
    return
  end
  if get(counter.turn) == LANDING_TURN then
    land(seat)
    return
  end
  walk(seat)
  build(seat)
  if left_to_build(seat) == 0 then
    finish(seat)
  end
end

return M
