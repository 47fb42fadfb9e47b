-- The deck of Ages: kingdom bonus cards first, then the End of Times; what lies below is for the scoring.
local gold = import("orders/gold")
local M = {}

-- The owner of a card that another has drawn may take its gold, once in a game.
local function claim(seat, card)
  if get(counter.claim_used, seat) == 0 and gold.has_room(seat)
    and confirm(seat, "bonus.claim", { about = { card, param(card, "coins") }, source = card }) then
    set(counter.claim_used, 1, seat)
    log("gold-claimed", seat, card)
    return gold.gain(seat, param(card, "coins"))
  end
  return 0
end

-- A kingdom bonus card goes to its kingdom, its gold to the seat that drew it.
local function hand_out(seat, card)
  local lord = prop(card, "faction")
  put(card, zone.bonus, lord)
  log("bonus-drawn", seat, card, lord)
  local coins = param(card, "coins")
  if lord ~= seat then
    coins = coins - claim(lord, card)
  end
  gold.gain(seat, coins)
end

--- Lays out the deck of Ages in its three layers.
function M.build()
  local players = #seats()
  for _, card in cards(zone.events) do
    if prop(card, "players") > players then
      reveal(card)
      put(card, zone.box)
    end
  end
  for _, layer in { zone.bonus_cards, zone.events, zone.destiny } do
    shuffle(layer)
  end
  for _ = 1, #cards(zone.bonus_cards) do
    draw(zone.bonus_cards, nil, zone.ages, nil)
  end
  set(counter.events_left, 2 * players + 2)
  for _ = 1, get(counter.events_left) do
    draw(zone.events, nil, zone.ages, nil)
  end
  while draw(zone.destiny, nil, zone.ages, nil) do end
end

-- The last card of the End of Times: from now on war and orders are one.
local function last_war(seat)
  set(counter.last_war, 1)
  set(counter.final_player, seat)
  log("last-war", seat)
end

--- Phase B: the top card of the deck of Ages, while any but destiny is left.
function M.draw(seat)
  local card = top(zone.ages)
  if card == nil or prop(card, "type") == "destiny" then
    log("no-card-left", seat)
    return
  end
  reveal(card)
  if prop(card, "type") == "bonus" then
    hand_out(seat, card)
    return
  end
  put(card, zone.event_discard)
  add(counter.events_left, -1)
  log("event-drawn", seat, card)
  if get(counter.events_left) == 0 then
    last_war(seat)
  end
  perform(card, "event.resolve", seat)
end

return M
