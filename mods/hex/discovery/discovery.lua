-- Blank map: a Prince spends its reach point by point. A point turns up a hexagon beside it, or goes one step.
local map = import("map/board")
local strength = import("battle/strength")
local paths = import("moves/paths")
local M = {}

local FACE_DOWN = {
  [space.a1] = zone.under_a1, [space.a2] = zone.under_a2, [space.a3] = zone.under_a3,
  [space.b2] = zone.under_b2, [space.b3] = zone.under_b3, [space.c3] = zone.under_c3,
  [space.d2] = zone.under_d2, [space.d3] = zone.under_d3,
  [space.e1] = zone.under_e1, [space.e2] = zone.under_e2, [space.e3] = zone.under_e3,
}

--- The zone in which a hexagon of the board lies face down; nil for those that are always open.
function M.face_down_zone(hexagon)
  return FACE_DOWN[hexagon]
end

--- Turns up a hexagon for good.
function M.turn_up(seat, hexagon)
  local card = top(FACE_DOWN[hexagon])
  put(card, zone.map)
  set(counter.terrain, prop(card, "terrain"), hexagon)
  set(counter.idle, 0)
  log("discovered", seat, hexagon, card)
end

-- A walk: where the Prince started and stands, points left, whether none is spent yet, whether it has left its hexagon
-- and whether it has turned something up.
local function begin(board, seat, from)
  return {
    from = from, at = from, left = strength.of_prince(board, seat, from), first = true, walked = false, found = false,
  }
end

local function after(walk, there, found)
  return {
    from = walk.from, at = there, left = walk.left - 1, first = false,
    walked = walk.walked or there ~= walk.at, found = walk.found or found,
  }
end

-- A Prince that has only looked around stays where it was, even beside the other one of its pair.
local function can_stop(board, walk)
  if not walk.walked then
    return walk.found
  end
  return board.pawns[walk.at] == nil and (walk.found or walk.at ~= walk.from)
end

-- Whether the walk can end well from here, whatever is turned up on the way: no Prince may get stuck on an own pawn.
local function can_end(board, seat, walk)
  return can_stop(board, walk) or #M.points(board, seat, walk) > 0
end

-- Whether a Prince may go on to a known hexagon that nobody bars. The other element ends its move.
local function can_enter(board, seat, walk, there, found)
  if map.same_element(board, walk.at, there) then
    return can_end(board, seat, after(walk, there, found))
  end
  return walk.first and map.is_free(board, there)
end

--- What the next point may buy: {verb, hexagon} with step, attack or discover.
function M.points(board, seat, walk)
  local options = {}
  if walk.left <= 0 then
    return options
  end
  for _, there in map.around(board, walk.at) do
    if board.terrain[there] == map.FACE_DOWN then
      if can_end(board, seat, after(walk, walk.at, true)) then
        table.insert(options, { "discover", there })
      end
    elseif not map.is_barred(board, there, seat) then
      if can_enter(board, seat, walk, there, false) then
        table.insert(options, { "step", there })
      end
    elseif walk.first or map.same_element(board, walk.at, there) then
      if strength.attackers_needed(board, seat, there) == 1 then
        table.insert(options, { "attack", there })
      end
    end
  end
  return options
end

local function piece_at(seat, hexagon)
  return the_piece{at = hexagon, owner = seat, kind = kind.prince}
end

--- Adds what the first point of a Prince's move may buy.
function M.add_first_points(options, seat, from)
  local board = map.read(piece_at(seat, from))
  for _, point in M.points(board, seat, begin(board, seat, from)) do
    table.insert(options, { point[1], from, point[2] })
  end
end

-- Attacks on what the Prince can still touch and a second one can join, both over known hexagons.
local function add_joint_attacks(options, board, seat, walk)
  local _, contacts = paths.reach(board, seat, walk.at, walk.left, walk.first)
  for _, target in contacts do
    if strength.attackers_needed(board, seat, target) == 2 then
      for _, second in map.distinct(board.princes[seat]) do
        local _, touched = paths.of_prince(board, seat, second)
        if contains(touched, target) then
          table.insert(options, { "joint-attack", second, target })
        end
      end
    end
  end
end

-- What a Prince in the middle of its walk may do.
local function choices(seat, piece, walk, may_join)
  local board = map.read(piece)
  local options = M.points(board, seat, walk)
  if may_join then
    add_joint_attacks(options, board, seat, walk)
  end
  if can_stop(board, walk) then
    table.insert(options, "stop")
  end
  return options
end

-- Goes to a known hexagon.
local function go(walk, piece, there, found)
  local crosses = not map.same_element(map.read(), walk.at, there)
  move(piece, there)
  local next_walk = after(walk, there, found)
  if crosses then
    next_walk.left = 0
  end
  return next_walk
end

-- Turns up a neighbor, and asks whether to enter it where that is possible.
local function discover(seat, walk, piece, there)
  M.turn_up(seat, there)
  local options = { "stay" }
  if can_enter(map.read(piece), seat, walk, there, true) then
    table.insert(options, 1, "enter")
  end
  if choose(seat, "turn.enter", options, { about = { there, walk.left - 1 } }) == "enter" then
    return go(walk, piece, there, true)
  end
  return after(walk, walk.at, true)
end

--- Lets a Prince walk point by point; the first point is given. Returns its piece and, where the walk ends in an
--- attack, the target and the hexagon of the second attacker.
function M.walk(seat, from, verb, there, may_join)
  local piece = piece_at(seat, from)
  local walk = begin(map.read(piece), seat, from)
  local second = nil
  while verb == "step" or verb == "discover" do
    if verb == "step" then
      walk = go(walk, piece, there, false)
    else
      walk = discover(seat, walk, piece, there)
    end
    if walk.left <= 0 then
      return piece
    end
    local one, two
    verb, one, two = choose(seat, "turn.point", choices(seat, piece, walk, may_join), {
      about = { walk.at, walk.left },
    })
    there = one
    if verb == "joint-attack" then
      second, there = one, two
    end
  end
  if verb == "stop" then
    return piece
  end
  return piece, there, second
end

return M
