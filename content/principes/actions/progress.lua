-- Progress: tiles from the Market to the board, swaps, and the refilled Market.
local calendar = import("round/calendar")
local hand = import("hand/hand")
local M = {}

local COLORS = { "green", "yellow", "blue", "rose", "brown", "gray" }

local MARKET, STACK = {}, {}
for _, color in COLORS do
  MARKET[color], STACK[color] = zone["market_" .. color], zone["stack_" .. color]
end

-- Slots that a tile itself opens in every color (prop, so that it counts before the tile is live).
local function opens(tile)
  return prop(tile, "slots") or 0
end

--- The six colors in the order of the board.
function M.colors()
  return COLORS
end

--- The seat's tiles by color.
function M.board(seat)
  local board = {}
  for _, color in COLORS do
    board[color] = {}
  end
  for _, tile in cards(zone.tiles, seat) do
    table.insert(board[prop(tile, "color")], tile)
  end
  return board
end

-- Swaps happen only in a full color, which would be over-full at once if the tile that opens a slot left for less.
local function may_leave(old, new)
  return opens(new) >= opens(old)
end

--- What the seat may do with the Market now: {"take", tiles} and {"swap", tile, owned tiles}.
--- Tiles that were swapped back during this action cannot be taken.
function M.offers(seat)
  local board, owned = M.board(seat), {}
  local printed, swaps = get(counter.tile_slots), get(counter.swaps)
  local fitting = {}
  local offers = { { "take", fitting } }
  for _, color in COLORS do
    local slots, mine = query("tiles.slots", printed, seat, color), board[color]
    for _, tile in mine do
      owned[designof(tile)] = true
    end
    for _, tile in cards(MARKET[color]) do
      local returned = swaps > 0 -- mutate: skip, because without it only time is lost
        and get(counter.swapped_back, tile) > 0
      if not owned[designof(tile)] and not returned then
        if #mine < slots + opens(tile) then
          table.insert(fitting, tile)
        else
          table.insert(offers, { "swap", tile, filter(mine, function(old) return may_leave(old, tile) end) })
        end
      end
    end
  end
  return offers
end

--- Lays a Market tile on the board; `old`, if any, takes its place in the Market.
function M.take(seat, tile, old)
  if old then
    put(old, MARKET[prop(old, "color")])
    set(counter.swapped_back, 1, old)
    add(counter.swaps, 1)
    log("tile-swapped", seat, old, tile)
  else
    log("tile-taken", seat, tile)
  end
  put(tile, zone.tiles, seat)
  trigger("tiles.placed", seat, tile)
  if old then
    -- What left may have widened the hand.
    hand.enforce_limit(seat)
  end
end

--- Asks for one tile; returns false if the seat stops.
---@param source? Card
function M.take_one(seat, decision, about, source)
  local verb, tile, old = choose(seat, decision, function()
    local options = M.offers(seat)
    table.insert(options, "done")
    return options
  end, { about = about, source = source })
  if verb ~= "take" and verb ~= "swap" then
    return false
  end
  M.take(seat, tile, old)
  return true
end

-- The last tile of a color's Market of which another one lies there.
local function twin(color)
  local seen, found = {}, nil
  for _, tile in cards(MARKET[color]) do
    if seen[designof(tile)] then
      found = tile
    end
    seen[designof(tile)] = true
  end
  return found
end

-- One of two identical face-up tiles makes room for the next of its stack, while there is one.
local function separate(color)
  local tile, tries = twin(color), size(STACK[color])
  while tile and tries > 0 do
    put(tile, STACK[color])
    draw(STACK[color], nil, MARKET[color], nil)
    tile, tries = twin(color), tries - 1
  end
end

-- The Progress Action is over: what was swapped back can be taken again. All of that still lies in the Market.
local function forget_swaps()
  if get(counter.swaps) == 0 then
    return
  end
  for _, color in COLORS do
    for _, tile in cards(MARKET[color]) do
      set(counter.swapped_back, 0, tile)
    end
  end
  set(counter.swaps, 0)
end

--- Fills every gap of the Market from the stacks.
function M.refill()
  forget_swaps()
  local wanted = get(counter.market_size)
  for _, color in COLORS do
    for _ = size(MARKET[color]) + 1, wanted do
      draw(STACK[color], nil, MARKET[color], nil)
    end
    separate(color)
  end
end

--- Shuffles the stacks and lays out the first Market.
function M.lay_out_market()
  for _, color in COLORS do
    shuffle(STACK[color])
  end
  M.refill()
end

function M.action(seat)
  local left = query("progress.limit", calendar.period(), seat)
  while left > 0 and M.take_one(seat, "progress.tile", { left }) do
    left = left - 1
  end
  trigger("progress.extra", seat)
  M.refill()
end

return M
