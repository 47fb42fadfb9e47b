-- Balt Raid, Teutonic Knights, Mongol Invasion: who moves them, what they lay waste, where they go afterward.
local figures = import("pieces/figures")
local homes = import("homes/homes")
local march = import("war/march")
local princess = import("princess/princess")
local M = {}

--- Destroys the City and building of a land on which invaders stand alone.
function M.devastate(land)
  local ruins = pieces{at = land, class = "settlement"}
  for _, token in pieces{at = land, class = "building"} do
    table.insert(ruins, token)
  end
  for _, token in ruins do
    log("devastated", land, kindof(token))
    remove(token)
  end
  princess.remove_at(land)
end

-- The lands among `lands` that only this faction's units hold now.
local function devastate_held(lands, invader)
  for _, land in lands do
    if count{at = land, owner = invader, occupying = true} > 0
      and figures.free_for(invader, land) then
      M.devastate(land)
    end
  end
end

-- One movement of these invaders with its devastation and battles.
local function raid(mover, invader, units)
  local result = move_units{
    mover = mover,
    pieces = units,
    forbid = spaces{controller = mover},
    source = top(zone.history),
  }
  -- Undefended lands burn at once, fought-over ones after their battle.
  devastate_held(result.ended, invader)
  march.after(result, mover)
  devastate_held(result.ended, invader)
end

-- Units of a kind that still stand where their raid ended go back to their own area.
local function balts_home(tribe)
  local area = prop(tribe, "area")
  for _, balt in pieces{kind = tribe, on = "map"} do
    move(balt, area)
  end
end

--- Balts: Prussians with their battles go home before the Lithuanians set out; in the end all are home.
function M.balts()
  local princeps = get(counter.princeps)
  if count{kind = kind.teutonic_knight, on = "map"} > 0 then
    log("prussians-blocked")
  else
    raid(princeps, faction.balts, pieces{kind = kind.prussian, on = "map"})
    balts_home(kind.prussian)
  end
  if over() then
    return
  end
  raid(princeps, faction.balts, pieces{kind = kind.lithuanian, on = "map"})
  balts_home(kind.lithuanian)
  log("invaders-home", faction.balts)
end

-- After a raid the Knights ride home; if strangers hold it they wait beside the map.
local function teutons_home(land)
  local free = figures.free_for(faction.teutonic_knights, land)
  for _, knight in pieces{kind = kind.teutonic_knight, on = "map"} do
    if free then
      move(knight, land)
    else
      remove(knight)
    end
  end
  log("invaders-home", faction.teutonic_knights)
end

-- The caller's units leave together for one land, or are removed. Returns whether the Prince was removed.
local function clear_for_teutons(seat, land)
  local garrison = pieces{at = land, owner = seat, occupying = true}
  if #garrison == 0 then
    return false
  end
  local refuge = choose(seat, "teutons.withdraw", homes.retreats(seat, land), { about = { land } })
  local prince_lost = false
  for _, piece in garrison do
    if refuge then
      move(piece, refuge)
    else
      prince_lost = prince_lost or kindof(piece) == kind.prince
      remove(piece)
    end
  end
  return prince_lost
end

--- The Knights arrive: their land passes to them with a small City and a Castle.
function M.settle_teutons(seat, land)
  for _, token in pieces{at = land, class = "building"} do
    remove(token)
  end
  set(counter.teutons_called, 1)
  -- They arrive before the caller leaves: otherwise the land would belong for a moment to the holder of the borders.
  while place(kind.teutonic_knight, faction.teutonic_knights, land) do end
  local prince_lost = clear_for_teutons(seat, land)
  place(kind.castle, nil, land)
  if count{at = land, class = "settlement"} == 0 then
    place(kind.civitas, nil, land)
  end
  log("teutons-called", seat, land)
  -- The Prince's heir must not land where the Knights now stand, so this comes last.
  if prince_lost then
    import("princes/dynasty").prince_lost(seat)
  end
end

local function offer_call(land)
  for _, seat in seats() do
    local may = 0
    if controller(land) == seat then
      may = 1 -- mutate: skip, because only other packs subtract from it
    end
    if query("teutons.may-call", may, seat, land) > 0
      and confirm(seat, "teutons.call", { about = { land } }) then
      M.settle_teutons(seat, land)
      return
    end
  end
  log("teutons-not-called")
end

--- Knights on the map are moved by the Princeps; otherwise the lord of their land may call them.
function M.teutons()
  local land = the_space{prop = "teutonic"}
  local knights = pieces{kind = kind.teutonic_knight, on = "map"}
  if #knights == 0 then
    offer_call(land)
  else
    raid(get(counter.princeps), faction.teutonic_knights, knights)
    teutons_home(land)
  end
end

--- Mongols: one fewer each time; every player in turn may drive those that are left.
function M.mongols()
  local horde = math.max(0, count{kind = kind.mongol, on = "pool"} - get(counter.invasions))
  add(counter.invasions, 1)
  for _ = 1, horde do
    place(kind.mongol, faction.mongols, prop(faction.mongols, "area"))
  end
  log("mongols-come", horde)
  for _, seat in seats() do
    local mongols = pieces{kind = kind.mongol, on = "map"}
    if #mongols == 0 then
      break
    end
    if playing(seat) then
      log("mongols-driven-by", seat)
      raid(seat, faction.mongols, mongols)
    end
  end
  for _, mongol in pieces{kind = kind.mongol, on = "map"} do
    remove(mongol)
  end
  log("invaders-home", faction.mongols)
end

return M
