-- The island: dealt from a shuffled stack of tiles under the fog, and shown to all when the last Castle stands.
local castles = import("exploration/castles")
local fog = import("exploration/fog")
local M = {}

-- Everyone sees dice, so the island is not rolled but dealt from a shuffled, closed stack.
local function lay_tiles()
  shuffle(zone.island)
  local stack = cards(zone.island)
  for i, tile in spaces() do
    set(counter.tile, designof(stack[i]), tile)
  end
end

-- Lots are drawn for who begins.
local function draw_lots()
  local order = seats()
  if roll(2) == 2 then
    order = { order[2], order[1] }
  end
  set_order(order)
  log("lots-drawn", order[1])
end

--- Setup: the island, the order of turns, and how long exploration can last.
function M.deal()
  lay_tiles()
  draw_lots()
  local most = count({ kind = kind.castle, owner = seats()[1] })
  set(counter.last_turn, get(counter.building_due) + most - 1)
end

--- All Castles stand: the fog lifts and the points of the Castles are fixed.
function M.reveal()
  fog.lift()
  log("map-revealed")
  castles.fix_points()
end

return M
