-- Setup: banners, decks, who begins, then capital and units of one seat after the other, and the first sovereigns.
local building = import("orders/building")
local deck = import("ages/deck")
local lands = import("map/lands")
local reign = import("kingdoms/reign")
local M = {}

local function raise_banners()
  for _, land in spaces() do
    local lord = prop(land, "lord")
    if lord and playing(lord) then -- mutate: skip, because a third kingdom of another pack may not play
      place(kind.banner, lord, land)
    end
  end
end

-- The highest die begins; equal highest dice are rolled again.
local function find_first()
  local order = seats()
  local best, first = 0, {}
  for _, seat in order do
    local die = roll(6)
    log("die-rolled", seat, die)
    if die > best then
      best, first = die, {}
    end
    if die == best then
      table.insert(first, seat)
    end
  end
  if #first > 1 then
    return find_first()
  end
  return first[1]
end

-- Clockwise from the first player on.
local function seat_order(first)
  local order, before, found = {}, {}, false
  for _, seat in seats() do
    if seat == first then
      found = true
    end
    table.insert(found and order or before, seat)
  end
  for _, seat in before do
    table.insert(order, seat)
  end
  return order
end

local function settle(seat)
  place(building.capital(seat), seat, choose(seat, "setup.capital", lands.of(seat)))
  for _ = 1, get(counter.starting_units) do
    local open = filter(lands.of(seat), function(land) return lands.room(land, seat) > 0 end)
    place(kind.warrior, seat, choose(seat, "setup.unit", open))
  end
end

--- Everything before the first turn.
function M.start()
  raise_banners()
  shuffle(zone.combat_deck)
  deck.build()
  set_order(seat_order(find_first()))
  log("first-player", seats()[1])
  for _, seat in seats() do
    settle(seat)
  end
  for _, seat in seats() do
    reign.crown(seat)
  end
end

return M
