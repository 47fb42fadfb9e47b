-- Battle: what the rules add between the kernel's dice and counts. Each function without arguments is one step of the
-- battle procedure, in this order.
local hand = import("hand/hand")
local homes = import("homes/homes")
local dynasty = import("princes/dynasty")
local M = {}

local SIDES = { "attacker", "defender" }
local OTHER = { attacker = "defender", defender = "attacker" }
-- What a symbol card adds, by the symbol printed in its corner.
local SYMBOLS = { sword = { "sword" }, shield = { "shield" }, either = { "sword", "shield" } }
local ADDS = { sword = "swords", shield = "shields" }
local BATTLE = { type = "battle" }
-- A coin rolled for units without a player costs their opponent this much.
local NEUTRAL_COIN = 1

--- Fights a battle. `mover` is the seat that moved an attacker who is not its own.
function M.fight(space, attacker, defender, mover)
  log("battle-begins", space, attacker, defender)
  return battle_at{ space = space, attacker = attacker, defender = defender, mover = mover }
end

-- Who decides for a side: its player, else the mover of the attack, else the player on the other side.
local function chooser(side)
  return battle.player(side) or battle.mover() or battle.player(OTHER[side]) or get(counter.princeps)
end

local function battle_cards(place_of_cards, seat)
  return cards(place_of_cards, seat, BATTLE)
end

-- Whether a card is possible, judged by the backs alone.
local function holds_battle_cards(seat)
  return size(zone.hand, seat, BATTLE) > 0
end

-- Reveals the card; it stays face up until it is used up.
local function show(seat, card)
  reveal(card)
  put(card, zone.played, seat)
end

-- Hand cards with this timing whose text can serve this side now.
local function fitting(seat, side, timing)
  local result = battle.winner() == side and "win" or "loss"
  return filter(cards(zone.hand, seat, { type = "battle", timing = timing }), function(card)
    local needs_side, needs_result = prop(card, "side"), prop(card, "outcome")
    return (needs_side == nil or needs_side == side) and (needs_result == nil or needs_result == result)
  end)
end

-- One seat plays cards for their text until it passes or has played `limit` of them. Faces must not tell who is asked.
local function play_texts(side, decision, timing, limit)
  local seat = battle.player(side)
  local played = 0
  while seat and played < limit and holds_battle_cards(seat) do
    local verb, card = choose(seat, decision, function()
      return { { "play", fitting(seat, side, timing) } }
    end, { about = { battle.space(), limit - played }, always = true, pass = true })
    if verb == nil then
      return
    end
    show(seat, card)
    log("battle-card-played", seat, card)
    perform(card, "card.play", seat)
    played = played + 1
  end
end

--- Shields that the settlement and its walls give the defender.
function M.walls(space)
  local shields = prop(space, "shields")
  for _, class in { "settlement", "building" } do
    for _, token in pieces{at = space, class = class} do
      shields = shields + stat(token, "shields")
    end
  end
  return shields
end

