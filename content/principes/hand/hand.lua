-- The hand: three uses of a card, the limit, draws, and the windows in which texts may be played.
local M = {}

local DECK_OF_TYPE = { court = "court_deck", battle = "battle_deck", neighbor = "neighbor_deck" }
-- What the backs show. Hands are searched for these whenever a seat may be asked.
local COURT = { type = "court" }
local TRACK_OF_VERB = { ["card-people"] = "people", ["card-clergy"] = "clergy" }

--- Puts a used or unwanted card face down under its own deck.
function M.discard(card)
  local deck = DECK_OF_TYPE[prop(card, "type")]
  if deck then
    put(card, zone[deck])
  end
end

--- Draws up to n cards from the court, battle or neighbor deck. The limit is the caller's business,
--- because a Politics draw ends with a discard.
function M.draw(seat, deck, n)
  local drawn = {}
  for _ = 1, n do
    local card = draw(zone[DECK_OF_TYPE[deck]], nil, zone.hand, seat)
    if card == nil then
      break
    end
    table.insert(drawn, card)
  end
  if #drawn > 0 then
    log("cards-drawn", seat, #drawn, deck)
  end
  return drawn
end

--- Every way to trade a hand card in, as {verb, cards}. `only` may be "support" or "gold".
---@param only? string
function M.exchange_options(seat, only)
  local held = cards(zone.hand, seat)
  local for_gold = { "card-gold", held }
  if only == "gold" then
    return { for_gold }
  end
  local battle_serves = query("hand.battle-support", 0, seat) > 0
  local people, clergy = {}, {}
  for _, card in held do
    local symbol = prop(card, "symbol")
    if prop(card, "type") == "battle" then
      symbol = battle_serves and "either"
    end
    if symbol == "people" or symbol == "either" then
      table.insert(people, card)
    end
    if symbol == "clergy" or symbol == "either" then
      table.insert(clergy, card)
    end
  end
  local for_people, for_clergy = { "card-people", people }, { "card-clergy", clergy }
  if only == "support" then
    return { for_people, for_clergy }
  end
  return { for_gold, for_people, for_clergy }
end

--- Carries out an exchange. For gold the face stays secret; for Support everybody sees it.
function M.exchange(seat, verb, card)
  local track = TRACK_OF_VERB[verb]
  if track then
    reveal(card)
    M.discard(card)
    add(counter[track], 1, seat)
    log("card-for-support", seat, card, track)
  else
    local deck = prop(card, "type")
    M.discard(card)
    add(counter.gold, 1, seat)
    log("card-for-gold", seat, deck)
  end
end

--- Makes the seat cash in cards until the hand fits.
function M.enforce_limit(seat)
  while playing(seat) do
    local limit = query("hand.limit", get(counter.hand_limit), seat)
    if size(zone.hand, seat) <= limit then -- mutate: skip, because without it only time is lost
      return
    end
    local verb, card = choose(seat, "hand.over-limit", function()
      if size(zone.hand, seat) <= query("hand.limit", get(counter.hand_limit), seat) then
        return {}
      end
      return M.exchange_options(seat)
    end, { about = { limit } })
    if verb == nil then
      return
    end
    M.exchange(seat, verb, card)
  end
end

--- Hand cards whose printed time is `timing` and that nothing forbids.
function M.playable(seat, timing)
  return filter(cards(zone.hand, seat, { timing = timing }), function(card)
    local allowed = 1 -- mutate: skip, because only other packs subtract from it
    return query("card.playable", allowed, seat, card) > 0
  end)
end

--- Whether a card of this timing is possible, judged by the backs alone: faces must not decide who is asked.
local function may_hold(seat)
  return size(zone.hand, seat, COURT) > 0
end

--- Plays a card for its text: shown to all, carried out, then under its deck unless the text keeps it.
function M.play(seat, card)
  reveal(card)
  log("card-played", seat, card)
  put(card, zone.played, seat)
  perform(card, "card.play", seat)
  if zoneof(card) == zone.played then
    M.discard(card)
  end
end

--- Every fitting card as an option.
function M.plays(seat, timing)
  return { "play", M.playable(seat, timing) }
end

--- Offers the seat's Court Cards of a timing until the seat passes.
function M.window(seat, timing)
  while may_hold(seat) do
    local verb, card = choose(seat, "hand.window", function()
      return { M.plays(seat, timing) }
    end, { about = { timing }, always = true, pass = true })
    if verb == nil then
      return
    end
    M.play(seat, card)
  end
end

return M
