-- Neighbor Cards: setting a Neighbor's units in motion, and blocking them.
local hand = import("hand/hand")
local march = import("war/march")
local princess = import("princess/princess")
local M = {}

local NEIGHBORS = {
  faction.western_pomerania, faction.eastern_pomerania, faction.german_marches,
  faction.kingdom_of_bohemia, faction.kingdom_of_hungary, faction.rus_fiefdoms,
}

local NEIGHBOR_CARDS = { type = "neighbor" }

--- The home of a Neighbor: its area beyond the map, or its own Pomeranian land.
function M.area(neighbor)
  return prop(neighbor, "area")
end

--- Gold for playing the card to move units.
function M.cost(seat, card)
  return math.max(0, query("neighbor.cost", prop(card, "cost"), seat, card))
end

--- Whether the card is for this Neighbor; a joker is for any.
function M.fits(card, neighbor)
  return prop(card, "type") == "neighbor" and (prop(card, "neighbor") or neighbor) == neighbor
end

--- {"activate", card, neighbor} for every affordable card, without the Neighbors already moved.
function M.activations(seat, moved)
  local options, awake = {}, {}
  local held = cards(zone.hand, seat, NEIGHBOR_CARDS)
  if #held == 0 then -- mutate: skip, because without it only time is lost
    return options
  end
  for _, neighbor in NEIGHBORS do
    -- Units that wait off the map cannot move.
    if not moved[neighbor] and count{owner = neighbor, occupying = true, on = "map"} > 0 then
      table.insert(awake, neighbor)
    end
  end
  local gold = get(counter.gold, seat)
  for _, card in held do
    if M.cost(seat, card) <= gold then
      table.insert(options, { "activate", card, filter(awake, function(neighbor) return M.fits(card, neighbor) end) })
    end
  end
  return options
end

--- Lands where units moved by `mover` may not end; a Neighbor also spares its guest's lands.
function M.forbidden(mover, neighbor)
  local lands = spaces{controller = mover}
  if neighbor then
    for _, guest in princess.guests(M.area(neighbor)) do
      for _, land in spaces{controller = guest} do
        table.insert(lands, land)
      end
    end
  end
  return lands
end

-- Whether a block is possible, judged by the backs alone.
local function may_block(seat)
  return size(zone.hand, seat, NEIGHBOR_CARDS) > 0
end

-- The seats after the mover, in the set order.
local function others_after(mover)
  local order, before, after, passed = seats(), {}, {}, false
  for _, seat in order do
    if seat == mover then
      passed = true
    else
      table.insert(passed and after or before, seat)
    end
  end
  for _, seat in before do
    table.insert(after, seat)
  end
  return after
end

-- One seat plays any number of fitting cards against the move.
local function block(seat, mover, neighbor, used)
  while may_block(seat) do
    local verb, card = choose(seat, "neighbors.block", function()
      local fitting = filter(cards(zone.hand, seat), function(card) return M.fits(card, neighbor) end)
      return { { "block", fitting } }
    end, { about = { neighbor, mover }, always = true, pass = true })
    if verb == nil then
      return
    end
    reveal(card)
    put(card, zone.played, seat)
    table.insert(used, card)
    add(counter.blocked_knights, prop(card, "knights"))
    add(counter.blocked_footmen, prop(card, "footmen"))
    log("neighbor-blocked", seat, neighbor, card)
  end
end

--- Plays the card to move units of the Neighbor: cost, blocks, move, battles.
function M.activate(seat, card, neighbor)
  local blocks = {}
  reveal(card)
  put(card, zone.played, seat)
  lose(counter.gold, M.cost(seat, card), seat)
  log("neighbor-activated", seat, neighbor, card)

  -- Blocks of cards and of Princes add up in counters; the mover names no land before they are over.
  for _, other in others_after(seat) do
    block(other, seat, neighbor, blocks)
  end
  trigger("neighbor.blocked", seat, neighbor)

  local knights = pieces{owner = neighbor, kind = kind.knight, on = "map"}
  local footmen = pieces{owner = neighbor, kind = kind.footman, on = "map"}
  local knight_limit = math.min(#knights, math.max(0, prop(card, "knights") - get(counter.blocked_knights)))
  local footman_limit = math.min(#footmen, math.max(0, prop(card, "footmen") - get(counter.blocked_footmen)))
  set(counter.blocked_knights, 0)
  set(counter.blocked_footmen, 0)
  log("neighbor-movable", neighbor, knight_limit, footman_limit)
  local movable = knights
  for _, footman in footmen do
    table.insert(movable, footman)
  end
  local result = move_units{
    mover = seat,
    pieces = movable,
    limits = { [kind.knight] = knight_limit, [kind.footman] = footman_limit },
    forbid = M.forbidden(seat, neighbor),
    source = card,
  }
  march.after(result, seat)
  for _, played in blocks do
    hand.discard(played)
  end
  hand.discard(card)
end

return M