--- Phase 1: first the attacker, then the defender, each at most a card for every unit.
function M.before_cards()
  log("battle-walls", battle.space(), M.walls(battle.space()))
  for _, side in SIDES do
    play_texts(side, "battle.before-card", "before", #battle.units(side))
  end
end

-- The coin on a die takes gold at once.
local function take_coin(side)
  if battle.face_value(side, "coin") == 0 then
    return
  end
  local seat, opponent = battle.player(side), battle.player(OTHER[side])
  local taken = 0
  if seat then
    local amount = query("battle.coin", 1, seat)
    taken = opponent and transfer(counter.gold, amount, opponent, seat) or add(counter.gold, amount, seat)
  elseif opponent then
    taken = lose(counter.gold, NEUTRAL_COIN, opponent)
  end
  if taken > 0 then
    log("coin-rolled", battle.faction(side), taken)
  end
end

--- Phase 2, after the roll: coins, the attacker's first.
function M.coins()
  for _, side in SIDES do
    take_coin(side)
  end
end

--- Between first count and symbol cards: players may change their own dice as tiles, cards and rules allow.
function M.adjust()
  for _, side in SIDES do
    local seat = battle.player(side)
    if seat then
      local left = { reroll = query("battle.rerolls", 0, seat), flip = query("battle.flips", 0, seat) }
      while left.reroll + left.flip > 0 do -- mutate: skip, because without it only time is lost
        local options = {}
        for _, way in { "reroll", "flip" } do
          if left[way] > 0 then
            table.insert(options, way)
          end
        end
        local way = choose(seat, "battle.change-die", options, { about = { battle.face(side) }, pass = true })
        if way == nil then
          break
        end
        left[way] = left[way] - 1
        if way == "reroll" then
          battle.reroll(side)
        else
          battle.flip(side)
        end
        log("die-changed", seat, way, battle.face(side))
        take_coin(side)
        battle.count()
      end
    end
  end
end

-- One seat plays cards for their corner symbols.
local function play_symbols(side)
  local seat = battle.player(side)
  local left = #battle.units(side)
  while seat and left > 0 and holds_battle_cards(seat) do
    local verb, card = choose(seat, "battle.symbol-card", function()
      local options = {}
      for _, held in battle_cards(zone.hand, seat) do
        for _, symbol in SYMBOLS[prop(held, "symbol")] do
          table.insert(options, { symbol, held })
        end
      end
      return options
    end, { about = { battle.space(), left }, always = true, pass = true })
    if verb == nil then
      return
    end
    show(seat, card)
    battle.add(side, ADDS[verb], 1)
    battle.count()
    log("symbol-card-played", seat, card, verb)
    left = left - 1
  end
end

--- Phase 4: first the attacker, then the defender, each at most a card for every unit that entered.
function M.symbol_cards()
  for _, side in SIDES do
    play_symbols(side)
  end
end

-- Used cards go under their deck in random order.
local function return_cards()
  for _, side in SIDES do
    local seat = battle.player(side)
    for _, card in seat and battle_cards(zone.played, seat) or {} do
      put(card, zone.battle_used)
    end
  end
  shuffle(zone.battle_used)
  while draw(zone.battle_used, nil, zone.battle_deck, nil) do end
end

-- The seats of winner and loser; nil for units without a player.
local function result()
  local winner = battle.winner()
  return battle.player(winner), battle.player(OTHER[winner])
end

--- Phase 6: toppled units and used cards leave.
function M.clean_up()
  local toppled = { attacker = battle.toppled("attacker"), defender = battle.toppled("defender") }
  for _, side in SIDES do
    for _, piece in toppled[side] do
      log("unit-toppled", owner(piece), kindof(piece))
    end
    homes.send_all(toppled[side], { remover = chooser(OTHER[side]) })
  end
  return_cards()
  local winner, loser = result()
  local space = battle.space() -- mutate: skip, because only other packs read the space
  trigger("battle.cleaned", winner, loser, space)
end

-- Where the beaten side may go.
local function refuges(side)
  local space, seat = battle.space(), battle.player(side)
  local lands = homes.retreats(battle.faction(side), space)
  if seat then
    for _, land in spaces{controller = seat} do
      if #occupants(land) <= 1 and not contains(lands, land)
        and query("battle.retreat", 0, seat, land) > 0 then
        table.insert(lands, land)
      end
    end
  end
  return lands
end

--- Phase 7: the loser's standing units leave together, or are lost. Then dead Princes find their heirs.
function M.withdraw()
  local side = OTHER[battle.winner()]
  local beaten = battle.standing(side)
  set(counter.withdrawn_to, nil)
  if #beaten > 0 then
    local land = choose(chooser(side), "battle.withdraw", refuges(side), { about = { battle.faction(side), battle.space() } })
    if land then
      for _, piece in beaten do
        move(piece, land)
      end
      set(counter.withdrawn_to, land)
      log("units-withdraw", battle.faction(side), land)
    else
      log("units-lost", battle.faction(side), #beaten)
      homes.send_all(beaten, { remover = chooser(OTHER[side]) })
    end
  end
  local bereaved = {}
  for _, each in SIDES do
    local seat = battle.player(each)
    if seat then
      for _, piece in battle.units(each) do
        if kindof(piece) == kind.prince and at(piece) == nil then
          table.insert(bereaved, seat)
        end
      end
    end
  end
  dynasty.princes_lost(bereaved)
end

-- What the land itself gives its controller, beside its tokens; the kernel tells only the sum.
local function own_score(land, track)
  if track == "clergy" then
    return prop(land, "clergy") or 0
  end
  return 0
end

-- Destroyed tokens must not score: with the track at its top, the land gave less than printed.
local function raze(land, token, seat)
  local track = nil
  if kindof(token) == kind.tiltyard then
    track = "people"
  elseif kindof(token) == kind.abbey then
    track = "clergy"
  end
  if track == nil then
    remove(token)
    return
  end
  local scored = gained(land, counter[track])
  local without = math.min(scored, own_score(land, track))
  local before = get(counter[track], seat)
  remove(token)
  local dropped = before - get(counter[track], seat)
  local excess = dropped - (scored - without)
  if excess > 0 then
    add(counter[track], excess, seat)
  end
end

--- Offers the City and the building of a land just taken for destruction. Own conquests cost Support, once a land.
function M.offer_destruction(seat, side, land)
  local own = side == seat
  -- Inside its own borders, and in a Neighbor's own land, a side owns everything.
  if home(land) == side or land == homes.home_space(kind.footman, side) then
    return
  end
  local paid = not own
  while playing(seat) do
    local options, listed = {}, {}
    for _, class in { "settlement", "building" } do
      for _, token in pieces{at = land, class = class} do
        local sort = kindof(token)
        if not listed[sort] then
          listed[sort] = true
          table.insert(options, { "destroy", sort })
        end
      end
    end
    table.insert(options, "done")
    local verb, doomed = choose(seat, "march.destroy", options, { about = { land } })
    if verb ~= "destroy" then
      return
    end
    raze(land, the_piece{at = land, kind = doomed}, seat)
    log("destroyed", seat, doomed, land)
    if not paid then
      lose(counter.people, 1, seat)
      lose(counter.clergy, 1, seat)
      paid = true
    end
  end
end

--- Phase 8: People Support for the players, and the fate of a conquered settlement.
function M.positions()
  local winner, loser = result()
  if winner then
    gain(counter.people, 1, winner)
  end
  if loser then
    lose(counter.people, 1, loser)
  end
  local space, side = battle.space(), battle.faction("attacker")
  local taker = battle.player("attacker") or battle.mover()
  if battle.winner() == "attacker" and prop(side, "group") ~= "invader" and #occupants(space) == 1 then
    M.offer_destruction(taker, side, space)
  end
  trigger("battle.ended", winner, loser, space)
end

--- Phase 9: texts for after the battle, any number; they do not touch each other.
function M.after_cards()
  for _, side in SIDES do
    local seat = battle.player(side)
    if seat then
      play_texts(side, "battle.after-card", "after", size(zone.hand, seat))
    end
  end
end

--- Phase 10: every player who fought draws a card. The last used cards leave first, so that nobody can draw them again.
function M.draw()
  return_cards()
  for _, side in SIDES do
    local seat = battle.player(side)
    if playing(seat) then
      hand.draw(seat, "battle", 1)
      hand.enforce_limit(seat)
    end
  end
end

return M
