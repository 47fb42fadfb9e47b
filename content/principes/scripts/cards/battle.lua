-- Battle Cards: their texts. Phase and limit are the battle's business, see combat.
local M = {}

local OTHER = { attacker = "defender", defender = "attacker" }

local function mine(seat)
  return battle.side(seat)
end

local function theirs(seat)
  return OTHER[battle.side(seat)]
end

-- How many of a side's units that entered are of this kind.
local function number_of(side, unit)
  return #filter(battle.units(side), function(piece) return kindof(piece) == unit end)
end

-- Before the battle ----------------------------------------------------------

--- Charge: every Knight counts once more.
function M.charge_play(self, seat)
  battle.add(mine(seat), "swords", math.min(self.most, self.swords * number_of(mine(seat), kind.knight)))
end

--- Shield Wall: every Footman covers his neighbor.
function M.shield_wall_play(self, seat)
  battle.add(mine(seat), "shields", math.min(self.most, self.shields * number_of(mine(seat), kind.footman)))
end

--- Scaling Ladders: the walls count for less.
function M.ladders_play(self, seat)
  local walls = import("combat").walls(battle.space())
  battle.add("defender", "shields", 0 - math.min(self.shields, walls))
end

--- Night Sortie: out of the gate, best out of a castle's.
function M.sortie_play(self, seat)
  local walled = count{at = battle.space(), kind = kind.castle} > 0
  battle.add("defender", "swords", walled and self.walled or self.swords)
end

--- Blessing of Banners: the bishop's favor can be spent.
function M.blessing_play(self, seat)
  local shields = self.shields
  if get(counter.clergy, seat) >= self.clergy
    and confirm(seat, "battle.bless", { about = { self.clergy, self.blessed }, source = self.card }) then
    lose(counter.clergy, self.clergy, seat)
    shields = self.blessed
  end
  battle.add(mine(seat), "shields", shields)
end

--- Mercenaries: swords for gold.
function M.mercenaries_play(self, seat)
  local hired = choose(seat, "battle.mercenaries", function()
    local options = {}
    for gold = 0, math.min(self.gold, get(counter.gold, seat)) do
      table.insert(options, gold)
    end
    return options
  end, { source = self.card })
  lose(counter.gold, hired, seat)
  battle.add(mine(seat), "swords", hired * self.swords)
end

--- Prince's Champion: somebody rides out in the Prince's name.
function M.champion_play(self, seat)
  if number_of(mine(seat), kind.prince) > 0 then
    battle.add(mine(seat), "swords", self.swords)
  end
end

--- Muddy Field: enemy horses sink in.
function M.mud_play(self, seat)
  local riders = filter(battle.units(theirs(seat)), function(piece) return prop(kindof(piece), "class") == "cavalry" end)
  local swords = 0
  for _, rider in ipairs(riders) do
    swords = swords + stat(rider, "swords")
  end
  battle.add(theirs(seat), "swords", 0 - math.min(self.swords, swords))
end

--- Scouts: the first roll need not stand. Live while the card lies in the battle.
function M.scouts_rerolls(self, value, owner, seat)
  return seat == owner and value + self.rerolls or value
end

--- Feigned Flight: the few draw the many out of order.
function M.flight_play(self, seat)
  if #battle.units(mine(seat)) < #battle.units(theirs(seat)) then
    battle.add(mine(seat), "swords", self.swords)
    battle.add(mine(seat), "shields", self.shields)
  end
end

-- After the battle -----------------------------------------------------------

--- Ransom: the beaten player pays for his captives.
function M.ransom_play(self, seat)
  local loser = battle.player(theirs(seat))
  if loser then
    log("gold-taken", seat, loser, transfer(counter.gold, self.gold, loser, seat))
  end
end

--- Plunder: armor and horses of the toppled.
function M.plunder_play(self, seat)
  gain(counter.gold, math.min(self.most, self.gold * #battle.toppled(theirs(seat))), seat)
end

--- Field Hospital: one of the toppled Footmen stands again, here or close by.
function M.hospital_play(self, seat)
  local toppled = filter(battle.toppled(mine(seat)), function(piece) return kindof(piece) == kind.footman end)
  if #toppled == 0 or count{owner = seat, kind = kind.footman, on = "pool"} == 0 then
    return
  end
  local beds = spaces{beside = battle.space(), controller = seat}
  if controller(battle.space()) == seat then
    table.insert(beds, battle.space())
  end
  local land = choose(seat, "battle.hospital", beds, { source = self.card })
  if land then
    place(kind.footman, seat, land)
    log("unit-recovers", seat, kind.footman, land)
  end
end

--- Honour in Defeat: songs are sung of the beaten.
function M.honour_play(self, seat)
  gain(counter.people, self.people, seat)
end

--- Te Deum: thanks are given in the cathedral.
function M.te_deum_play(self, seat)
  gain(counter.clergy, self.clergy, seat)
end

--- Pursuit: one of those who withdrew is caught.
function M.pursuit_play(self, seat)
  local refuge = get(counter.withdrawn_to)
  if refuge == nil then
    return
  end
  local fleeing = filter(battle.standing(theirs(seat)), function(piece)
    return kindof(piece) == kind.footman and at(piece) == refuge
  end)
  if #fleeing > 0 then
    log("unit-caught", seat, owner(fleeing[1]), refuge)
    import("homes").send(fleeing[1], { remover = seat })
  end
end

return M
