-- How a bot that looks one step ahead judges the table. The kernel hands over the tracks (100 a point, less the mean of
-- the others); all that promises later points is added here. Nothing in this file is a rule of the game.
local calendar = import("round/calendar")
local building = import("actions/building")
local combat = import("battle/combat")
local council = import("politics/council")
local dynasty = import("princes/dynasty")
local lands = import("map/lands")
local taxes = import("actions/taxes")
local M = {}

local POINT = 100
local TOP = 10
local TRACKS = { counter.might, counter.people, counter.clergy }
-- The value of gold in the treasury: the first coins buy the next City and buildings.
local GOLD = { { upto = 4, each = 34 }, { upto = 9, each = 24 }, { upto = 16, each = 10 }, { upto = 66, each = 2 } }
local CARD = { court = 48, neighbor = 42, battle = 22 }
local PRINCE, KNIGHT, FOOTMAN = 30, 24, 13
-- A seat that has begun an action prefers to carry it out.
local ACTING = 8
-- Might above the track guards against losses, and pays taxes.
local SURPLUS = 25
local CROWNABLE = 1500
local CROWNED_NEXT = 60000

local function gold_worth(amount)
  local worth, counted = 0, 0
  for _, step in GOLD do
    local coins = math.min(amount, step.upto) - counted
    if coins <= 0 then
      break
    end
    worth = worth + coins * step.each
    counted = counted + coins
  end
  return worth
end

-- Remaining Rounds, including the current one.
local function rounds_left()
  return math.max(1, get(counter.last_round) - math.max(1, get(counter.round)) + 1)
end

-- The nearer the end, the more the token is worth: after the last Round it wins.
local function token_worth(left)
  return left == 1 and 2500 or left == 2 and 700 or math.floor(400 / left)
end

local function tile_worth(left)
  return 8 + 11 * left
end

-- Points missing on the three tracks for a crown.
local function shortfall(seat)
  local missing = 0
  for _, track in TRACKS do
    missing = missing + math.max(0, TOP - get(track, seat))
  end
  return missing
end

-- Points count more the closer a crown is; the last ones are a threat to everybody else.
local function crown_worth(missing)
  if missing == 0 then
    return CROWNABLE
  end
  return missing < 8 and (8 - missing) * (8 - missing) * 9 or 0
end

-- The value of a seat's visible resources, with this many Rounds left.
local function means(seat, left)
  local worth = gold_worth(get(counter.gold, seat)) + tile_worth(left) * size(zone.tiles, seat)
    + PRINCE * count{owner = seat, kind = kind.prince, on = "map"}
    + KNIGHT * count{owner = seat, kind = kind.knight, on = "map"}
    + FOOTMAN * count{owner = seat, kind = kind.footman, on = "map"}
  if get(counter.princeps) == seat then
    worth = worth + token_worth(left)
  end
  return worth + crown_worth(shortfall(seat))
end

local function hand_worth(seat)
  local worth = 0
  for _, card in cards(zone.hand, seat) do
    worth = worth + CARD[prop(card, "type")]
  end
  return worth
end

-- The kernel counts Might without the track's end.
local function surplus_correction(seat)
  local surplus = math.max(0, raw(counter.might, seat) - TOP)
  return surplus * (SURPLUS - POINT)
end

-- Battles -------------------------------------------------------------------------------------------------------------

local function strength(units)
  local swords, toughness = 0, 0
  for _, unit in units do
    swords = swords + stat(unit, "swords")
    toughness = toughness + stat(unit, "toughness")
  end
  return swords, toughness
end

-- Own units that share a land with others are about to fight: what the battle promises.
local function pending_battles(seat)
  local worth, seen = 0, {}
  for _, unit in pieces{owner = seat, occupying = true, on = "map"} do
    local land = at(unit)
    if not seen[land] then
      seen[land] = true
      local theirs = #occupants(land) > 1 -- mutate: skip, because without it only time is lost
        and filter(pieces{at = land, occupying = true}, function(other) return owner(other) ~= seat end) or {}
      if #theirs > 0 then
        local my_swords, my_toughness = strength(pieces{at = land, owner = seat, occupying = true})
        local their_swords, their_toughness = strength(theirs)
        local attacking = controller(land) ~= seat
        local shields = combat.walls(land)
        local dealt = math.min(their_toughness, math.max(0, my_swords - (attacking and shields or 0)))
        local taken = math.min(my_toughness, math.max(0, their_swords - (attacking and 0 or shields)))
        local share = dealt / their_toughness - taken / my_toughness + (attacking and -0.15 or 0.15)
        worth = worth + math.floor(share * (POINT + 70 * lands.might(land)) - 12 * taken)
      end
    end
  end
  return worth
