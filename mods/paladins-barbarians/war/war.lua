-- Attacks: declared in phase D or, in the Last War, by an order; and the moves that end phase D.
local battle = import("battle/battle")
local bonus = import("kingdoms/bonus")
local building = import("orders/building")
local gold = import("orders/gold")
local lands = import("map/lands")
local reign = import("kingdoms/reign")
local units = import("pieces/units")
local M = {}

--- Attacks that the seat may make in a phase, or in the Last War in an age.
function M.allowance(seat)
  return get(counter.attacks) + #lands.with(kind.military_academy, seat)
end

local function attacks_left(seat)
  return M.allowance(seat) - get(counter.attacks_made, seat)
end

-- Every attack from one of the territories, as {"attack", from, targets}.
local function attacks_from(seat, sites)
  local list = {}
  local sizes = tally{owner = seat, class = "unit", on = "map"}
  for _, from in sites do
    if sizes[from] then
      table.insert(list, { "attack", from, lands.foreign_neighbors(from, seat) })
    end
  end
  return list
end

-- Whether the enemy's capital stands there and this is the first time it is taken.
local function honor_conqueror(seat, land)
  for _, rival in others(seat) do
    if get(counter.great_conqueror, seat) == 0
      and count{at = land, owner = rival, kind = building.capital(rival)} > 0 then
      set(counter.great_conqueror, 1, seat)
      log("great-conqueror", seat)
    end
  end
end

