-- A race of dice: runners enter at one end of the track, run past each other, and leave it at the other end.
local M = {}

local RUNNERS, POINTS, SIDES = 4, 12, 6

-- The same points, as each side counts them: the way from its start to its home.
local TRACK = { [faction.dawn] = {}, [faction.dusk] = {} }
local STEPS = { [faction.dawn] = {}, [faction.dusk] = {} }
for n = 1, POINTS do
  local point = space["p" .. n]
  TRACK[faction.dawn][n], STEPS[faction.dawn][point] = point, n
  TRACK[faction.dusk][POINTS + 1 - n], STEPS[faction.dusk][point] = point, POINTS + 1 - n
end

local function rival(seat)
  return seat == faction.dawn and faction.dusk or faction.dawn
end

-- All that a seat may do with the dice it has left. An option is a keyword with values: { "run", point, die }.
local function options(seat, dice)
  local guards = {}
  for _, runner in pieces{owner = rival(seat), on = "map"} do
    guards[at(runner)] = (guards[at(runner)] or 0) + 1
  end
  local track, steps = TRACK[seat], STEPS[seat]
  local held = spaces{controller = seat}
  local can_enter = count{owner = seat, on = "pool"} > get(counter.home, seat)
  -- Two rivals on a point block it.
  local function is_free(point)
    return (guards[point] or 0) < 2
  end
  local list = {}
  for n, die in dice do
    if die ~= dice[n - 1] then
      if can_enter and is_free(track[die]) then
        table.insert(list, { "enter", track[die], die })
      end
      for _, from in held do
        local to = track[steps[from] + die]
        if to == nil then
          table.insert(list, { "home", from, die })
        elseif is_free(to) then
          table.insert(list, { "run", from, die })
        end
      end
    end
  end
  return list
end

-- A lone rival makes room and must enter again.
local function hit(seat, point)
  local other = the_piece{at = point, owner = rival(seat)}
  if other then
    remove(other)
    log("hit", seat, rival(seat), point)
  end
end

local function go(seat, verb, point, die)
  if verb == "enter" then
    hit(seat, point)
    place(kind.runner, seat, point)
    return
  end
  local runner = the_piece{at = point, owner = seat}
  if verb == "run" then
    local to = TRACK[seat][STEPS[seat][point] + die]
    hit(seat, to)
    move(runner, to)
  else
    remove(runner)
    add(counter.home, 1, seat)
    if get(counter.home, seat) == RUNNERS then
      win(seat, "home")
    end
  end
end

-- The first turn of the game has one die, so that going first is no advantage.
local function begins(seat)
  return get(counter.round) == 1 and seat == seats()[1]
end

--- One turn: two dice, each of which moves one runner, in any order.
function M.turn(seat)
  local dice = { roll(SIDES) }
  if not begins(seat) then
    table.insert(dice, roll(SIDES))
  end
  while #dice > 0 do
    -- No option gives nil; a single one is taken without asking.
    local verb, point, die = choose(seat, "run", options(seat, dice))
    if verb == nil then
      log("stuck", seat)
      return
    end
    go(seat, verb, point, die)
    table.remove(dice, dice[1] == die and 1 or 2)
  end
end

-- Points that a seat's runners still have to go.
local function way(seat)
  local left = (POINTS + 1) * (RUNNERS - get(counter.home, seat))
  for _, runner in pieces{owner = seat, on = "map"} do
    left = left - STEPS[seat][at(runner)]
  end
  return left
end

-- Points that a seat has to go again where its lone runners are hit, if each rival that has yet to come past hits one time
-- in three.
local function risk(seat)
  local points = 0
  local rivals = RUNNERS - get(counter.home, rival(seat))
  for _, point in spaces{controller = seat} do
    if count{at = point, owner = seat} == 1 then
      local past = 0
      for _, runner in pieces{owner = rival(seat), on = "map"} do
        past = past + (STEPS[seat][at(runner)] < STEPS[seat][point] and 1 or 0)
      end
      points = points + STEPS[seat][point] * math.min(1, rivals - past)
    end
  end
  return math.floor(points / 3)
end

--- `bot.value`: how far ahead of its rival a seat is.
function M.lead(self, value, owner, seat)
  return value + self.point * (way(rival(seat)) - way(seat) - risk(seat))
end

--- For tuning bots: logs the value of a position for a seat.
function M.tell(seat)
  log("judged", seat, query("bot.value", 0, seat))
end

--- The rounds are over and nobody is home.
function M.finish()
  draw_game("round-limit")
end

return M
