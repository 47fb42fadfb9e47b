-- A battle: what can be done in its windows, two combat cards, the losses, and what is left. Steps as in the rulebook.
-- A side is a table: who fights, the territory from which, its cards, and cavalry that has come to help.
local bonus = import("kingdoms/bonus")
local gold = import("orders/gold")
local hand = import("battle/hand")
local lands = import("map/lands")
local reign = import("kingdoms/reign")
local retreat = import("battle/retreat")
local strength = import("battle/strength")
local units = import("pieces/units")
local M = {}

local PROTECTION = { kind.watchtower, kind.wall, kind.fortress }
-- Step 2: a sovereign who can breaches what protects the territory.
local function breach(attacker, land, defender)
  while query("battle.breach", 0, attacker) > 0 do
    local there = filter(PROTECTION, function(building)
      return strength.protects(building, land, defender) and gold.total(attacker) >= stat(building, "level") - 1
    end)
    local verb, building = choose(attacker, "battle.breach", { { "breach", there }, "pass" }, { about = { land } })
    if verb ~= "breach" then
      return
    end
    add(counter.breached, stat(building, "ward"), land)
    set(counter.breached_by, attacker, land)
    log("breached", attacker, building, land)
    gold.pay(attacker, stat(building, "level") - 1)
  end
end

-- Puts a card of the seat where it lies until the reveal; before a Watchtower it lies open.
local function lay(seat, card, place_of_cards, open)
  put(card, place_of_cards, seat)
  if open then
    reveal(card)
    log("card-shown", seat, card)
  end
end

-- Step 3: one card, from the hand or unseen from the deck, and perhaps one more for strength.
local function place_cards(side, open)
  local seat = side.who
  local verb, card = choose(seat, "battle.card", function()
    local list = { { "card", hand.playable(seat) } }
    if not open then
      table.insert(list, "deck")
    end
    return list
  end, { always = true, about = { side.field } })
  if verb == "card" then
    lay(seat, card, zone.placed, open)
    log("card-placed", seat)
  elseif verb == "deck" then
    side.from_deck = true
    hand.deal(seat, zone.blind)
    log("card-from-deck", seat)
  end
  if #hand.playable(seat) == 0 then
    return
  end
  local add_verb, support = choose(seat, "battle.strengthen", function()
    return { { "add", hand.playable(seat) }, "pass" }
  end, { always = true, about = { side.field } })
  if add_verb == "add" then
    lay(seat, support, zone.support, open)
    log("card-added", seat)
  end
end

-- Own territories beside the battle from which cavalry can ride.
local function stables(side)
  return filter(lands.own_neighbors(side.field, side.who), function(land)
    return land ~= side.land and count{at = land, owner = side.who, kind = kind.cavalry} > 0
  end)
end

local function can_void(side)
  return query("battle.void", 0, side.who) > 0 and get(counter.void_used, side.who) == 0
end

-- Step 4 for one side: one thing. Returns whether it did any.
local function before_reveal(side, foe)
  local list, seat = {}, side.who
  if can_void(side) then
    table.insert(list, "void")
  end
  if prop(seat, "spent") then
    table.insert(list, { "ride", stables(side) })
  end
  if side.attacks then
    table.insert(list, { "bonus", bonus.cards(seat, bonus.IN_BATTLE) })
  end
  table.insert(list, "pass")
  local verb, from = choose(seat, "battle.before-reveal", list, { about = { side.field } })
  if verb == "void" then
    foe.voided = true
    set(counter.void_used, 1, seat)
    log("card-voided", seat)
  elseif verb == "ride" then
    local rider = the_piece{at = from, owner = seat, kind = kind.cavalry}
    table.insert(side.riders, units.swap(rider, kind.cavalry_spent))
    log("cavalry-rides", seat, from, side.field)
  elseif verb == "bonus" then
    bonus.play(seat, from)
  else
    return false
  end
  return true
end