end

-- Units farther away than this are no threat.
local FARTHEST = 3

-- How many swords of other players can reach the Prince's land beyond what stands there.
local function prince_exposed(seat)
  local court = lands.of_prince(seat)
  if court == nil then
    return 0
  end
  local worst = 0
  for _, other in others(seat) do
    local threat = 0
    for _, unit in pieces{owner = other, occupying = true, near = court, steps = FARTHEST} do
      local move = stat(unit, "move")
      local near = move >= FARTHEST -- mutate: skip, because without it only time is lost
        or distance(court, at(unit)) <= move
      if near then
        threat = threat + stat(unit, "swords")
      end
    end
    worst = math.max(worst, threat)
  end
  if worst == 0 then
    return 0
  end
  local _, toughness = strength(pieces{at = court, owner = seat, occupying = true})
  return math.max(0, worst - toughness - combat.walls(court))
end

-- A Prince in reach of a stronger enemy; without an heir the whole game is at stake.
local function prince_danger(seat)
  local exposed = prince_exposed(seat)
  if exposed == 0 then
    return 0
  end
  local heirs = #dynasty.successors(seat)
  return exposed * (heirs == 0 and 120 or heirs == 1 and 16 or 8)
end

-- Planning ------------------------------------------------------------------------------------------------------------

-- What three planned actions are likely to bring, one after the other. `plan` carries the means that change on the way.
local EXPECT = {}

function EXPECT.taxes(plan, seat)
  if get(counter.people, seat) == 0 and query("taxes.free", 0, seat) <= 0 then
    return -30
  end
  local income = math.min(taxes.income(seat), bank(counter.gold))
  local before = plan.gold
  plan.gold = plan.gold + income
  -- Coins are worth more to a plan than in the chest: they carry the next Rounds.
  return math.floor((gold_worth(plan.gold) - gold_worth(before)) * 1.5) - POINT
end

-- Buys the cheapest City and the best buildings while they are worth their price.
function EXPECT.building(plan, seat)
  local worth = 0
  local function buy(price, gain)
    local net = gain - (gold_worth(plan.gold) - gold_worth(plan.gold - price))
    if price <= plan.gold and net > 0 then
      plan.gold = plan.gold - price
      worth = worth + net
      return true
    end
    return false
  end
  local cheapest
  for _, land in building.city_sites(seat) do
    local price = building.price_of_city(seat, land)
    cheapest = cheapest and math.min(cheapest, price) or price
  end
  if cheapest then
    buy(cheapest, get(counter.might, seat) < TOP and POINT or SURPLUS)
  end
  local sites = #building.building_sites(seat)
  local tokens = { [kind.tiltyard] = count{kind = kind.tiltyard, on = "pool"}, [kind.abbey] = count{kind = kind.abbey, on = "pool"} }
  for nth = 1, math.min(sites, query("building.limit", get(counter.buildings_per_action), seat)) do
    local wanted = get(counter.people, seat) <= get(counter.clergy, seat) and kind.tiltyard or kind.abbey
    if tokens[wanted] == 0 then
      wanted = wanted == kind.tiltyard and kind.abbey or kind.tiltyard
    end
    if tokens[wanted] > 0 and buy(building.price_of_building(seat, wanted, nth), 95) then
      tokens[wanted] = tokens[wanted] - 1
    end
  end
  plan.built = true
  return worth
end

function EXPECT.assembly(plan, seat)
  local limit = query("assembly.limit", get(counter.assembly_units), seat)
  local worth = 0
  local knights, footmen = count{owner = seat, kind = kind.knight, on = "pool"}, count{owner = seat, kind = kind.footman, on = "pool"}
  for _ = 1, limit do
    if knights > 0 and plan.gold > 2 then
      knights, plan.gold, worth = knights - 1, plan.gold - 1, worth + KNIGHT - 10
    elseif footmen > 0 then
      footmen, worth = footmen - 1, worth + FOOTMAN
    end
  end
  plan.raised = worth
  return worth + math.min(60, prince_danger(seat))
end

