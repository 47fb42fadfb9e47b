-- The starting draft: two tiles each, one is kept, one is passed on, and again one is kept. Then the buildings that will
-- stand on it are chosen and laid aside.
local city = import("city/city")
local sites = import("buildings/sites")
local M = {}

--- A seat keeps one of its tiles. Whichever it is, the others see the same.
function M.keep(seat)
  put(choose(seat, "setup.keep", cards(zone.dealt, seat)), zone.kept, seat)
end

--- The tiles that were not kept change hands; each seat chooses again between its two.
function M.pass_on()
  local first, second = seats()[1], seats()[2]
  local passed, received = top(zone.dealt, first), top(zone.dealt, second)
  put(passed, zone.dealt, second)
  put(received, zone.dealt, first)
  for _, seat in seats() do
    put(top(zone.kept, seat), zone.dealt, seat)
  end
end

--- Kept tiles are shown; the others leave the game.
function M.show()
  for _, seat in seats() do
    put(top(zone.dealt, seat), zone.out)
    put(top(zone.kept, seat), zone.extra, seat)
    log("tile-kept", seat, top(zone.extra, seat))
  end
  for _, tile in cards(zone.start_deck) do
    put(tile, zone.out)
  end
end

--- A seat chooses a building for each floor plan of its starting tile and lays it aside.
function M.reserve(seat)
  local tile = top(zone.extra, seat)
  for _, plan in { "house", "mine", "well" } do
    for _ = 1, prop(tile, plan) or 0 do
      local what = choose(seat, "setup.reserve", sites.kinds(seat, plan))
      place(what, seat, city.stand(seat))
    end
  end
end

return M