-- Units of the conqueror move in, as many as it likes and as there is room for. A territory left alone will rebel.
local function occupy(seat, from, land)
  local army = lands.units(from, seat)
  repeat
    local movers = filter(army, function(unit) return at(unit) == from end)
    local verb, what = bonus.ask(seat, "war.occupy", bonus.TURN, function()
      if #movers == 0 or lands.room(land, seat) == 0 then
        return {}
      end
      return { { "enter", units.kinds(movers) }, "done" }
    end, { land, #movers })
    if verb == "enter" then
      units.enter(units.find(movers, what), land)
    end
  until verb ~= "enter" and verb ~= "bonus"
  if lands.size(land, seat) == 0 and not lands.is_home(land, seat) then
    set(counter.hollow, 1, land)
    log("left-alone", land)
  end
end

--- A territory falls to the seat.
function M.conquer(seat, from, land)
  lands.take(seat, land)
  log("conquered", seat, land)
  honor_conqueror(seat, land)
  occupy(seat, from, land)
end

--- Loot for attacking a territory with buildings.
function M.loot(seat, land)
  if count{at = land, class = "building"} > 0 then
    gold.gain(seat, query("attack.loot", 0, seat))
  end
end

-- The Armory makes an attack stronger, as often as there are working Storehouses.
local function armory(seat, land)
  if #lands.with(kind.armory, seat) > 0 and get(counter.armory_used, seat) < #lands.with(kind.storehouse, seat)
    and confirm(seat, "war.armory", { about = { land } }) then
    add(counter.armory_used, 1, seat)
    log("armory", seat, land)
    return 1
  end
  return 0
end

-- One attack, from its declaration to the occupation.
local function attack(seat, from, land)
  local foe = lands.holder(land)
  add(counter.attacks_made, 1, seat)
  log("attack", seat, from, land)
  M.loot(seat, land)
  if lands.garrison(land) == 0 then
    reign.advance(seat, 2)
    M.conquer(seat, from, land)
  elseif battle.fight(seat, from, land, foe, armory(seat, land)) then
    M.conquer(seat, from, land)
  end
end

-- The own defense tokens go.
local function drop_guards(seat)
  for _, land in spaces{controller = seat, marked = counter.defense} do
    set(counter.defense, 0, land)
  end
end

--- Forgets whose units fell in earlier phases.
function M.begin_phase(seat)
  for _, each in seats() do
    set(counter.fallen_common, 0, each)
    set(counter.fallen_special, 0, each)
  end
  drop_guards(seat)
end

-- What the seat has breached protects again.
local function restore_protection(seat)
  for _, land in spaces{marked = counter.breached} do
    if get(counter.breached_by, land) == seat then
      set(counter.breached, 0, land)
      set(counter.breached_by, nil, land)
    end
  end
end

-- Cards that raise those who fell are played right after the phase, the active seat first. Returns whether any was.
local function raise_fallen(seat)
  local raised = bonus.window(seat, { "after-war" })
  for _, rival in others(seat) do
    raised = bonus.window(rival, { "after-war" }) or raised
  end
  return raised
end

--- Start of an own age: attacks are counted from zero.
function M.new_age(seat)
  set(counter.attacks_made, 0, seat)
  set(counter.armory_used, 0, seat)
  restore_protection(seat)
end

--- The Last War: after an order an attack from the same territory.
function M.attack_order(seat, land)
  if get(counter.last_war) == 0 or attacks_left(seat) <= 0 then
    return
  end
  local verb, from, target = bonus.choose(seat, "war.order", bonus.TURN, function()
    local list = attacks_from(seat, { land })
    if #list > 0 then
      table.insert(list, "pass")
    end
    return list
  end, { land })
  if verb == "attack" then
    M.begin_phase(seat)
    attack(seat, from, target)
    raise_fallen(seat)
  end
end

-- Whether there is room on a territory.
local function has_room(land, known)
  if known.open[land] == nil then
    known.open[land] = known.room(land) > 0
  end
  return known.open[land]
end

-- Own neighbors of a territory with and without room. They are asked for once in a list of moves.
local function around(seat, land, known)
  local found = known.around[land]
  if found == nil then
    found = { near = lands.own_neighbors(land, seat) }
    found.open = filter(found.near, function(near) return has_room(near, known) end)
    known.around[land] = found
  end
  return found
end

-- Own territories with room that are at most this many steps over own territories away.
local function ends(seat, from, steps, known)
  if steps == 1 then
    return around(seat, from, known).open
  end
  local seen, ring, found = { [from] = true }, { from }, {}
  for _ = 1, steps do
    local next_ring = {}
    for _, here in ring do
      local beside = around(seat, here, known)
      for _, land in beside.near do
        if not seen[land] then
          seen[land] = true
          table.insert(next_ring, land)
          if contains(beside.open, land) then
            table.insert(found, land)
          end
        end
      end
    end
    ring = next_ring
  end
  return sorted(found)
end

-- Each territory with a Storehouse lets one more unit leave it free.
local function is_store_open(seat, from, state)
  return not state.stores[from] and lands.works(kind.storehouse, from, seat)
end

-- Moves that are open: {"march", kind, from, ends} for each kind of unit that has not moved and can be afforded.
local function moves(seat, state)
  local list, seen, known = {}, {}, { around = {}, open = {}, room = lands.rooms(seat) }
  local steps, can_pay = query("regroup.steps", 1, seat), state.free > 0 or gold.total(seat) > 0
  local waiting = filter(units.all(seat), function(unit) return not state.moved[unit] end)
  for _, unit in waiting do
    local from, what = at(unit), kindof(unit)
    seen[from] = seen[from] or {}
    if not seen[from][what] then
      seen[from][what] = true
      if can_pay or is_store_open(seat, from, state) then
        table.insert(list, { "march", what, from, ends(seat, from, steps, known) })
      end
    end
  end
  return list
end

-- Pays for a move: by the Storehouse, by what is free in the phase, in gold.
local function pay_move(seat, from, state)
  if is_store_open(seat, from, state) then
    state.stores[from] = true
  elseif state.free > 0 then
    state.free = state.free - 1
  else
    gold.pay(seat, 1)
  end
end

-- Each unit may move once.
local function regroup(seat)
  local state = { moved = {}, stores = {}, free = query("regroup.free", get(counter.free_moves), seat) }
  while true do
    local verb, what, from, land = bonus.choose(seat, "war.regroup", bonus.TURN, function()
      local list = moves(seat, state)
      table.insert(list, "done")
      return list
    end, { state.free })
    if verb ~= "march" then
      return
    end
    local candidates = filter(lands.units(from, seat), function(unit) return not state.moved[unit] end)
    local unit = units.find(candidates, what)
    state.moved[unit] = true
    units.enter(unit, land)
    log("regrouped", seat, what, from, land)
    pay_move(seat, from, state)
  end
end

--- Phase D: attacks, then moves.
function M.campaign(seat)
  log("campaign", seat)
  set(counter.attacks_made, 0, seat)
  M.begin_phase(seat)
  if #lands.of(seat) > get(counter.orders_needed) and query("orders.forgiven", 0, seat) > 0 then
    for _, land in lands.of(seat) do
      set(counter.owed, 0, land)
    end
  end
  while attacks_left(seat) > 0 do
    local verb, from, land = bonus.choose(seat, "war.attack", bonus.TURN, function()
      local list = attacks_from(seat, lands.of(seat))
      table.insert(list, "stop")
      return list
    end, { attacks_left(seat) })
    if verb ~= "attack" then
      break
    end
    attack(seat, from, land)
  end
  regroup(seat)
  if raise_fallen(seat) then
    bonus.window(seat, bonus.TURN)
  end
  restore_protection(seat)
end

--- Phase D is skipped: every Wall and Fortress gets a token.
function M.guard(seat)
  local walls, fortresses = lands.with(kind.wall, seat), lands.with(kind.fortress, seat)
  for _, land in lands.of(seat) do
    if contains(walls, land) or contains(fortresses, land) then
      set(counter.defense, 1, land)
      log("guarded", land)
    end
  end
end

return M
