-- Combat cards: the deck, the hand with its limit, and the cards that lie apart from it.
local lands = import("map/lands")
local M = {}

-- Makes sure that a card can be drawn. False if deck and discard are both empty.
local function refill()
  if size(zone.combat_deck) > 0 then
    return true
  end
  while draw(zone.combat_discard, nil, zone.combat_deck, nil) do end
  shuffle(zone.combat_deck)
  return size(zone.combat_deck) > 0
end

--- Puts the top card of the deck into a zone of the seat; nil if there is no card.
function M.deal(seat, place_of_cards)
  if refill() then
    return draw(zone.combat_deck, nil, place_of_cards, seat)
  end
end

--- Turns the top card of the deck for nobody in particular; nil if there is no card.
function M.turn()
  if refill() then
    local card = top(zone.combat_deck)
    reveal(card)
    put(card, zone.combat_discard)
    log("card-turned", card)
    return card
  end
end

--- How many cards a hand may hold.
function M.limit(seat)
  return get(counter.hand_limit) + #lands.with(kind.library, seat)
end

-- Puts cards away until another one fits.
local function make_room(seat)
  while size(zone.hand, seat) >= M.limit(seat) do
    local card = choose(seat, "hand.discard", cards(zone.hand, seat), { always = true })
    reveal(card)
    put(card, zone.combat_discard)
    log("card-discarded", seat, card)
  end
end

--- Draws a combat card into the hand. At the limit another one goes first.
function M.draw(seat)
  make_room(seat)
  if M.deal(seat, zone.hand) then
    log("card-drawn", seat)
  end
end

--- Draws cards that lie apart from the hand.
function M.draw_apart(seat, place_of_cards, n)
  for _ = 1, n do
    if M.deal(seat, place_of_cards) then
      log("card-set-apart", seat)
    end
  end
end

--- Cards of the seat that can be played in a battle.
function M.playable(seat)
  local list = cards(zone.hand, seat)
  for _, place_of_cards in { zone.apart, zone.command } do
    for _, card in cards(place_of_cards, seat) do
      table.insert(list, card)
    end
  end
  return list
end

return M
