-- History Cards: texts resolved at the reveal, in the set order, or lasting for the Round.
local hand = import("hand")
local building = import("building")
local figures = import("figures")
local M = {}

-- Calls `act` for each seat that still plays, in the set order.
local function each_seat(act)
  for _, seat in ipairs(seats()) do
    if playing(seat) and not over() then
      act(seat)
    end
  end
end

-- Pays gold for Support after asking. Cards in hand may still become gold, so their holders are asked anyway.
local function offer_support(seat, card, gold, people, clergy)
  local answer = choose(seat, "history.offering", function()
    return get(counter.gold, seat) >= gold and { "yes", "no" } or { "no" }
  end, { about = { gold }, source = card, always = size(zone.hand, seat) > 0 })
  if answer == "yes" then
    lose(counter.gold, gold, seat)
    gain(counter.people, people, seat)
    gain(counter.clergy, clergy, seat)
    log("offering-made", seat, gold)
  end
end

-- One free building of the kind on a controlled land, or none.
local function offer_building(seat, card, token)
  if count{kind = token, on = "pool"} == 0 then
    return
  end
  local sites = building.building_sites(seat)
  local land = choose(seat, "history.build", sites, { about = { token }, source = card, pass = true })
  if land then
    building.build(seat, token, land)
  end
end

--- Spring Thaw: mud on every road, for horse and foot alike.
function M.thaw_points(self, value)
  return math.min(value, self.lands)
end

--- Meeting at Gansava: a Prince away from home is in danger of his good name.
function M.gansava_reveal(self)
  each_seat(function(seat)
    local prince = the_piece{owner = seat, kind = kind.prince, on = "map"}
    if prince and at(prince) ~= prop(seat, "capital") then
      lose(counter.people, self.people, seat, "support-lost")
    end
  end)
end

--- Lateran Council: the peace of the Church makes trespass dearer.
function M.lateran_points(self, value)
  return value > 0 and value + self.lands or value
end

--- Crusade in Prussia: a Knight takes the cross.
function M.crusade_reveal(self)
  each_seat(function(seat)
    local knights = figures.knights(seat)
    local options = figures.options("release", knights)
    local verb, sort, land = choose(seat, "history.crusader", options, { source = self.card, pass = true })
    if verb then
      figures.release(seat, knights, sort, land)
      gain(counter.clergy, self.clergy, seat)
    end
  end)
end

--- First Town Charters: settlers pay part of the price.
function M.charters_cost(self, value)
  return math.max(0, value - self.gold)
end

--- Claims of Brothers: everybody looks abroad for help.
function M.claims_reveal(self)
  each_seat(function(seat)
    hand.draw(seat, "neighbor", self.cards)
    hand.enforce_limit(seat)
  end)
end

--- Battle of Legnecium: the Capital is manned in haste.
function M.legnecium_reveal(self)
  each_seat(function(seat)
    local capital = prop(seat, "capital")
    if controller(capital) ~= seat or count{owner = seat, kind = kind.footman, on = "pool"} == 0 then
      return
    end
    if confirm(seat, "history.levy", { about = { capital }, source = self.card }) then
      for _ = 1, self.footmen do
        place(kind.footman, seat, capital)
      end
      log("unit-assembled", seat, kind.footman, capital)
    end
  end)
end

--- Great Charter of Cracovia: craftsmen bring new ways.
function M.great_charter_limit(self, value)
  return value + self.tiles
end

--- Canonisation of Saint Stanislav: a house of prayer in his honour.
function M.canonisation_reveal(self)
  each_seat(function(seat) offer_building(seat, self.card, kind.abbey) end)
end

--- Second Mongol Raid: walls are raised while there is time.
function M.second_raid_reveal(self)
  each_seat(function(seat) offer_building(seat, self.card, kind.castle) end)
end

--- Prussian Uprising: crusaders from everywhere stand with whoever attacks.
function M.uprising_strength(self, value, owner, side)
  if battle.side(side) ~= "attacker" then
    return value
  end
  local defender = battle.faction("defender")
  if defender == faction.balts or defender == faction.teutonic_knights then
    return value + self.swords
  end
  return value
end

--- Hunger Years: whoever still takes taxes is hated for it.
function M.hunger_collected(self, owner, seat)
  lose(counter.people, self.people, seat, "support-lost")
end

--- Third Mongol Raid: the court flees behind the Capital's walls.
function M.third_raid_reveal(self)
  each_seat(function(seat)
    local capital = prop(seat, "capital")
    local prince = the_piece{owner = seat, kind = kind.prince, on = "map"}
    if prince and at(prince) ~= capital and controller(capital) == seat and controller(at(prince)) == seat
      and confirm(seat, "history.flight", { about = { capital }, source = self.card }) then
      move(prince, capital)
      log("prince-moved", seat, capital)
    end
  end)
end

--- Crown of Gnesna: the leaders of each track find friends at court.
function M.crown_reveal(self)
  local leaders = {}
  for _, track in ipairs({ counter.might, counter.people, counter.clergy }) do
    local best = 0
    for _, seat in ipairs(seats()) do
      best = math.max(best, get(track, seat))
    end
    for _, seat in ipairs(seats()) do
      if get(track, seat) == best then
        leaders[seat] = true
      end
    end
  end
  each_seat(function(seat)
    if leaders[seat] then
      hand.draw(seat, "court", self.cards)
      hand.enforce_limit(seat)
    end
  end)
end

--- March beyond the Oder: the margrave's men ride for promises.
function M.oder_cost(self, value)
  return math.max(0, value - self.gold)
end

--- Tournament of Vratislavia: every prince wants lists of his own.
function M.tournament_reveal(self)
  each_seat(function(seat) offer_building(seat, self.card, kind.tiltyard) end)
end

--- Black Cross on the Coast: strangers fight harder for what they hold.
function M.cross_strength(self, value, owner, side)
  if side == faction.teutonic_knights or prop(side, "group") == "neighbor" then
    return value + self.swords
  end
  return value
end

--- Crown from Bohemia: a crown has its price.
function M.bohemia_reveal(self)
  each_seat(function(seat) offer_support(seat, self.card, self.gold, self.people, self.clergy) end)
end

return M
