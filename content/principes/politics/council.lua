-- Councils: cards for Support in turn, then the crown, then the Princeps Token.
local hand = import("hand/hand")
local M = {}

local TRACKS = { counter.might, counter.people, counter.clergy }
local BATTLE = { type = "battle" }
-- Asked even if only "done" is left: faces must not decide who is asked.
local ALWAYS = { always = true }
-- Where all three tokens of a King must stand.
local CROWN = 10
-- On how many tracks one must be unsurpassed to take the Princeps Token.
local TRACKS_FOR_TOKEN = 2

-- Whether a play for Support is possible, judged by the backs alone.
local function may_play(seat)
  local useless = query("hand.battle-support", 0, seat) > 0 and 0 or size(zone.hand, seat, BATTLE)
  return size(zone.hand, seat) > useless
end

-- One seat's only chance in this Council: any number of cards, one after another.
local function play_cards(seat)
  while may_play(seat) do
    local verb, card = choose(seat, "council.play", function()
      local options = hand.exchange_options(seat, "support")
      table.insert(options, "done")
      return options
    end, ALWAYS)
    if card == nil then
      return
    end
    hand.exchange(seat, verb, card)
  end
end

--- Whether all three tokens of the seat stand where a King's must.
function M.crownable(seat)
  for _, track in TRACKS do
    if get(track, seat) < CROWN then
      return false
    end
  end
  return true
end

--- On how many tracks nobody stands higher than the seat.
function M.unsurpassed(seat)
  local tracks = 0
  for _, track in TRACKS do
    local mine, highest = get(track, seat), true
    for _, other in seats() do
      if get(track, other) > mine then
        highest = false
      end
    end
    if highest then
      tracks = tracks + 1
    end
  end
  return tracks
end

--- Whether the seat's positions earn the Princeps Token.
function M.qualifies(seat)
  return M.unsurpassed(seat) >= query("council.tracks", TRACKS_FOR_TOKEN, seat)
end

local function crown(candidates)
  for _, seat in candidates do
    if M.crownable(seat) then
      log("crowned", seat)
      win(seat, "coronation")
      return true
    end
  end
  return false
end

-- The first candidate who qualifies takes the token; a holder who qualifies stands first anyway.
local function pass_token(candidates)
  for _, seat in candidates do
    if M.qualifies(seat) then
      if get(counter.princeps) ~= seat then
        set(counter.princeps, seat)
        log("princeps-token-taken", seat)
      end
      return
    end
  end
  log("princeps-token-stays", get(counter.princeps))
end

--- Holds the Council of `host`, or a Common Council when there is none.
function M.hold(host)
  if host then
    set(counter.council_host, host)
    log("council-summoned", host)
  else
    log("common-council")
  end
  -- Once a Council is declared, cards raise Support in their sequence only.
  set(counter.support_closed, 1)
  trigger("council.declared", host)
  for _, seat in seats() do
    hand.window(seat, "council")
  end
  for _, seat in seats() do
    play_cards(seat)
  end
  set(counter.support_closed, 0)

  local candidates = host and { host } or seats()
  if not crown(candidates) then
    pass_token(candidates)
  end
  if host then
    set(counter.council_host, nil)
  end
end

return M
