-- The frame of a Round: direction, History Card, end of Round and Period, end of the game.
local hand = import("hand/hand")
local calendar = import("round/calendar")
local M = {}

local DIRECTIONS = { clockwise = 0, counterclockwise = 1 }
local CLOCKWISE = { faction.polonia_maior, faction.masovia, faction.polonia_minor, faction.silesia }

--- Period of the current Round.
M.period = calendar.period

--- Playing seats from `first` on in the Round's direction.
function M.order(first)
  local count = #CLOCKWISE
  local step = get(counter.direction) == 0 and 1 or count - 1
  local start = table.find(CLOCKWISE, first) or 1 -- mutate: skip, because only other packs have a seat outside the four
  local order = {}
  for turn = 0, count - 1 do
    local principality = CLOCKWISE[(start - 1 + turn * step) % count + 1]
    if playing(principality) then
      table.insert(order, principality)
    end
  end
  return order
end

--- First step of a Round: last Round's History Card goes away, the Princeps sets the direction.
function M.direction()
  local past = top(zone.history)
  if past then
    put(past, zone.history_deck)
  end
  local princeps = get(counter.princeps)
  local way = choose(princeps, "round.direction", { "clockwise", "counterclockwise" })
  set(counter.direction, DIRECTIONS[way])
  set_order(M.order(princeps))
  log("direction-set", princeps, way)
  trigger("round.started")
  for _, seat in seats() do
    hand.window(seat, "round-start")
  end
end

--- Reveals the Round's History Card, announces its events, carries out its text.
function M.reveal()
  local card = draw(zone.history_deck, nil, zone.history, nil)
  if card == nil then
    return
  end
  log("history-revealed", card)
  log("events-announced", prop(card, "upper"), prop(card, "lower"))
  trigger("history.reveal")
end

-- Effects that last for the Round end with it.
local function end_lasting_cards(seat)
  for _, card in cards(zone.in_effect, seat) do
    if prop(card, "lasts") == "round" then
      hand.discard(card)
    end
  end
end

--- Last step of a Round: tokens come back, and after an even Round the Period ends.
function M.finish()
  for _, seat in seats() do
    for _, place in { zone.spent, zone.plan } do
      for _, token in cards(place, seat) do
        put(token, zone.tokens, seat)
      end
    end
    end_lasting_cards(seat)
  end
  if calendar.period_ends() and not calendar.final_round() then
    -- The last event may have moved the token.
    set_order(M.order(get(counter.princeps)))
    -- Imported here because these modules use M.order themselves.
    import("princes/dynasty").change(calendar.period() + 1)
    if not over() then
      import("princess/princess").leave()
    end
  end
end

-- Whether a Principality that somebody led is out of the game: only its crypt remains.
local function dynasty_ended()
  for _, principality in CLOCKWISE do
    if not playing(principality) and size(zone.crypt, principality) > 0 then
      return true
    end
  end
  return false
end

--- Nobody was crowned in time: the Princeps wins, and a solo game is lost.
function M.over()
  if over() then
    return
  end
  if get(counter.solo) == 1 then
    draw_game("solo-lost")
  else
    win(get(counter.princeps), dynasty_ended() and "dynasty-ended" or "princeps")
  end
end

return M
