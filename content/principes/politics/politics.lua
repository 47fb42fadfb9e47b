-- Politics: Neighbor Cards first, then either a draw of Court and Neighbor Cards or a Council.
local hand = import("hand/hand")
local council = import("politics/council")
local neighbors = import("neighbors/neighbors")
local M = {}

-- Every mix of n cards from the two decks, as {"draw", court, neighbor}.
local function mixes(n)
  local list = {}
  for court = n, 0, -1 do
    table.insert(list, { "draw", court, n - court })
  end
  return list
end

-- A deck that runs out may be made up for from the other one; settled before any face is seen.
local function make_up(seat, court, neighbor)
  local court_left, neighbor_left = size(zone.court_deck), size(zone.neighbor_deck)
  local from_court, from_neighbor = math.min(court, court_left), math.min(neighbor, neighbor_left)
  local spare_neighbor = math.min(court - from_court, neighbor_left - from_neighbor)
  local spare_court = math.min(neighbor - from_neighbor, court_left - from_court)
  if spare_neighbor + spare_court > 0
    and confirm(seat, "politics.other-deck", { about = { spare_neighbor + spare_court } }) then
    from_court, from_neighbor = from_court + spare_court, from_neighbor + spare_neighbor
  end
  return from_court, from_neighbor
end

--- Puts `n` of the drawn cards that are still in hand under their decks, the seat choosing.
function M.return_cards(seat, drawn, n)
  for _ = 1, n do
    -- Asked about a single card, too: the seat looks at it before it goes back.
    local card = choose(seat, "politics.return", function()
      return filter(drawn, function(card)
        return zoneof(card) == zone.hand
      end)
    end, { always = true })
    if card == nil then
      return
    end
    local deck = prop(card, "type")
    hand.discard(card)
    log("card-returned", seat, deck)
  end
end

--- Draws the mix, returns what the action demands, and keeps the hand within its limit.
function M.draw(seat, court, neighbor)
  local from_court, from_neighbor = make_up(seat, court, neighbor)
  local drawn = hand.draw(seat, "court", from_court)
  for _, card in hand.draw(seat, "neighbor", from_neighbor) do
    table.insert(drawn, card)
  end
  M.return_cards(seat, drawn, math.min(#drawn, get(counter.politics_returned)))
  hand.enforce_limit(seat)
end

function M.action(seat)
  -- Each Neighbor can be set in motion once before one Politics Action.
  local moved = {}
  while playing(seat) do
    local verb, a, b = choose(seat, "politics.step", function()
      local options = neighbors.activations(seat, moved)
      for _, mix in mixes(get(counter.politics_cards)) do
        table.insert(options, mix)
      end
      table.insert(options, "council")
      table.insert(options, "done")
      return options
    end)
    if verb == "activate" then
      moved[b] = true
      neighbors.activate(seat, a, b)
    elseif verb == "draw" then
      M.draw(seat, a, b)
      return
    elseif verb == "council" then
      council.hold(seat)
      return
    else
      return
    end
  end
end

return M
