-- Battle Cards: their texts. The module `combat` handles phases and limits.
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

--- Charge: Each of your Knights adds {swords} to your swords, at most {most}.
function M.charge_play(self, seat)
  battle.add(mine(seat), "swords", math.min(self.most, self.swords * number_of(mine(seat), kind.knight)))
end

--- Shield Wall: Each of your Footmen adds {shields} to your shields, at most {most}.
function M.shield_wall_play(self, seat)
  battle.add(mine(seat), "shields", math.min(self.most, self.shields * number_of(mine(seat), kind.footman)))
end

--- Scaling Ladders: Attacker only: the settlement's walls lose up to {shields} of their shields.
function M.ladders_play(self, seat)
  local walls = import("battle/combat").walls(battle.space())
  battle.add("defender", "shields", 0 - math.min(self.shields, walls))
end

--- Night Sortie: Defender only: add {swords} to your swords, or {walled} if a Castle stands here.
function M.sortie_play(self, seat)
  local walled = count{at = battle.space(), kind = kind.castle} > 0
  battle.add("defender", "swords", walled and self.walled or self.swords)
end

--- Blessing of Banners: Add {shields} to your shields, or {blessed} if you also give up {clergy} Clergy Support.
function M.blessing_play(self, seat)
  local shields = self.shields
  if get(counter.clergy, seat) >= self.clergy
    and confirm(seat, "battle.bless", { about = { self.clergy, self.blessed }, source = self.card }) then
    lose(counter.clergy, self.clergy, seat)
    shields = self.blessed
  end
  battle.add(mine(seat), "shields", shields)
end

--- Mercenaries: Pay up to {gold} gold; every coin adds {swords} to your swords.
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

--- Prince's Champion: If your Prince fights here, add {swords} to your swords.
function M.champion_play(self, seat)
  if number_of(mine(seat), kind.prince) > 0 then
    battle.add(mine(seat), "swords", self.swords)
  end
end

--- Muddy Field: Enemy cavalry sinks in: together it deals up to {swords} fewer swords.
function M.mud_play(self, seat)
  local riders = filter(battle.units(theirs(seat)), function(piece) return prop(kindof(piece), "class") == "cavalry" end)
  local swords = 0
  for _, rider in riders do
    swords = swords + stat(rider, "swords")
  end
  battle.add(theirs(seat), "swords", 0 - math.min(self.swords, swords))
end

--- Feigned Flight: If the enemy has more units than you, add {swords} to your swords and {shields} to your shields.
function M.flight_play(self, seat)
  if #battle.units(mine(seat)) < #battle.units(theirs(seat)) then
    battle.add(mine(seat), "swords", self.swords)
    battle.add(mine(seat), "shields", self.shields)
  end
end

-- After the battle -----------------------------------------------------------

--- Ransom: After a win, take up to {gold} gold from the beaten player.
function M.ransom_play(self, seat)
  local loser = battle.player(theirs(seat))
  if loser then
    log("gold-taken", seat, loser, transfer(counter.gold, self.gold, loser, seat))
  end
end

--- Plunder: After a win, gain {gold} gold for each toppled enemy unit, at most {most}.
function M.plunder_play(self, seat)
  gain(counter.gold, math.min(self.most, self.gold * #battle.toppled(theirs(seat))), seat)
end

--- Field Hospital: One of your Footmen toppled here stands up again on this or a bordering land that you control.
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

--- Honor in Defeat: After a loss, gain {people} People Support.
function M.honor_play(self, seat)
  gain(counter.people, self.people, seat)
end

--- Te Deum: After a win, gain {clergy} Clergy Support.
function M.te_deum_play(self, seat)
  gain(counter.clergy, self.clergy, seat)
end

--- Pursuit: After a win, remove one enemy Footman that withdrew.
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
    import("homes/homes").send(fleeing[1], { remover = seat })
  end
end

return M
