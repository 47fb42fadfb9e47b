-- Setup that the entity files do not declare.
local hand = import("hand/hand")
local progress = import("actions/progress")
local rounds = import("round/rounds")
local M = {}

local PRINCIPALITIES = { faction.polonia_maior, faction.masovia, faction.polonia_minor, faction.silesia }
-- Who receives the Princeps Token: the first of these that somebody leads.
local PRINCEPS_AT_START = { faction.polonia_minor, faction.polonia_maior, faction.silesia, faction.masovia }
local PERIODS = 3
local HISTORY_CARDS_PER_PERIOD = 2

local function first_led(candidates)
  for _, candidate in candidates do
    if led(candidate) then
      return candidate
    end
  end
end

-- A neutral Principality has no board: its Princes and Action Tokens stay in the box.
local function box_up(principality)
  for _, place in { zone.heirs, zone.tokens } do
    for _, card in cards(place, principality) do
      put(card, zone.box)
    end
  end
end

local function crown_first_prince(seat)
  local candidates = filter(cards(zone.heirs, seat), function(prince) return prop(prince, "period") == 1 end)
  local prince = choose(seat, "setup.prince", candidates)
  if prince then
    put(prince, zone.reigning, seat)
    log("prince-reigns", seat, prince)
  end
end

local function stack_history()
  shuffle(zone.history_box)
  local all = cards(zone.history_box)
  for period = 1, PERIODS do
    local missing = HISTORY_CARDS_PER_PERIOD
    for _, card in all do
      if prop(card, "period") == period then
        if missing > 0 then
          put(card, zone.history_deck)
          missing = missing - 1
        else
          put(card, zone.history_out)
        end
      end
    end
  end
end

-- The tiles are used only if there is a neutral Principality.
local function deal_combined_tiles(order)
  if get(counter.active_variant) == 0 or #order == #PRINCIPALITIES then
    return
  end
  for _, seat in order do
    local left = filter(cards(zone.box), function(card) return prop(card, "type") == "combined" end)
    local tile = choose(seat, "setup.combined-tile", left)
    if tile then
      put(tile, zone.combined, seat)
    end
  end
end

-- Nobody can be eliminated, so the card that prevents it is useless (PR-DYN-28).
local function box_up_heir()
  if get(counter.no_elimination) == 0 then
    return
  end
  for _, card in cards(zone.court_deck) do
    if prop(card, "timing") == "last-prince" then
      put(card, zone.box)
    end
  end
end

function M.start()
  box_up_heir()
  for _, principality in PRINCIPALITIES do
    if not led(principality) then
      box_up(principality)
    end
  end
  for _, deck in { zone.court_deck, zone.battle_deck, zone.neighbor_deck } do
    shuffle(deck)
  end
  stack_history()
  progress.lay_out_market()
  for _, land in spaces{prop = "divided"} do
    if led(home(land)) then
      place(kind.division, nil, land)
    end
  end

  local princeps = first_led(PRINCEPS_AT_START)
  set(counter.princeps, princeps)
  local order = rounds.order(princeps)
  set_order(order)
  for _, seat in order do
    gain(counter.gold, get(counter.starting_gold), seat, "starting-gold")
    for _, deck in { "court", "neighbor", "battle" } do
      hand.draw(seat, deck, 1)
    end
  end
  for _, seat in order do
    crown_first_prince(seat)
  end
  deal_combined_tiles(order)
end

return M
