-- The starting world: the island in its sea, and for each city a river, a bridge, a house and the palace.
local city = import("city/city")
local founding = import("buildings/founding")
local M = {}

-- For each seat: the design, the cell and the rotation of what it lays, from the sea to the land.
local RIVERS = { [faction.rosso] = { space.t16, 1 }, [faction.giallo] = { space.l16, 4 } }
local ARMS = {
  [faction.rosso] = {
    { design.narrow_mouth, space.r16, 4 },
    { design.mirror_bridge_tile, space.s16, 0 },
    { design.y_house, space.s15, 0 },
    { design.corner_castle, space.r15, 0 },
  },
  [faction.giallo] = {
    { design.narrow_mouth, space.n16, 1 },
    { design.mirror_bridge_tile, space.m16, 3 },
    { design.y_house, space.m17, 3 },
    { design.corner_castle, space.n17, 3 },
  },
}

-- The copies are divided between the two sets. A tile that belongs to a faction goes to its set.
local function deal_sets()
  local next, lords = 1, seats()
  for _, tile in cards(zone.box) do
    put(tile, zone.set, prop(tile, "faction") or lords[next]) -- mutate: skip, because only other packs make sets unequal
    next = 3 - next
  end
end

local function find(where, owner, what)
  for _, tile in cards(where, owner, { family = prop(what, "family") }) do
    if designof(tile) == what then
      return tile
    end
  end
  return error("the box lacks a tile of the starting world")
end

local function lay_sea()
  lay(find(zone.box, nil, design.victoria_island), city.ISLAND, 0, zone.common)
  for _, cell in neighbors(city.ISLAND) do
    lay(find(zone.box, nil, design.sea_tile), cell, 0, zone.common)
  end
end

local function lay_arm(seat)
  for _, part in ARMS[seat] do
    lay(find(zone.set, seat, part[1]), part[2], part[3], zone.land, seat)
  end
  place(kind.prince_palace, seat, ARMS[seat][4][2])
  founding.found(seat, kind.bridge, ARMS[seat][2][2])
end

--- Everything before the draft.
function M.start()
  lay_sea()
  deal_sets()
  for _, seat in seats() do
    lay_arm(seat)
  end
  set(counter.starter, seats()[get(counter.starting_city)])
  shuffle(zone.start_deck)
  for _, seat in seats() do
    for _ = 1, 2 do
      draw(zone.start_deck, nil, zone.dealt, seat)
    end
  end
end

--- A seat lays its river, straight or through a forest.
function M.river(seat)
  local what = choose(seat, "setup.river", { design.straight_river, design.forest_river })
  local place = RIVERS[seat]
  lay(find(zone.set, seat, what), place[1], place[2], zone.land, seat)
end

return M
