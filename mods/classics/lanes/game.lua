-- Lanes: two neighbors lay tiles. The kernel lists where a tile fits; this file values lanes and orchards.
local M = {}

local SIDES, HAND = 4, 2
local MIDDLE = space.e5

--- The village green lies in the middle; each seat draws its first tiles.
function M.setup()
  lay(top(zone.green), MIDDLE, 0, zone.green)
  shuffle(zone.bag)
  for _, seat in seats() do
    for _ = 1, HAND do
      draw(zone.bag, nil, zone.hand, seat)
    end
  end
end

-- How many of these cells each seat has tiles on.
local function shares(cells)
  local own = { [faction.moss] = 0, [faction.flint] = 0 }
  for _, cell in cells do
    local _, seat = zoneof(laid(cell))
    if seat then
      own[seat] = own[seat] + 1
    end
  end
  return own
end

-- The seat with more of these tiles; nil if both have as many.
local function leader(cells)
  local own = shares(cells)
  local moss, flint = own[faction.moss], own[faction.flint]
  if moss == flint then
    return nil
  end
  return moss > flint and faction.moss or faction.flint
end

-- A finished lane scores its length for the seat that has laid more of it, or half of that for both.
local function reward(lane)
  local length, seat = #lane, leader(lane)
  if seat then
    add(counter.points, length, seat)
    log("lane", seat, length)
  else
    for _, each in seats() do
      add(counter.points, math.floor(length / 2), each)
    end
    log("shared-lane", math.floor(length / 2))
  end
end

local function same(a, b)
  if #a ~= #b then
    return false
  end
  for n, cell in a do
    if b[n] ~= cell then
      return false
    end
  end
  return true
end

-- The lanes through a cell that have no open ends left.
local function finished(cell)
  local found = {}
  for side = 0, SIDES - 1 do
    if edge(cell, side) == "lane" and open_ends{root = cell, network = "lane", side = side} == 0 then
      local lane = reach{root = cell, network = "lane", side = side}
      local is_new = true
      for _, known in found do
        is_new = is_new and not same(known, lane)
      end
      if is_new then
        table.insert(found, lane)
      end
    end
  end
  return found
end

--- One turn: lay a tile of the hand where it fits, score finished lanes, draw a tile.
function M.turn(seat)
  local function tiles()
    return lay_tiles{zone = zone.hand, owner = seat, seat = seat}
  end
  if #tiles() == 0 then
    log("stuck", seat)
    return
  end
  local card = choose(seat, "tile", tiles)
  local cell = choose(seat, "cell", lay_spaces{tile = card, seat = seat})
  local turn = choose(seat, "rotation", lay_rotations{tile = card, space = cell, seat = seat}, { about = { card, cell } })
  lay(card, cell, turn, zone.land, seat)
  for _, lane in finished(cell) do
    reward(lane)
  end
  draw(zone.bag, nil, zone.hand, seat)
end

--- A mill needs wind: it may not touch another one.
function M.keep_mills_apart(self, value, owner, card, cell, seat)
  if has(card, "mill") then
    for _, next in neighbors(cell) do
      local other = laid(next)
      if other and has(other, "mill") then
        return 1
      end
    end
  end
  return value
end

-- What the orchards of a seat are worth: each group the square of its size.
local function orchards(seat)
  local worth = 0
  for _, group in groups{prop = "orchard", owner = seat} do
    worth = worth + #group * #group
  end
  return worth
end

-- How many enclosed empty cells touch tiles of a seat.
local function waste(seat)
  local cells = 0
  for _, hole in enclosed() do
    for _, cell in hole do
      local around = filter(neighbors(cell), function(next)
        return laid(next) ~= nil
      end)
      if shares(around)[seat] > 0 then
        cells = cells + 1
      end
    end
  end
  return cells
end

--- The end: orchards and waste count, and the seat with more points wins.
function M.count()
  for _, seat in seats() do
    local worth, lost = orchards(seat), waste(seat)
    add(counter.points, worth - lost, seat)
    log("counted", seat, worth, lost)
  end
  local moss, flint = get(counter.points, faction.moss), get(counter.points, faction.flint)
  if moss == flint then
    draw_game("level")
  else
    win(moss > flint and faction.moss or faction.flint, "points")
  end
end

--- For bots: points, what the orchards are worth, and lanes that the seat leads.
function M.value(self, value, owner, seat)
  local rival = others(seat)[1]
  local lanes = 0
  for _, lane in components{network = "lane"} do
    local first = leader(lane)
    if first then
      lanes = lanes + (first == seat and #lane or -#lane)
    end
  end
  local points = get(counter.points, seat) - get(counter.points, rival)
  local fruit = orchards(seat) - orchards(rival)
  return value + self.point * points + self.lane * lanes + self.orchard * fruit
end

--- For tuning bots: logs the value of a position for a seat.
function M.tell(seat)
  log("judged", seat, query("bot.value", 0, seat))
end

return M