-- Steps 4 and 6: the defender first, one thing at a time, until both pass.
local function alternate(defender, attacker, act)
  local idle, side, other = 0, defender, attacker
  while idle < 2 do
    if act(side, other) then
      idle = 0
    else
      idle = idle + 1
    end
    side, other = other, side
  end
end

-- Step 5: both cards lie open.
local function reveal_cards(side)
  if not strength.is_player(side) then
    return
  end
  side.card = top(zone.placed, side.who) or top(zone.blind, side.who)
  if side.card then
    reveal(side.card)
    log("card-revealed", side.who, side.card)
  end
  local support = top(zone.support, side.who)
  if support then
    side.support = true
    reveal(support)
    log("support-revealed", side.who, support)
  end
end

local function point_of(side)
  if side.attacks then
    return "combat.attack"
  end
  return "combat.defend"
end

-- Carries out a card's property. A red card gives its strength instead, if its player likes that better.
local function use_property(side, foe)
  local card = side.card
  if side.voided then
    return
  end
  if has(card, "red") then
    local choice = choose(side.who, "battle.red", { "property", "strength" }, { source = card })
    if choice == "strength" then
      return
    end
    side.weak = true
  end
  log("property", side.who, card)
  perform(card, point_of(side), side.who, foe.who, side.field)
end

-- Step 6: first the cards that cancel others, then the defender's property, then the attacker's.
local function resolve_properties(defender, attacker)
  local first = {}
  for _, side in { defender, attacker } do
    local card = side.card
    if card and has(card, "cancels") and not side.voided then
      table.insert(first, side)
    end
  end
  for _, side in first do
    local foe = side == defender and attacker or defender
    foe.voided = true
    log("card-cancels", side.who, side.card)
  end
  for _, side in { defender, attacker } do
    if side.card and not has(side.card, "cancels") then
      use_property(side, side == defender and attacker or defender)
    end
  end
end

-- Step 6: cards of the kingdom that wait for the reveal and, for the attacker, those of the own turn.
local function after_reveal(side)
  local playable = bonus.cards(side.who, side.attacks and { "battle", "turn" } or { "battle" })
  if #playable == 0 then
    return false
  end
  local list = { { "bonus", playable }, "pass" }
  local verb, card = choose(side.who, "battle.after-reveal", list, { about = { side.field } })
  if verb ~= "bonus" then
    return false
  end
  bonus.play(side.who, card)
  return true
end

-- The side picks enemy units for its points. They fall later, all at the same time.
local function pick_losses(side, foe, points)
  local left, doomed = strength.fighters(foe), {}
  local aside = strength.passing(counter.battle_aside, foe)
  while points > 0 do
    local within = filter(left, function(unit) return stat(unit, "endurance") <= points end)
    if #within <= aside then
      return doomed
    end
    local unit = within[1]
    if strength.is_player(side) then
      unit = units.pick(side.who, "battle.kill", within, { points })
    end
    table.insert(doomed, unit)
    points = points - stat(unit, "endurance")
    left = filter(left, function(other) return other ~= unit end)
  end
  return doomed
end

-- Gold and points for those who have killed.
local function reward(side, foe, dead, before, won)
  if not strength.is_player(side) then
    return
  end
  if won then
    gold.gain(side.who, dead * query("battle.loot", 0, side.who))
  end
  if foe.who ~= faction.revolutionaries and dead == before and before >= get(counter.massacre)
    and get(counter.massacre_used, side.who) == 0 and #lands.with(kind.altar, side.who) > 0 then
    set(counter.massacre_used, 1, side.who)
    add(counter.permanent, 1, side.who)
    log("massacre", side.who)
  end
end

-- Used cards are thrown away, and nothing of the battle lasts.
local function clean_up(sides)
  for _, side in sides do
    if strength.is_player(side) then
      for _, place_of_cards in { zone.placed, zone.blind, zone.support } do
        for _, card in cards(place_of_cards, side.who) do
          put(card, zone.combat_discard)
        end
      end
      strength.forget(side.who)
    end
  end
end

