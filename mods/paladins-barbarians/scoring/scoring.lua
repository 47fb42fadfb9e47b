-- The end: lands, ranks in five spheres, destiny, and who has won. Every point is told.
local building = import("orders/building")
local gold = import("orders/gold")
local lands = import("map/lands")
local M = {}

local SPHERES = { "army", "wealth", "constructions", "glory" }
-- Destiny cards by place in feats of arms, for every number of players.
local DESTINY = { [1] = { 0 }, [2] = { 0, 1 }, [3] = { 0, 1, 2 }, [4] = { 0, 1, 1, 2 }, [5] = { 0, 0, 1, 1, 2 } }

local function standing(seat, what)
  return count{owner = seat, kind = what, on = "map"}
end

-- Buildings of the seat in territories that it owns.
local function held(seat, what)
  return #filter(pieces{owner = seat, kind = what, on = "map"}, function(piece)
    return controller(at(piece)) == seat
  end)
end

--- Scoring points for the army: units and protective buildings.
function M.army(seat)
  return lands.army(seat) + held(seat, kind.watchtower) + held(seat, kind.wall) + held(seat, kind.fortress)
end

--- Scoring points for wealth: talents and Treasure Houses.
function M.wealth(seat)
  return gold.total(seat) + 2 * held(seat, kind.treasure_house)
end

--- Scoring points for constructions: the highest own level of each territory, no matter who owns it.
function M.constructions(seat)
  local points = 0
  for _, land in spaces() do
    local highest = 0
    for _, token in pieces{at = land, owner = seat, class = "building"} do
      highest = math.max(highest, stat(token, "level"))
    end
    points = points + highest
  end
  return points
end

--- Scoring points for glory: Statues, the Palace, the Tournament; a ruined capital costs some.
function M.glory(seat)
  local points = standing(seat, kind.statue) + 3 * standing(seat, kind.palace) + get(counter.tournament, seat)
  if standing(seat, building.capital(seat)) == 0 then
    points = points - 3
  end
  return points
end

local MEASURE = { army = M.army, wealth = M.wealth, constructions = M.constructions, glory = M.glory }

-- Place of a seat in a sphere: equal values share one, and the next follows without a gap.
local function dense_place(seat, values)
  local better = {}
  for _, value in pairs(values) do
    if value > values[seat] and not contains(better, value) then
      table.insert(better, value)
    end
  end
  return #better + 1
end

-- Place of a seat among all: as many seats as are ahead of it, and one more.
local function place_among(seat, values)
  local ahead = 0
  for _, value in pairs(values) do
    if value > values[seat] then
      ahead = ahead + 1
    end
  end
  return ahead + 1
end

-- Victory points by rank: as many as there are players for the first, one fewer for each place after.
local function points_for(seat, values, players)
  return players + 1 - dense_place(seat, values)
end

--- Says what a sphere brings to each of several players, for designers who add kingdoms. Each digit of the number is the
--- value of one player.
function M.tell_ranks(digits)
  local values, left = {}, digits
  while left > 0 do
    table.insert(values, 1, left % 10)
    left = math.floor(left / 10)
  end
  for player, value in ipairs(values) do
    log("rank-number", value, points_for(player, values, #values))
  end
end

-- Scores a sphere.
local function rank(order, sphere, values)
  for _, seat in order do
    local points = points_for(seat, values, #order)
    add(counter.victory, points, seat)
    log("sphere", seat, sphere, values[seat], points)
  end
end

--- How many Destiny cards a place in feats of arms draws.
function M.destiny_cards(players, place_in_feats)
  return DESTINY[players][place_in_feats]
end

--- Says how many Destiny cards a place draws, for designers who add kingdoms.
function M.tell_destiny(players, place_in_feats)
  log("destiny-number", players, place_in_feats, M.destiny_cards(players, place_in_feats))
end

-- Who did least in war comes first.
local function last_first(order, feats)
  return sorted(order, function(a, b)
    return feats[a] < feats[b] or feats[a] == feats[b] and a < b
  end)
end

--- Says in which order players with these feats draw their Destiny, for designers who add kingdoms.
function M.tell_draws(...)
  local feats, players = { ... }, {}
  for player in ipairs(feats) do
    players[player] = player
  end
  for _, player in last_first(players, feats) do
    log("destiny-turn", player, feats[player])
  end
end

-- The seats that did little in war draw penalties, the last one first.
local function draw_destiny(order, feats)
  for _, seat in last_first(order, feats) do
    for _ = 1, M.destiny_cards(#order, place_among(seat, feats)) do
      local card = top(zone.ages)
      if card and prop(card, "type") == "destiny" then
        reveal(card)
        put(card, zone.destiny_drawn, seat)
        log("destiny", seat, card)
      end
    end
  end
end

-- What destiny takes from a seat in a sphere, or from its victory points.
local function penalty(seat, target)
  local points = 0
  for _, card in cards(zone.destiny_drawn, seat, { target = target }) do
    points = points + param(card, "points")
  end
  return points
end

-- Lands bring victory points themselves; a conquered capital brings one more.
local function score_lands(order)
  for _, seat in order do
    local owned = #lands.of(seat)
    add(counter.victory, owned + get(counter.great_conqueror, seat), seat)
    log("sphere", seat, "lands", owned, owned + get(counter.great_conqueror, seat))
  end
end

local function track_of(order)
  local feats = {}
  for _, seat in order do
    feats[seat] = get(counter.feats, seat)
  end
  return feats
end

-- What never was part of a rank: points of the Altar, and destiny's last word.
local function settle(order)
  for _, seat in order do
    add(counter.victory, get(counter.permanent, seat) - penalty(seat, "victory"), seat)
    log("final-score", seat, get(counter.victory, seat))
  end
end

-- Those of the candidates with the most of what is measured.
local function best(candidates, measure)
  local most, found = nil, {}
  for _, seat in candidates do
    local value = measure(seat)
    if most == nil or value > most then
      most, found = value, {}
    end
    if value == most then
      table.insert(found, seat)
    end
  end
  return found
end

local function victory(seat)
  return get(counter.victory, seat)
end

local function final_glory(seat)
  return M.glory(seat) - penalty(seat, "glory")
end

local function owned(seat)
  return #lands.of(seat)
end

-- The most points win; then glory, lands and gold decide.
local function crown_winner(order)
  local left = order
  for _, step in ipairs({
    { "points", victory }, { "more-glory", final_glory }, { "more-lands", owned }, { "more-gold", gold.total },
  }) do
    left = best(left, step[2])
    if #left == 1 then
      win(left[1], step[1])
      return
    end
  end
  draw_game("even")
end

--- Scores the game and ends it.
function M.finish()
  local order = seats()
  log("scoring")
  score_lands(order)
  local feats = track_of(order)
  rank(order, "feats", feats)
  draw_destiny(order, feats)
  for _, sphere in SPHERES do
    local values = {}
    for _, seat in order do
      values[seat] = MEASURE[sphere](seat) - penalty(seat, sphere)
    end
    rank(order, sphere, values)
  end
  settle(order)
  crown_winner(order)
end

return M
