-- Combat cards: what a property does after the reveal.
local gold = import("orders/gold")
local hand = import("battle/hand")
local lands = import("map/lands")
local units = import("pieces/units")
local M = {}

local function strengthen(seat, amount)
  add(counter.battle_bonus, amount, seat)
  log("property-strength", seat, amount)
end

--- Bribe, in attack: enemy common units stand aside for gold.
function M.bribe_attack(self, seat, foe, land)
  local most = math.min(math.floor(gold.total(seat) / self.price), count{at = land, owner = foe, kind = kind.warrior})
  local numbers = {}
  for number = 1, most do
    numbers[number] = number
  end
  local verb, number = choose(seat, "combat.bribe", { { "bribe", numbers }, "pass" }, { source = self.card })
  if verb == "bribe" then
    add(counter.battle_aside, number, foe)
    log("bribed", seat, number)
    gold.pay(seat, number * self.price)
  end
end

--- Bribe, in defense: gold takes the edge off the attack.
function M.bribe_defend(self, seat, foe)
  if gold.total(seat) >= self.price
    and confirm(seat, "combat.hinder", { source = self.card, about = { self.price } }) then
    strengthen(foe, -self.less)
    gold.pay(seat, self.price)
  end
end

--- Stronger with more units than the enemy.
function M.outnumber(self, seat, foe)
  if get(counter.battle_units, seat) > get(counter.battle_units, foe) then
    strengthen(seat, self.more)
  end
end

--- Stronger with fewer units than the enemy.
function M.outnumbered(self, seat, foe)
  if get(counter.battle_units, seat) < get(counter.battle_units, foe) then
    strengthen(seat, self.fewer)
  end
end

--- Talents from the supply.
function M.pay_out(self, seat)
  gold.gain(seat, self.talents)
end

--- Talents from the enemy.
function M.rob(self, seat, foe)
  gold.gain(seat, gold.lose(foe, self.talents))
end

--- Fewer own units die.
function M.shelter(self, seat)
  add(counter.battle_saved, self.saved, seat)
end

--- More enemy units die.
function M.shoot(self, seat)
  add(counter.battle_extra, self.killed, seat)
end

--- Stronger on a territory with buildings.
function M.storm(self, seat, foe, land)
  if count{at = land, class = "building"} > 0 then
    strengthen(seat, self.storm)
  end
end

--- Stronger on a territory with an own building that works.
function M.shelter_behind(self, seat, foe, land)
  if get(counter.rebellion, land) == 0 and count{at = land, owner = seat, class = "building"} > 0 then
    strengthen(seat, self.home)
  end
end

--- Another combat card.
function M.scout(self, seat)
  for _ = 1, self.cards do
    hand.draw(seat)
  end
end

--- The enemy's added card is worth nothing.
function M.unmask(self, seat, foe)
  if top(zone.support, foe) then
    strengthen(foe, -1)
  end
end

--- The enemy's card is worth less.
function M.hinder(self, seat, foe)
  strengthen(foe, -self.less)
end

--- A common unit joins an own territory with room.
function M.rally(self, seat)
  local open = filter(lands.of(seat), function(land) return lands.room(land, seat) > 0 end)
  if lands.reserve(seat) > 0 then
    local land = choose(seat, "combat.rally", open, { source = self.card })
    if land then
      lands.recruit(seat, land)
      log("mobilized", seat, kind.warrior, land)
    end
  end
end

--- An own unit anywhere is given up for strength.
function M.sacrifice(self, seat)
  local list = units.options("give-up", units.all(seat))
  table.insert(list, "pass")
  local verb, what, land = choose(seat, "combat.sacrifice", list, { source = self.card })
  if verb == "give-up" then
    units.dismiss(units.find(units.all(seat), what, land))
    strengthen(seat, self.strength)
  end
end

--- Strength for gold.
function M.hire(self, seat)
  local numbers = {}
  for number = 1, math.min(self.most, gold.total(seat)) do
    numbers[number] = number
  end
  local verb, number = choose(seat, "combat.hire", { { "hire", numbers }, "pass" }, { source = self.card })
  if verb == "hire" then
    strengthen(seat, number)
    gold.pay(seat, number)
  end
end

--- A victory is worth more on the track.
function M.renown(self, seat)
  add(counter.battle_prize, self.feats, seat)
end

--- Strength for every few units; the card says how many.
function M.drum(self, seat)
  strengthen(seat, math.floor(get(counter.battle_units, seat) / self.units))
end

--- Strength by a die: half of what it shows, rounded up.
function M.foretell(self, seat)
  strengthen(seat, math.ceil(roll(6) / 2))
end

--- The enemy throws a card away.
function M.ambush(self, seat, foe)
  local card = choose(foe, "combat.ambush", cards(zone.hand, foe), { source = self.card, always = true })
  if card then
    reveal(card)
    put(card, zone.combat_discard)
    log("card-discarded", foe, card)
  end
end

return M
