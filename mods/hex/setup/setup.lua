-- Six steps of laying hexagons, then the pawns.
local map = import("map/board")
local discovery = import("discovery/discovery")
local M = {}

-- Who lays in which step; hexagons carry the step in which they are laid.
local STEPS = { "a", "b", "c", "d", "e", "f" }

-- Lays a hexagon; on a blank map face down, unless somebody starts on it.
local function lay(seat, hexagon, card)
  local hidden = discovery.face_down_zone(hexagon)
  if get(counter.blank_map) == 1 and hidden ~= nil then
    put(card, hidden)
    log("laid-face-down", seat, hexagon)
    return
  end
  put(card, zone.map)
  set(counter.terrain, prop(card, "terrain"), hexagon)
  log("laid", seat, hexagon, card)
end

local function places(step, seat)
  return filter(spaces(), function(hexagon)
    return prop(hexagon, "step") == step and prop(hexagon, "laid-by") == seat
  end)
end

-- Both Queens stand on plains that never go into the stock.
local function lay_queen_plains()
  for _, hexagon in spaces{prop = "queen-start"} do
    for _, card in cards(zone.stock) do
      if prop(card, "terrain") == map.PLAIN then
        lay(prop(hexagon, "laid-by"), hexagon, card)
        break
      end
    end
  end
end

-- Chance lays the hexagons: whatever comes next from the stock.
local function lay_from_stock(seat, open)
  for _, hexagon in open do
    lay(seat, hexagon, top(zone.stock))
  end
end

-- The player looks at as many drawn hexagons as there are places, and arranges them.
local function arrange(seat, open)
  for _ = 1, #open do
    draw(zone.stock, nil, zone.drawn, seat)
  end
  for _, hexagon in open do
    lay(seat, hexagon, choose(seat, "setup.arrange", cards(zone.drawn, seat), { about = { hexagon } }))
  end
end

local function lay_step(step)
  local lay_open = step == "a" and get(counter.arrange_hexagons) == 1 and arrange or lay_from_stock
  for _, seat in seats() do
    local open = filter(places(step, seat), function(hexagon) return not has(hexagon, "queen-start") end)
    if #open > 0 then
      lay_open(seat, open)
      log("step-laid", step, seat, #open, size(zone.stock))
    end
  end
end

local function place_pawns()
  for _, hexagon in spaces() do
    if has(hexagon, "queen-start") then
      place(kind.queen, prop(hexagon, "laid-by"), hexagon)
    elseif has(hexagon, "prince-start") then
      place(kind.prince, prop(hexagon, "laid-by"), hexagon)
    end
  end
end

function M.start()
  lay_queen_plains()
  shuffle(zone.stock)
  for _, step in STEPS do
    lay_step(step)
  end
  place_pawns()
end

return M
