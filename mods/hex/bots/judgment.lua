-- The value of a position for a seat, for bots that look one answer ahead.
local map = import("map/board")
local strength = import("battle/strength")
local paths = import("moves/paths")
local network = import("goal/network")
local M = {}

-- What the enemy could beat on its next turn: hexagon -> true.
local function threatened(board, enemy)
  local touched, found = {}, {}
  for _, from in board.princes[enemy] do
    local _, contacts = paths.of_prince(board, enemy, from)
    for _, target in contacts do
      touched[target] = (touched[target] or 0) + 1
    end
  end
  for target, princes in pairs(touched) do
    local needed = strength.attackers_needed(board, enemy, target)
    if needed ~= nil and needed <= princes then
      found[target] = true
    end
  end
  return found
end

-- A Queen on open land next to her realm is about to build.
local function prospect(board, seat, self)
  local here = board.queen[seat]
  if here == nil or board.field[here] ~= nil or board.city[here] ~= nil then
    return 0
  end
  local value = network.field_worth(board, here) * self.site
  for _, there in map.around(board, here) do
    if board.field[there] == seat or board.city[there] == seat then
      return value * 2
    end
  end
  return value
end

local function standing(board, seat, self)
  local value = network.worth(board, seat) * self.linked + #board.princes[seat] * self.prince
  for _, hexagon in board.fields[seat] do
    value = value + network.field_worth(board, hexagon) * self.field
  end
  for i = 1, #board.cities[seat] do
    value = value + (i == 1 and self.city or self["second-city"])
  end
  if board.queen[seat] ~= nil then
    value = value + self.queen
  end
  return value + prospect(board, seat, self)
end

local function danger(board, seat, enemy, self)
  local value = 0
  for target in pairs(threatened(board, enemy)) do
    local pawns = board.pawns[target]
    if pawns ~= nil and pawns.queen then
      value = value + (#board.cities[seat] == 0 and self.doom or self.queen)
    elseif pawns ~= nil then
      value = value + math.floor(pawns.princes * self.prince / 2)
    end
    if board.city[target] == seat then
      value = value + math.floor(self.city / 2)
    end
  end
  return value
end

function M.value(self, value, _, seat)
  local board, enemy = map.read(), map.opponent(seat)
  if enemy == nil then
    return value
  end
  return value + standing(board, seat, self) - standing(board, enemy, self) - danger(board, seat, enemy, self)
end

return M
