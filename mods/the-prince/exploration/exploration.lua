-- Phase 1: land, explore, build. Log lines here go to both players, so they never name a tile.
local castles = import("exploration/castles")
local fog = import("exploration/fog")
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

local function building_is_due()
  return get(counter.turn) >= get(counter.building_due)
end

-- Exposed tiles on which the seat may build.
local function free_sites(seat)
  return filter(fog.known(seat), function(tile)
    return not castles.on(tile)
  end)
end

-- Where the Prince may go. Once building is due and no site is left, he must walk toward the fog.
local function ways(seat, from)
  local near = neighbors(from)
  if not building_is_due() or #free_sites(seat) > 0 then
    return { "stay", { "go", near } }
  end
  local steps = fog.steps_away(seat, from)
  return { { "go", filter(near, function(tile)
    return fog.steps_away(seat, tile) < steps
  end) } }
end

local function walk(seat)
  local prince = prince_of(seat)
  local verb, tile = choose(seat, "explore.move", ways(seat, at(prince)))
  if verb == "go" then
    move(prince, tile)
    fog.look_around(seat, tile)
  end
end

local function sites(seat)
  local options = { { "build", free_sites(seat) } }
  if not building_is_due() then
    table.insert(options, 1, "wait")
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
  elseif get(counter.turn) == get(counter.last_turn) then
    -- An enemy Castle under the fog can take the site that a walk was to find. Nobody fights with fewer Castles.
    add(counter.last_turn, 1)
  end
end

return M
