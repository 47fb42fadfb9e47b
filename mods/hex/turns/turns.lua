-- A turn: one action out of the legal ones, then the pair's penalty, the goal, and the end of games that stand still.
local map = import("map/board")
local legal = import("moves/legal")
local discovery = import("discovery/discovery")
local battle_rules = import("battle/battle")
local network = import("goal/network")
local M = {}

local function pawn_at(seat, hexagon)
  return the_piece{at = hexagon, owner = seat, class = "active"}
end

local function queen_of(seat)
  return the_piece{owner = seat, kind = kind.queen, on = "map"}
end

-- The two Princes of a seat that stand together, if two do.
local function pair_of(seat)
  for _, prince in pieces{owner = seat, kind = kind.prince, on = "map"} do
    local together = pieces{at = at(prince), owner = seat, kind = kind.prince}
    if #together == 2 then
      return together
    end
  end
end

-- A pair from the last turn that is still together loses one of the two, wherever they stand: not by battle, so for
-- good.
local function settle_pair(seat, pair)
  if pair and at(pair[1]) == at(pair[2]) then
    log("pair-penalty", seat, at(pair[2]))
    remove(pair[2])
    set(counter.idle, 0)
  end
end

local function move_pawn(seat, from, to)
  move(pawn_at(seat, from), to)
  battle_rules.capture_field(seat, to)
  return to
end

-- A Prince and another one, who comes from `two`, take a target. Both may come from the same hexagon.
local function attack_together(seat, first, two, target)
  local others = filter(pieces{at = two, owner = seat, kind = kind.prince}, function(piece) return piece ~= first end)
  log("joint-attack", seat, target)
  battle_rules.attack(seat, { first, others[1] }, target)
end

local function joint_attack(seat, one, two, target)
  attack_together(seat, pawn_at(seat, one), two, target)
end

-- One pawn's move with everything that follows from it. Returns where it ended; nil where the action is used up by it.
local function move_one(seat, verb, from, to, is_first)
  if verb == "move" then
    return move_pawn(seat, from, to)
  elseif verb == "attack" then
    battle_rules.attack(seat, { pawn_at(seat, from) }, to)
    return to
  end
  -- Point by point: the walk itself may end in an attack.
  local prince, target, second = discovery.walk(seat, from, verb, to, is_first)
  if second ~= nil then
    attack_together(seat, prince, second, target)
    return nil
  elseif target ~= nil then
    battle_rules.attack(seat, { prince }, target)
    return target
  end
  battle_rules.capture_field(seat, at(prince))
  return at(prince)
end

-- One or two pawns, one after the other.
local function move_action(seat, verb, from, to)
  local moved = move_one(seat, verb, from, to, true)
  if moved == nil then
    return
  end
  verb, from, to = choose(seat, "turn.second", legal.second_moves(seat, moved), { about = { moved } })
  if verb ~= "done" then
    move_one(seat, verb, from, to, false)
  end
end

local function castle(seat, hexagon)
  local queen, prince = queen_of(seat), the_piece{at = hexagon, owner = seat, kind = kind.prince}
  local home_of_queen = at(queen)
  move(queen, hexagon)
  move(prince, home_of_queen)
  log("castled", seat, hexagon)
end

local function build(seat, what)
  local here = at(queen_of(seat))
  place(what, seat, here)
  set(counter.idle, 0)
  log("built", seat, what, here)
end

local function regenerate_prince(seat, city)
  place(kind.prince, seat, city)
  lose(counter.lost_princes, 1, seat)
  set(counter.idle, 0)
  log("regenerated", seat, kind.prince, city)
end

local function regenerate_queen(seat, hexagon, city)
  remove(the_piece{at = hexagon, owner = seat, kind = kind.prince})
  place(kind.queen, seat, city)
  set(counter.idle, 0)
  log("regenerated", seat, kind.queen, city)
end

local ACTIONS = {
  ["build-field"] = function(seat) build(seat, kind.field) end,
  ["build-city"] = function(seat) build(seat, kind.city) end,
  ["castle"] = castle,
  ["joint-attack"] = joint_attack,
  ["regenerate-prince"] = regenerate_prince,
  ["regenerate-queen"] = regenerate_queen,
}

local function act(seat, verb, a, b, c)
  local perform_action = ACTIONS[verb]
  if perform_action then
    perform_action(seat, a, b, c)
  else
    move_action(seat, verb, a, b)
  end
end

--- A whole turn of a seat.
function M.play(seat)
  local pair = pair_of(seat)
  add(counter.idle, 1)
  local actions, may_pass = legal.actions(seat)
  local verb, a, b, c = choose(seat, "turn.action", actions, { always = true, pass = may_pass })
  if verb == nil then
    add(counter.passes, 1)
    log("passed", seat)
  else
    set(counter.passes, 0)
    act(seat, verb, a, b, c)
  end
  if over() then
    return
  end
  settle_pair(seat, pair)
  network.settle(seat)
  if get(counter.idle) >= get(counter.idle_limit) then
    draw_game("standstill")
  end
end

--- All rounds are over and nobody has won.
function M.limit()
  draw_game("turn-limit")
end

return M