-- The stronger side wins if it has anybody left; nil where nobody does.
local function victor(attacker, defender, a, d)
  local strong = nil
  if a > d then
    strong = attacker
  elseif d > a then
    strong = defender
  end
  if strong and (strong.levy or #strength.fighters(strong) > 0) then
    return strong
  end
end

local function feats(attacker, defender, winner)
  reign.advance(attacker.who, 2)
  reign.advance(defender.who, 1)
  if winner then
    reign.advance(winner.who, 1 + strength.passing(counter.battle_prize, winner))
  end
end

-- Steps 5 to 7: cards, strengths, losses, feats. Returns the side that has won.
local function decide(attacker, defender)
  local full = attacker.who == faction.revolutionaries or defender.who == faction.revolutionaries
  reveal_cards(attacker)
  reveal_cards(defender)
  if not full then
    set(counter.battle_units, #strength.fighters(attacker), attacker.who)
    set(counter.battle_units, #strength.fighters(defender), defender.who)
    resolve_properties(defender, attacker)
    alternate(defender, attacker, after_reveal)
  end
  local a, d = strength.total(attacker, full), strength.total(defender, full)
  log("strengths", attacker.who, a, defender.who, d)
  local a_before, d_before = #strength.fighters(attacker), #strength.fighters(defender)
  local fallen = pick_losses(attacker, defender, strength.kills(a, d, attacker, defender))
  local lost = pick_losses(defender, attacker, strength.kills(d, a, defender, attacker))
  for _, list in { fallen, lost } do
    for _, unit in list do
      units.kill(unit)
    end
  end
  local winner = victor(attacker, defender, a, d)
  if winner then
    log("battle-won", winner.who)
  else
    log("battle-undecided")
  end
  feats(attacker, defender, winner)
  reward(attacker, defender, #fallen, d_before, winner == attacker)
  reward(defender, attacker, #lost, a_before, winner == defender)
  return winner
end

local function side_of(who, land, field, attacks)
  return { who = who, land = land, field = field, attacks = attacks, riders = {} }
end

-- Everything before the reveal.
local function prepare(attacker, defender, field)
  local revolution = defender.who == faction.revolutionaries
  if not revolution then
    bonus.window(attacker.who, bonus.IN_BATTLE)
    breach(attacker.who, field, defender.who)
  end
  place_cards(attacker, strength.protects(kind.watchtower, field, defender.who))
  if revolution then
    -- Revolutionaries take the top card, seen by nobody before.
    defender.card = hand.turn()
  else
    place_cards(defender, false)
    alternate(defender, attacker, before_reveal)
  end
end

-- Survivors of the beaten side leave. True where the attacker may take the territory.
local function clear(defender, field)
  if defender.who == faction.revolutionaries then
    return lands.size(field, defender.who) == 0
  end
  local survivors = lands.units(field, defender.who)
  if #survivors > 0 and strength.protects(kind.fortress, field, defender.who) then
    log("fortress-holds", field)
    return false
  end
  retreat.flee(defender.who, field, survivors)
  return true
end

--- A battle for a territory with units. Returns whether the attacker has won it.
function M.fight(seat, from, field, foe, extra)
  local attacker, defender = side_of(seat, from, field, true), side_of(foe, field, field, false)
  attacker.extra = extra
  prepare(attacker, defender, field)
  local winner = decide(attacker, defender)
  local held_by_riders = #strength.riders(defender) > 0 and strength.protects(kind.fortress, field, foe)
  local won = winner == attacker and not held_by_riders and clear(defender, field)
  clean_up({ attacker, defender })
  return won
end

--- Revolutionaries rise on a territory of the seat. Returns whether they take it.
function M.revolt(seat, field, number)
  local attacker, defender = side_of(faction.revolutionaries, nil, field, true), side_of(seat, field, field, false)
  attacker.extra, attacker.levy = number, true
  place_cards(defender, false)
  attacker.card = hand.turn()
  local winner = decide(attacker, defender)
  if winner == attacker then
    retreat.flee(seat, field, lands.units(field, seat))
  end
  clean_up({ attacker, defender })
  return winner == attacker
end

return M
