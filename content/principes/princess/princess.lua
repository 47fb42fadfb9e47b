-- Princesses: missions, what they bring, immunity, and how they leave the map.
local hand = import("hand/hand")
local calendar = import("round/calendar")
local M = {}

local NEIGHBORS = {
  faction.western_pomerania, faction.eastern_pomerania, faction.german_marches,
  faction.kingdom_of_bohemia, faction.kingdom_of_hungary, faction.rus_fiefdoms,
}
-- Cards that a Princess brings or takes before tiles and cards change the number.
local CARDS = 1
local EXCHANGE_VERBS = { people = { "card-people" }, clergy = { "card-clergy" }, either = { "card-people", "card-clergy" } }

-- The seat's Princess on the map, or nil.
local function of(seat)
  return the_piece{owner = seat, kind = kind.princess, on = "map"}
end

-- A Pomerania is a Neighbor's area only while no foreign units stand there.
local function hosts(neighbor, area)
  for _, occupant in occupants(area) do
    if occupant ~= neighbor then
      return false
    end
  end
  return true
end

--- Areas to which the seat may send its Princess now.
function M.missions_of(seat)
  local last = get(counter.princess_mission, seat)
  local taken = {}
  for _, lady in pieces{kind = kind.princess, on = "map"} do
    taken[at(lady)] = true
  end
  local options = {}
  for _, neighbor in NEIGHBORS do
    local area = prop(neighbor, "area")
    if area ~= last and not taken[area] and hosts(neighbor, area) then
      table.insert(options, area)
    end
  end
  for _, capital in spaces{prop = "capital"} do
    local owner = home(capital)
    if capital ~= last and not taken[capital] and controller(capital) == owner then
      table.insert(options, capital)
    end
  end
  return options
end

-- In the own Capital: cards, one deck at a time.
local function bring_cards(seat, n)
  for _ = 1, n do
    local deck = choose(seat, "princess.deck", function()
      local decks = {}
      if size(zone.court_deck) > 0 then
        table.insert(decks, "court")
      end
      if size(zone.neighbor_deck) > 0 then
        table.insert(decks, "neighbor")
      end
      return decks
    end)
    if deck == nil then
      break
    end
    hand.draw(seat, deck, 1)
  end
  hand.enforce_limit(seat)
end

-- Ways to give a card up: under its deck, or cashed in as usual.
local function demand_options(target)
  local options = {}
  for _, card in cards(zone.hand, target) do
    if prop(card, "type") ~= "battle" then
      table.insert(options, { "discard", card })
      table.insert(options, { "card-gold", card })
      for _, verb in EXCHANGE_VERBS[prop(card, "symbol")] do
        table.insert(options, { verb, card })
      end
    end
  end
  return options
end

-- In another Capital: its owner gives up Court or Neighbor Cards.
local function demand_cards(seat, target, n)
  for _ = 1, n do
    if not playing(target) then
      return
    end
    local verb, card = choose(target, "princess.demand", function()
      return demand_options(target)
    end, { about = { seat } })
    if verb == nil then
      log("princess-finds-nothing", seat, target)
      return
    elseif verb == "discard" then
      local deck = prop(card, "type")
      hand.discard(card)
      log("card-returned", target, deck)
    else
      hand.exchange(target, verb, card)
    end
  end
end

-- What a Princess does where she is; in a Neighbor's area her presence alone protects.
local function act(seat, area)
  if not has(area, "capital") then
    return
  end
  local n = query("princess.cards", CARDS, seat)
  if home(area) == seat then
    bring_cards(seat, n)
  else
    demand_cards(seat, home(area), n)
  end
end

local function send(seat)
  -- A figure that is not in the pool cannot be sent twice.
  if of(seat) then
    return
  end
  local area = choose(seat, "princess.mission", M.missions_of(seat))
  if area and place(kind.princess, seat, area) then
    set(counter.princess_mission, area, seat)
    log("princess-sent", seat, area)
    act(seat, area)
  end
end

--- First Round of a Period: missions. Second Round: those still on the map act again.
function M.missions()
  local again = calendar.period_ends()
  for _, seat in seats() do
    if again then
      local lady = of(seat)
      if lady then
        act(seat, at(lady))
      end
    else
      send(seat)
    end
  end
end

--- Seats whose Princess stays in the area.
function M.guests(area)
  local list = {}
  for _, lady in pieces{at = area, kind = kind.princess} do
    table.insert(list, owner(lady))
  end
  return list
end

--- Takes every Princess off the space.
function M.remove_at(space)
  for _, lady in pieces{at = space, kind = kind.princess} do
    log("princess-removed", owner(lady), space)
    remove(lady)
  end
end

--- End of a Period: all Princesses go home.
function M.leave()
  for _, lady in pieces{kind = kind.princess, on = "map"} do
    remove(lady)
  end
  log("princesses-leave")
end

--- A Princess in danger: A Princess leaves when her land changes hands, is laid waste, or another side wins a battle
--- there.
function M.control_changed(self, owner_of_rule, space, from)
  if from == nil or playing(from) then
    M.remove_at(space)
  end
end

--- A battle on her land that another side wins drives her away.
function M.battle_ended(self, owner_of_rule, winner, loser, space)
  for _, lady in pieces{at = space, kind = kind.princess} do
    local seat = owner(lady)
    if seat ~= winner then
      log("princess-removed", seat, space)
      remove(lady)
    end
  end
end

return M
