-- The complete list of legal actions. Nothing else is possible.
local map = import("map/board")
local strength = import("battle/strength")
local paths = import("moves/paths")
local discovery = import("discovery/discovery")
local M = {}

local function add_buildings(options, board, seat)
  local here = board.queen[seat]
  if here == nil or board.city[here] ~= nil or board.field[here] ~= nil then
    return
  end
  if count{owner = seat, kind = kind.field, on = "pool"} > 0 then
    table.insert(options, "build-field")
  end
  if count{owner = seat, kind = kind.city, on = "pool"} > 0 then
    table.insert(options, "build-city")
  end
end

local function add_castling(options, board, seat)
  if board.queen[seat] == nil then
    return
  end
  for _, prince in map.distinct(board.princes[seat]) do
    if paths.can_castle(board, seat, prince) then
      table.insert(options, { "castle", prince })
    end
  end
end

-- One option for each end. Without ends, there is none, so the length of the list tells whether an action is possible.
local function add_ends(options, from, ends)
  if #ends > 0 then
    table.insert(options, { "move", from, ends })
  end
end

local function add_queen_moves(options, board, seat)
  if board.queen[seat] ~= nil then
    add_ends(options, board.queen[seat], paths.of_queen(board, seat))
  end
end

local function add_prince_moves(options, board, seat, from)
  if get(counter.blank_map) == 1 then
    -- With hexagons to turn up a Prince goes point by point.
    discovery.add_first_points(options, seat, from)
    return
  end
  local ends, contacts = paths.of_prince(board, seat, from)
  add_ends(options, from, ends)
  for _, target in contacts do
    if strength.attackers_needed(board, seat, target) == 1 then
      table.insert(options, { "attack", from, target })
    end
  end
end

-- Two Princes who can both reach a target that is too strong for one of them but not for both.
local function add_joint_attacks(options, board, seat)
  local princes, touched, offered = board.princes[seat], {}, {}
  for i, from in princes do
    local _, contacts = paths.of_prince(board, seat, from)
    touched[i] = contacts
  end
  for i = 1, #princes do
    for j = i + 1, #princes do
      for _, target in touched[i] do
        local name = idof(princes[i]) .. idof(princes[j]) .. idof(target)
        if
          contains(touched[j], target)
          and not offered[name]
          and strength.attackers_needed(board, seat, target) == 2
        then
          offered[name] = true
          table.insert(options, { "joint-attack", princes[i], princes[j], target })
        end
      end
    end
  end
end

local function add_regenerations(options, board, seat)
  local standing = #board.princes[seat]
  local missing = standing < count{owner = seat, kind = kind.prince}
  local lost = get(counter.lost_princes, seat) > 0 or get(counter.regenerate_any) == 1
  if missing and lost and #board.fields[seat] > standing then
    for _, city in board.cities[seat] do
      if board.pawns[city] == nil then
        table.insert(options, { "regenerate-prince", city })
      end
    end
  end
  if board.queen[seat] ~= nil then
    return
  end
  for _, prince in map.distinct(board.princes[seat]) do
    for _, city in board.cities[seat] do
      local pawns = board.pawns[city]
      if pawns == nil or city == prince and pawns.princes == 1 then
        table.insert(options, { "regenerate-queen", prince, city })
      end
    end
  end
end

-- Pawn moves that are open to a seat, without the pawn that stands on `moved`. One of a pair may have looked around and
-- stayed: then the other is free to go.
local function add_moves(options, board, seat, moved)
  if board.queen[seat] ~= moved then
    add_queen_moves(options, board, seat)
  end
  for _, from in map.distinct(board.princes[seat]) do
    if from ~= moved or board.pawns[from].princes == 2 then
      add_prince_moves(options, board, seat, from)
    end
  end
end

--- Everything that a seat may do on its turn, and whether it may pass.
function M.actions(seat)
  local board, options = map.read(), {}
  add_buildings(options, board, seat)
  add_castling(options, board, seat)
  add_moves(options, board, seat, nil)
  add_joint_attacks(options, board, seat)
  add_regenerations(options, board, seat)
  -- A pass answered by a pass forces the first passer to act, if there is anything to do.
  return options, get(counter.passes) < 2 or #options == 0
end

--- How a move action may continue after one pawn has ended its move on `moved`.
function M.second_moves(seat, moved)
  local options = {}
  add_moves(options, map.read(), seat, moved)
  table.insert(options, "done")
  return options
end

return M
