-- For bots: what a position is worth to a seat. Reads only what that seat may know.
local castles = import("exploration/castles")
local fog = import("exploration/fog")
local M = {}

-- Worth of an exposed tile while exploring, and of each step nearer to the fog.
local EXPOSED, STEP_TO_FOG, FAR = 12, 2, 9
-- Points that make a Castle worth building: many at first, fewer as the deadline approaches.
local FIRST_DEMAND, POINT = 14, 20
-- In battle: a standing Castle, a Castle that is about to fall, a wasted point of attack, a point of defense.
local STANDING, LIKELY_KILL, HIT, HOME_DEFENSE, PRINCE_DEFENSE = 600, 150, 4, 2, 9
-- The Guard: before the Prince's own Castle, and the weakest attack thrown away on the enemy's.
local PRINCE_GUARDED, WASTED = 25, 6

local function site_points(seat, site)
  local function seen(tile)
    return fog.exposed(seat, tile)
  end
  local points = 0
  for _, resource in { "iron", "stone", "gold" } do
    points = points + castles.around(site, resource, seen)
  end
  return points
end

local function steps_to_fog(seat, from)
  for steps = 2, FAR do
    for _, tile in within(from, steps) do
      if not fog.exposed(seat, tile) then
        return steps
      end
    end
  end
  return FAR
end

local function exploring(seat)
  local value = EXPOSED * #fog.known(seat)
  local prince = the_piece({ kind = kind.prince, owner = seat, on = "map" })
  if prince then
    value = value - STEP_TO_FOG * steps_to_fog(seat, at(prince))
  end
  local due = get(counter.building_due)
  local demand = FIRST_DEMAND * math.max(0, due - get(counter.turn)) / due
  for _, castle in castles.standing(seat) do
    value = value + math.floor(POINT * (site_points(seat, castle) - demand))
  end
  return value
end

-- What the plan made so far does to one enemy Castle, whose split is unknown: half of its bonus is expected in defense.
local function pressure(seat, target)
  local strengths, first, first_rank = {}, nil, nil
  for _, castle in castles.standing(seat) do
    if get(counter.target, castle) == target then
      table.insert(strengths, castles.attack(castle))
      local rank = get(counter.rank, castle)
      if rank > 0 and (first_rank == nil or rank < first_rank) then
        first, first_rank = castles.attack(castle), rank
      end
    end
  end
  local sum = 0
  for _, strength in strengths do
    sum = sum + strength
  end
  if sum == 0 then
    return 0
  end
  local wasted = 0
  if castles.guard_post(castles.rival(seat)) == target then
    wasted = first or sorted(strengths)[1]
    sum = sum - wasted
  end
  local needed = math.max(1, get(counter.defense, target) + math.floor((get(counter.bonus, target) + 1) / 2))
  local kill = sum >= needed and LIKELY_KILL or 0
  return kill + HIT * math.min(sum, needed) - WASTED * wasted
end

local function battling(seat)
  local rival = castles.rival(seat)
  local value = STANDING * (#castles.standing(seat) - #castles.standing(rival))
  local hideout = get(counter.hideout, seat)
  for _, castle in castles.standing(seat) do
    local weight = castle == hideout and PRINCE_DEFENSE or HOME_DEFENSE
    value = value + weight * castles.guarded_defense(castle)
  end
  if hideout and get(counter.guard_post, seat) == hideout then
    value = value + PRINCE_GUARDED
  end
  for _, target in castles.standing(rival) do
    value = value + pressure(seat, target)
  end
  return value
end

--- `bot.value`: the value of the position for a seat.
function M.value(self, value, owner, seat)
  if get(counter.battle) == 0 then
    return value + exploring(seat)
  end
  return value + battling(seat)
end

--- `bot.imagine`: the rival's Prince may hide in any Castle that still stands.
function M.imagine(self, owner, seat)
  local rival = castles.rival(seat)
  local places = castles.standing(rival)
  if get(counter.hideout, rival) then
    set(counter.hideout, places[roll(#places)], rival)
  end
end

--- For tuning bots: runs the hooks of `bot.imagine` for a seat.
function M.dream(seat)
  trigger("bot.imagine", seat)
end

--- For tuning bots: logs the value of a position for a seat.
function M.tell(seat)
  log("judged", seat, query("bot.value", 0, seat))
end

return M
