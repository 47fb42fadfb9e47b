-- All attacks of both sides at the same time, and how a game ends.
local castles = import("exploration/castles")
local planning = import("planning/planning")
local M = {}

-- A seat's attacks in its order, with the castles as they stand when the battle begins.
local function attacks(seat)
  local list = {}
  for _, castle in castles.standing(seat) do
    if get(counter.target, castle) then
      table.insert(list, castle)
    end
  end
  return sorted(list, function(a, b)
    return get(counter.rank, a) < get(counter.rank, b)
  end)
end

-- Lets one seat's attacks strike. Returns the damage of each Castle that was hit; the first attack on the Guard is lost.
local function strike(seat)
  local post = castles.guard_post(castles.rival(seat))
  local hits = {}
  for _, castle in attacks(seat) do
    local target, strength = get(counter.target, castle), castles.attack(castle)
    if target == post then
      post = nil
      log("attack-stopped", castle, target, strength)
    else
      hits[target] = (hits[target] or 0) + strength
      log("attack", castle, target, strength)
    end
  end
  return hits
end

-- Opens a seat's plan: what was secret is the public report of this battle now.
local function open_plan(seat)
  for _, ruin in pieces({ kind = kind.ruin, owner = seat, on = "map" }) do
    local tile = at(ruin)
    set(counter.damage, 0, tile)
    set(counter.report_boost, 0, tile)
    set(counter.report_target, nil, tile)
    set(counter.report_rank, 0, tile)
  end
  for _, castle in castles.standing(seat) do
    set(counter.report_boost, get(counter.boost, castle), castle)
    set(counter.report_target, get(counter.target, castle), castle)
    set(counter.report_rank, get(counter.rank, castle), castle)
    log("castle-split", castle, castles.attack(castle), castles.guarded_defense(castle))
  end
end

-- Notes the damage and returns the Castles that fall; nothing is taken off the map yet.
local function count_damage(seat, hits)
  local fallen = {}
  for _, castle in castles.standing(seat) do
    local damage = hits[castle]
    set(counter.damage, damage or 0, castle)
    if damage then
      local left = castles.guarded_defense(castle) - damage
      log("castle-damaged", castle, damage, left)
      if left <= 0 then
        table.insert(fallen, castle)
      end
    end
  end
  return fallen
end

-- A ruin stays and covers its tile. A Guard that stood there survives and is placed again.
local function destroy(seat, castle)
  log("castle-destroyed", seat, castle)
  if castles.guard_post(seat) == castle then
    remove(the_piece({ kind = kind.guard, owner = seat }))
  end
  remove(the_piece({ kind = kind.castle, at = castle }))
  place(kind.ruin, seat, castle)
end

-- The game is over: the Princes appear where they were hidden.
local function unveil()
  for _, seat in seats() do
    local hideout = get(counter.hideout, seat)
    place(kind.prince, seat, hideout)
    log("prince-was-hidden", seat, hideout)
  end
end

-- Ends the game for the seat with more of what `measure` counts; false if both have the same.
local function win_by(measure, cause)
  local order = seats()
  local first, second = measure(order[1]), measure(order[2])
  if first == second then
    return false
  end
  win(first > second and order[1] or order[2], cause)
  return true
end

local function count_standing(seat)
  return #castles.standing(seat)
end

local function count_points(seat)
  local points = 0
  for _, castle in castles.standing(seat) do
    points = points + castles.worth(castle)
  end
  return points
end

local function end_by_comparison()
  unveil()
  if not win_by(count_standing, "more-castles") and not win_by(count_points, "more-points") then
    draw_game("stalemate")
  end
end

-- Whether a Prince was in a Castle that fell, and with it the game ended.
local function princes_lost(fallen)
  local order = seats()
  local lost = filter(order, function(seat)
    return contains(fallen[seat], get(counter.hideout, seat))
  end)
  if #lost == 0 then
    return false
  end
  unveil()
  if #lost == #order then
    draw_game("tie")
  else
    win(castles.rival(lost[1]), "capture")
  end
  return true
end

--- The battle: strikes, damage, falls, and the end of the game if it has come.
function M.fight()
  local order = seats()
  local fallen, total = {}, 0
  for _, seat in order do
    open_plan(seat)
  end
  for _, seat in order do
    local rival = castles.rival(seat)
    fallen[rival] = count_damage(rival, strike(seat))
    total = total + #fallen[rival]
  end
  for _, seat in order do
    for _, castle in castles.standing(seat) do
      planning.clear(castle)
    end
    for _, castle in fallen[seat] do
      destroy(seat, castle)
    end
  end
  if total == 0 then
    add(counter.quiet_battles, 1)
  else
    set(counter.quiet_battles, 0)
  end
  if princes_lost(fallen) then
    return
  end
  if get(counter.quiet_battles) >= get(counter.quiet_limit) or get(counter.battle) >= get(counter.last_battle) then
    end_by_comparison()
  end
end

return M