-- The value of an undefended land for the next unit to enter it.
local function conquest(seat, land)
  local gain = lands.might(land) * POINT + (prop(land, "clergy") or 0) * POINT
  for _, token in pieces{at = land, class = "building"} do
    gain = gain + (kindof(token) == kind.castle and 5 or 80)
  end
  local lord = home(land)
  return gain + (lord == seat and 20 or lord and -45 or 0)
end

-- Undefended lands with Might or Lancicia's blessing in reach, the best ones first.
function EXPECT.movement(plan, seat)
  local gains, reach = {}, {}
  local units = pieces{owner = seat, occupying = true, on = "map"}
  for _, unit in units do
    for _, land in within(at(unit), stat(unit, "move")) do
      reach[land] = true
    end
  end
  for _, land in spaces{kind = "land", empty = true} do
    if reach[land] and controller(land) ~= seat then
      local gain = conquest(seat, land)
      if gain > 0 then
        table.insert(gains, gain)
      end
    end
  end
  table.sort(gains, function(a, b) return a > b end)
  local worth = 0
  for nth = 1, math.min(3, #gains, #units) do
    worth = worth + math.floor(gains[nth] * 0.6)
  end
  return worth + (plan.raised and 15 or 0)
end

-- Support that the seat could add by cards in a Council.
local function playable_support(seat)
  local total = 0
  for _, card in cards(zone.hand, seat) do
    if prop(card, "type") ~= "battle" then
      total = total + 1
    end
  end
  return total
end

function EXPECT.politics(plan, seat, space)
  local draw = get(counter.politics_cards) * 22 + 20
  local missing = shortfall(seat)
  local might_missing = math.max(0, TOP - get(counter.might, seat))
  if might_missing == 0 and missing <= playable_support(seat) + (plan.built and 2 or 0) then
    return 4000 + space * 10
  end
  local left, token = rounds_left(), 0
  if get(counter.princeps) ~= seat then
    token = math.floor(token_worth(left) * (council.qualifies(seat) and 0.6 or 0.1))
  end
  -- Late Councils are harder to answer.
  return math.max(draw, token) + (left == 1 and space * 20 or 0)
end

function EXPECT.progress(plan, seat)
  local free = 12 - size(zone.tiles, seat)
  return tile_worth(rounds_left()) * math.max(0, math.min(free, query("progress.limit", calendar.period(), seat)))
end

-- While plans are made, no token has been revealed yet.
local function planning()
  for _, seat in seats() do
    if size(zone.spent, seat) > 0 then
      return false
    end
  end
  return true
end

local function plan_worth(seat)
  local tokens = cards(zone.plan, seat)
  if not planning() then
    return 0
  end
  local plan = { gold = get(counter.gold, seat) }
  local worth = 0
  for space, token in tokens do
    worth = worth + EXPECT[prop(token, "action")](plan, seat, space)
  end
  return worth
end

-- A Council that the seat has summoned: what its check will bring if nobody plays against it.
local function council_worth(seat)
  if get(counter.council_host) ~= seat then
    return 0
  end
  local missing, cards_left = shortfall(seat), playable_support(seat)
  if missing <= cards_left and get(counter.might, seat) >= TOP then
    return CROWNED_NEXT - missing * POINT
  end
  if get(counter.princeps) == seat then
    return -60
  end
  local tracks = query("council.tracks", 2, seat)
  local have = council.unsurpassed(seat)
  local token = token_worth(rounds_left())
  return have >= tracks and math.floor(token * 0.8) or have + 1 == tracks and math.floor(token * 0.25) or -60
end

-- The whole --------------------------------------------------------------------------------------------------------

--- How bots judge: Besides the three tracks, bots weigh gold, cards, tiles, units, plans and dangers. This changes no
--- rule.
function M.value(self, value, owner_of_rule, seat)
  if not playing(seat) then
    return value
  end
  local left = rounds_left()
  local worth = means(seat, left) + hand_worth(seat) + surplus_correction(seat)
  local rivals, means_of_rivals = others(seat), 0
  for _, rival in rivals do
    means_of_rivals = means_of_rivals + means(rival, left) + 35 * size(zone.hand, rival)
  end
  if #rivals > 0 then
    worth = worth - math.floor(means_of_rivals / #rivals)
  end
  worth = worth + pending_battles(seat) - prince_danger(seat) + plan_worth(seat) + council_worth(seat)
  if get(counter.acting) == seat then
    worth = worth + ACTING
  end
  return value + worth
end

--- For tuning: logs how the seat's position is judged.
function M.judge(seat)
  log("position-judged", seat, query("bot.value", 0, seat))
end

return M
