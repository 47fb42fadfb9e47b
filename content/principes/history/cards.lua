-- History Cards: texts resolved at the reveal, in the set order, or lasting for the Round.
local hand = import("hand/hand")
local building = import("actions/building")
local council = import("politics/council")
local figures = import("pieces/figures")
local M = {}

-- Calls `act` for each seat that still plays, in the set order.
local function each_seat(act)
  for _, seat in seats() do
    act(seat)
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

--- Meeting at Gansava: Each player whose Prince stands outside that player's Capital loses {people} People Support.
function M.gansava_reveal(self)
  each_seat(function(seat)
    local prince = the_piece{owner = seat, kind = kind.prince, on = "map"}
    if prince and at(prince) ~= prop(seat, "capital") then
      lose(counter.people, self.people, seat, "support-lost")
    end
  end)
end

--- Lateran Council: In this Round, a player who pays for lands entered by movement pays for {lands} more lands.
function M.lateran_points(self, value)
  return value + self.lands
end

--- Crusade in Prussia: Each player may send a Knight home to gain {clergy} Clergy Support.
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

--- Claims of Brothers: Each player draws Neighbor Cards: {cards}.
function M.claims_reveal(self)
  each_seat(function(seat)
    hand.draw(seat, "neighbor", self.cards)
    hand.enforce_limit(seat)
  end)
end

--- Battle of Legnecium: Each player may assemble {footmen} Footmen in a Capital that they control.
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

--- Canonization of Saint Stanislav: Each player may build an Abbey on a controlled land. It costs nothing.
function M.canonisation_reveal(self)
  each_seat(function(seat) offer_building(seat, self.card, kind.abbey) end)
end

--- Second Mongol Raid: Each player may build a Castle on a controlled land. It costs nothing.
function M.second_raid_reveal(self)
  each_seat(function(seat) offer_building(seat, self.card, kind.castle) end)
end

--- Prussian Uprising: In this Round, a player who attacks Balts or Teutonic Knights has +{swords} swords.
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

--- Hunger Years: In this Round, a player who collects taxes loses {people} more People Support.
function M.hunger_collected(self, owner, seat)
  lose(counter.people, self.people, seat, "support-lost")
end

--- Third Mongol Raid: Each player whose Prince stands on a controlled land may move him to a controlled Capital.
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

--- Crown of Gnesna: Each player whom nobody surpasses on at least one track draws Court Cards: {cards}.
function M.crown_reveal(self)
  -- What a player trades in for Support changes nothing for the next ones.
  local leaders = filter(seats(), function(seat) return council.unsurpassed(seat) > 0 end)
  for _, seat in leaders do
    hand.draw(seat, "court", self.cards)
    hand.enforce_limit(seat)
  end
end

--- Tournament of Vratislavia: Each player may build a Tiltyard on a controlled land. It costs nothing.
function M.tournament_reveal(self)
  each_seat(function(seat) offer_building(seat, self.card, kind.tiltyard) end)
end

--- Black Cross on the Coast: In this Round, Teutonic Knights and Neighbors have +{swords} swords in battle.
function M.cross_strength(self, value, owner, side)
  if side == faction.teutonic_knights or prop(side, "group") == "neighbor" then
    return value + self.swords
  end
  return value
end

--- Crown from Bohemia: Each player may pay {gold} gold for {people} People and {clergy} Clergy Support.
function M.bohemia_reveal(self)
  each_seat(function(seat) offer_support(seat, self.card, self.gold, self.people, self.clergy) end)
end

return M
