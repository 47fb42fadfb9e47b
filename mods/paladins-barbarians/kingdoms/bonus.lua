-- Kingdom bonus cards lie open before their owner and are played in moments that each card names.
local M = {}

--- The moments of the own turn. In a battle only those cards fit that are no attack themselves.
M.TURN, M.IN_BATTLE = { "turn", "outside-battle" }, { "turn" }

--- Bonus cards of the seat that fit one of these moments and can do something now.
function M.cards(seat, moments)
  local playable, held = {}, cards(zone.bonus, seat)
  if #held == 0 then
    return playable
  end
  for _, moment in moments do
    for _, card in held do
      if prop(card, "moment") == moment and query("bonus.playable", 1, seat, card) > 0 then
        table.insert(playable, card)
      end
    end
  end
  return playable
end

--- Plays a bonus card.
function M.play(seat, card)
  log("bonus-played", seat, card)
  put(card, zone.bonus_discard)
  perform(card, "bonus.play", seat)
end

--- Asks the seat once what to do, among its options and the bonus cards of this moment. A card is played at once, and
--- the verb is then "bonus".
---@param about? any[]
function M.ask(seat, decision, moments, options, about)
  local verb, a, b, c = choose(seat, decision, function()
    local list = options()
    if #list > 0 then
      table.insert(list, { "bonus", M.cards(seat, moments) })
    end
    return list
  end, { about = about })
  if verb == "bonus" then
    M.play(seat, a)
  end
  return verb, a, b, c
end

--- Asks the seat what to do until it takes an option. `options` is a function, as a bonus card may change what can be
--- done.
---@param about? any[]
function M.choose(seat, decision, moments, options, about)
  while true do
    local verb, a, b, c = M.ask(seat, decision, moments, options, about)
    if verb ~= "bonus" then
      return verb, a, b, c
    end
  end
end

--- A moment in which nothing but bonus cards can be played. Returns whether any was.
function M.window(seat, moments)
  local played = false
  while true do
    local playable = M.cards(seat, moments)
    if #playable == 0 then
      break
    end
    local verb, card = choose(seat, "bonus.window", { { "bonus", playable }, "pass" })
    if verb ~= "bonus" then
      break
    end
    M.play(seat, card)
    played = true
  end
  return played
end

return M
