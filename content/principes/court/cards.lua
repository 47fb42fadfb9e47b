-- Court Cards: what each does when it is played for its text.
local hand = import("hand/hand")
local politics = import("politics/politics")
local figures = import("pieces/figures")
local lands = import("map/lands")
local M = {}

-- +`each` Support for every controlled land with the building, at most `most` in all.
local function gain_for_buildings(seat, building, track, each, most)
  gain(counter[track], math.min(most, each * #lands.with(seat, building)), seat, "card-support")
end

--- Heir: When your last Prince is lost, you stay in the game without one. This card then leaves the game.
function M.heir_play(self, seat)
  set(counter.kingless, 1, seat)
  put(self.card, zone.box)
end

--- Papal Legate: Gain {clergy} Clergy Support.
function M.legate_play(self, seat)
  gain(counter.clergy, self.clergy, seat, "card-support")
end

--- Tribute: A player who has more gold than you pays you up to {gold} gold.
function M.tribute_play(self, seat)
  local purse = get(counter.gold, seat)
  local richer = filter(others(seat), function(other) return get(counter.gold, other) > purse end)
  local payer = choose(seat, "court.rival", richer, { source = self.card })
  if payer then
    log("gold-taken", seat, payer, transfer(counter.gold, self.gold, payer, seat))
  end
end

-- Foreign Footmen that stand alone on a land next to the seat's lands.
local function lone_footmen(seat)
  local near = {}
  for _, land in spaces{controller = seat} do
    for _, neighbor in neighbors(land) do
      near[neighbor] = true
    end
  end
  return filter(pieces{kind = kind.footman, on = "map"}, function(footman)
    local land = at(footman)
    return owner(footman) ~= seat and near[land] and count{at = land, occupying = true} == 1
  end)
end

--- Bribed Castellan: Pay {gold} gold: remove a foreign Footman who stands alone on a land next to yours.
function M.castellan_play(self, seat)
  if get(counter.gold, seat) < self.gold then
    return
  end
  local targets = lone_footmen(seat)
  local options = figures.options("bribe", targets)
  local verb, sort, land = choose(seat, "court.footman", options, { source = self.card, pass = true })
  if verb == nil or get(counter.gold, seat) < self.gold then
    return
  end
  local footman = figures.find(targets, sort, land)
  lose(counter.gold, self.gold, seat)
  log("unit-removed", seat, sort, land)
  if playing(owner(footman)) then
    remove(footman)
  else
    import("homes/homes").send(footman, { remover = seat })
  end
end

--- Dispensation: Pay nothing for the lands that your units have just entered.
function M.dispensation_play(self, seat)
  put(self.card, zone.in_effect, seat)
end

--- Rumors: Another player loses {people} People Support, or {ahead} if they stand higher there than you.
function M.rumors_play(self, seat)
  local target = choose(seat, "court.rival", others(seat), { source = self.card })
  if target then
    local ahead = get(counter.people, target) > get(counter.people, seat)
    lose(counter.people, ahead and self.ahead or self.people, target, "support-lost")
  end
end

--- Interdict: Another player loses {clergy} Clergy Support and may not play Court Cards marked “your turn” in this
--- Round.
function M.interdict_play(self, seat)
  local target = choose(seat, "court.rival", others(seat), { source = self.card })
  if target then
    lose(counter.clergy, self.clergy, target, "support-lost")
    put(self.card, zone.in_effect, target)
  end
end

function M.interdict_playable(self, value, owner, seat, card)
  if seat == owner and prop(card, "timing") == "turn" then
    return 0
  end
  return value
end

-- Lays the seat's plan again with two of its spaces swapped.
local function swap_plan(seat, first, second)
  local plan = cards(zone.plan, seat)
  plan[first], plan[second] = plan[second], plan[first]
  for _, token in plan do
    put(token, zone.plan, seat)
  end
  log("plan-swapped", seat)
end

--- Spy: Turn one planned token of another player face up for all. Then you may swap two of your own.
function M.spy_play(self, seat)
  local targets = {}
  for _, other in others(seat) do
    for space = 1, size(zone.plan, other) do
      table.insert(targets, { "spy", other, space })
    end
  end
  -- Spaces are named, not tokens: the faces are secret until one is chosen.
  local verb, target, space = choose(seat, "court.spy", targets, { source = self.card })
  if verb then
    local token = cards(zone.plan, target)[space]
    reveal(token)
    log("plan-spied", seat, target, space)
    log("plan-token", prop(token, "action"))
  end
  local swaps = {}
  local planned = size(zone.plan, seat)
  for first = 1, planned do
    for second = first + 1, planned do
      table.insert(swaps, { "swap-plan", first, second })
    end
  end
  local swap, first, second = choose(seat, "court.swap-plan", swaps, { source = self.card, pass = true })
  if swap then
    swap_plan(seat, first, second)
  end
end

--- Royal Hunt: Your Prince rides up to {lands} lands through lands that you control.
function M.hunt_play(self, seat)
  local prince = the_piece{owner = seat, kind = kind.prince, on = "map"}
  if prince == nil then
    return
  end
  local start = at(prince)
  local seen, reached, edge = { [start] = true }, {}, { start }
  for _ = 1, self.lands do
    local next_edge = {}
    for _, land in edge do
      for _, neighbor in spaces{beside = land, controller = seat} do
        if not seen[neighbor] then
          seen[neighbor] = true
          table.insert(reached, neighbor)
          table.insert(next_edge, neighbor)
        end
      end
    end
    edge = next_edge
  end
  local land = choose(seat, "court.hunt", reached, { source = self.card, pass = true })
  if land then
    move(prince, land)
    log("prince-moved", seat, land)
  end
end

--- Marriage Feast: In this Round, your Princess brings {cards} more cards while she is in your Capital.
function M.feast_play(self, seat)
  put(self.card, zone.in_effect, seat)
end

function M.feast_cards(self, value, owner, seat)
  local lady = seat == owner and the_piece{owner = seat, kind = kind.princess, on = "map"}
  if lady and at(lady) == prop(seat, "capital") then
    return value + self.cards
  end
  return value
end

--- Synod: Gain {clergy} Clergy Support for each Abbey you control, at most {most}.
function M.synod_play(self, seat)
  gain_for_buildings(seat, kind.abbey, "clergy", self.clergy, self.most)
end

--- Assembly of Knights: Gain {people} People Support for each Castle you control, at most {most}.
function M.knights_play(self, seat)
  gain_for_buildings(seat, kind.castle, "people", self.people, self.most)
end

--- Forged Charter: Remove the Division Token from one land inside your borders. It costs nothing.
function M.charter_play(self, seat)
  local divided = filter(pieces{kind = kind.division, on = "map"}, function(token)
    return home(at(token)) == seat
  end)
  local sites = {}
  for _, token in divided do
    table.insert(sites, at(token))
  end
  local land = choose(seat, "court.reunite", sites, { source = self.card })
  if land then
    remove(the_piece{at = land, kind = kind.division})
    log("land-reunited", seat, land)
  end
end

--- Amnesty: After collecting Taxes, regain {people} People Support.
function M.amnesty_play(self, seat)
  gain(counter.people, self.people, seat, "card-support")
end

--- Merchant Loan: The next City or building of this action costs {gold} gold less, to a minimum of zero.
function M.loan_play(self, seat)
  put(self.card, zone.in_effect, seat)
end

--- The loan is used up by the first building, or lapses with the action.
function M.loan_over(self, owner, seat)
  if seat == owner then
    hand.discard(self.card)
  end
end

--- Envoys: Draw {cards} Neighbor Cards and put {returned} of them back.
function M.envoys_play(self, seat)
  local drawn = hand.draw(seat, "neighbor", self.cards)
  politics.return_cards(seat, drawn, math.min(#drawn, self.returned))
  hand.enforce_limit(seat)
end

--- Pilgrimage: Remove one of your Knights: gain {people} People and {clergy} Clergy Support.
function M.pilgrimage_play(self, seat)
  local knights = figures.knights(seat)
  local verb, sort, land = choose(seat, "court.knight", figures.options("release", knights), { source = self.card })
  if verb then
    figures.release(seat, knights, sort, land)
    gain(counter.people, self.people, seat)
    gain(counter.clergy, self.clergy, seat)
  end
end

return M
