-- Points that come from where things lie: production lines, wells, watchtowers, distant buildings, colors, holes.
local city = import("city/city")
local M = {}

local WELL, SPACING, DISTANT, HOLE = 2, 5, -6, -2
local COLORS = { "green", "white", "gray", "black" }
local GROUPS = { 0, 0, 1, 2, 5, 10, 15, 20 }
local ALONE = -2

-- Whether buildings of two kinds stand next to each other, or on one tile.
local function touch(where, one, other)
  for _, cell in where[one] or {} do
    for _, next in where[other] or {} do
      if city.is_near(cell, next) then
        return true
      end
    end
  end
  return false
end

--- The cells of the buildings of a seat, by kind.
function M.where(seat)
  local cells = {}
  for _, piece in city.buildings(seat) do
    local what = kindof(piece)
    cells[what] = cells[what] or {}
    table.insert(cells[what], at(piece))
  end
  return cells
end

--- Trios and pairs of production lines. A pair counts if it is not part of a trio.
function M.lines(where, report)
  local pairs_seen, in_trio = {}, {}
  for _, line in cards(zone.lines) do
    local a, b, c = prop(line, "first"), prop(line, "second"), prop(line, "third")
    local first = touch(where, a, b)
    local second = touch(where, b, c)
    if first and second then
      report("trio", param(line, "trio"), line)
      table.insert(in_trio, { a, b })
      table.insert(in_trio, { b, c })
    end
    if first then
      table.insert(pairs_seen, { a, b, param(line, "pair") })
    end
    if second then
      table.insert(pairs_seen, { b, c, param(line, "pair") })
    end
  end
  local function is_among(list, pair)
    return #filter(list, function(other) return other[1] == pair[1] and other[2] == pair[2] end) > 0
  end
  local counted = {}
  for _, pair in pairs_seen do
    if not is_among(in_trio, pair) then
      if not is_among(counted, pair) then -- mutate: skip, because only lines of other packs have a pair in common
        table.insert(counted, pair)
        report("pair", pair[3], pair[1], pair[2])
      end
    end
  end
end

--- Buildings that are worth more beside a well.
function M.wells(where, report)
  for what, cells in where do
    if has(what, "thirsty") and touch(where, what, kind.water_well) then
      report("watered", WELL, what, cells[1])
    end
  end
end

-- Whether two cells have exactly one space between them, with a tile on it.
local function is_spaced(one, other)
  if city.is_near(one, other) then
    return false
  end
  for _, between in neighbors(one) do
    if laid(between) and contains(neighbors(between), other) then
      return true
    end
  end
  return false
end

--- Watchtowers with another one a tile away.
function M.towers(where, report)
  local towers = where[kind.watchtower] or {}
  for _, tower in towers do
    for _, other in towers do
      if is_spaced(tower, other) then
        report("spaced", SPACING, tower, other)
        break
      end
    end
  end
end

--- Buildings to which no way over own tiles leads.
function M.distant(seat, where, report)
  local near = reach{root = city.palace(seat), network = "road", owner = seat}
  for what, cells in where do
    for _, cell in cells do
      if cell ~= city.ISLAND and not contains(near, cell) then
        report("distant", DISTANT, what, cell)
      end
    end
  end
end

-- Of the two colors of a tile, the other one; nil if it has one only.
local function other_color(tile, color)
  for _, other in COLORS do
    if other ~= color and has(tile, other) then
      return other
    end
  end
  return nil
end

-- Whether an own tile of a color lies beside a cell.
local function has_companion(seat, cell, color)
  for _, next in neighbors(cell) do
    if city.owner_at(next) == seat and city.carries(next, color) then
      return true
    end
  end
  return false
end

--- Groups of own tiles of one color. A tile of two colors is alone if it is so in both, and once.
function M.colors(seat, report)
  local alone = {}
  for _, color in COLORS do
    for _, group in groups{prop = color, owner = seat} do
      if #group > 1 then
        local points = GROUPS[math.min(#group, #GROUPS)]
        if points ~= 0 then
          report("group", points, color, #group)
        end
      elseif not contains(alone, group[1]) then
        local other = other_color(laid(group[1]), color)
        if other == nil or not has_companion(seat, group[1], other) then
          table.insert(alone, group[1])
          report("alone", ALONE, color, group[1])
        end
      end
    end
  end
end

-- The seat whose tiles alone enclose an area, water aside; nil if there are several or none.
local function encloser(area)
  local found = nil
  for _, cell in area do
    for _, next in neighbors(cell) do
      local tile, seat = laid(next), city.owner_at(next)
      if seat then
        local family = prop(tile, "family")
        if family ~= "sea" and family ~= "river" then
          if found and found ~= seat then
            return nil
          end
          found = seat
        end
      end
    end
  end
  return found
end

--- Empty spaces that a seat encloses, alone or together with water.
function M.holes(seat, report)
  for _, area in enclosed() do
    if encloser(area) == seat then
      report("enclosed", HOLE * #area, #area, area[1])
    end
  end
end

return M
