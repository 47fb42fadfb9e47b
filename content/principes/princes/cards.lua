-- Princes: the rule that lasts while each of them reigns. `owner` is the seat he rules.
local calendar = import("round/calendar")
local council = import("politics/council")
local lands = import("map/lands")
local M = {}

-- Whether the seat's Prince figure is among the units of its side in the battle.
local function prince_fights(seat)
  for _, piece in battle.units(battle.side(seat)) do
    if kindof(piece) == kind.prince then
      return true
    end
  end
  return false
end

-- Polonia Maior --------------------------------------------------------------

--- Vladislav Spindleshanks: Your Prince moves {lands} lands farther than other cavalry.
function M.spindleshanks_points(self, value, owner, side, unit)
  return side == owner and unit == kind.prince and value + self.lands or value
end

--- Vladislav Odonic: Building: each Abbey costs you {gold} gold less.
function M.odonic_cost(self, value, owner, seat, building)
  return seat == owner and building == kind.abbey and math.max(0, value - self.gold) or value
end

--- Premisl the First: Whenever you found a City, gain {people} People Support.
function M.premisl_first_built(self, owner, seat, land, token)
  if seat == owner and prop(token, "class") == "settlement" then
    gain(counter.people, self.people, owner, "prince-support")
  end
end

--- Boleslav the Pious: At the start of each Round, gain {clergy} Clergy Support if none of your units stands in another
--- Principality.
function M.pious_started(self, owner)
  for _, piece in pieces{owner = owner, occupying = true, on = "map"} do
    local lord = home(at(piece))
    if lord and lord ~= owner then
      return
    end
  end
  gain(counter.clergy, self.clergy, owner, "prince-support")
end

--- Premisl the Second: When you summon a Council, first gain {people} People Support.
function M.premisl_second_declared(self, owner, host)
  if host == owner then
    gain(counter.people, self.people, owner, "prince-support")
  end
end

-- Masovia --------------------------------------------------------------------

--- Conrad of Masovia: You may call the Teutonic Knights even if you do not control their land, unless others have units
--- there.
function M.conrad_may_call(self, value, owner, seat, land)
  if seat ~= owner then
    return value
  end
  for _, side in occupants(land) do
    if side ~= owner then
      return value
    end
  end
  return 1
end

--- Siemovit the First: When you defend inside your borders, add {shields} to your shields.
function M.siemovit_shields(self, value, owner, side, space)
  if side == owner and battle.side(owner) == "defender" and home(space) == owner then
    return value + self.shields
  end
  return value
end

--- Casimir of Cuiavia: Each battle you win brings {gold} gold.
function M.casimir_cleaned(self, owner, winner)
  if winner == owner then
    gain(counter.gold, self.gold, owner, "prince-gold")
  end
end

--- Conrad of Czersk: Once a Round, when another player moves Neighbor units, hold {footmen} Footmen back.
function M.czersk_blocked(self, owner, mover, neighbor)
  local round = get(counter.round)
  if mover == owner or get(counter.czersk_round, owner) == round then
    return
  end
  if confirm(owner, "princes.hold-back", { about = { neighbor, mover }, source = self.card }) then
    set(counter.czersk_round, round, owner)
    add(counter.blocked_footmen, self.footmen)
    log("prince-holds-back", owner, neighbor)
  end
end

--- Vladislav the Cubit: Units beaten together with your Prince may withdraw to any land you control.
function M.cubit_retreat(self, value, owner, seat)
  if seat == owner and prince_fights(owner) then
    return 1
  end
  return value
end

-- Polonia Minor --------------------------------------------------------------

--- Leszek the White: When another player summons a Council, gain {people} People Support.
function M.leszek_white_declared(self, owner, host)
  if host and host ~= owner then
    gain(counter.people, self.people, owner, "prince-support")
  end
end

--- Boleslav the Chaste: Taxes bring {gold} more gold; your first Taxes of each Period cost no Support.
function M.chaste_free(self, value, owner, seat)
  if seat == owner and get(counter.salt_period, owner) ~= calendar.period() then
    return 1
  end
  return value
end

function M.chaste_collected(self, owner, seat)
  if seat == owner then
    set(counter.salt_period, calendar.period(), owner)
  end
end

--- Leszek the Black: While your Prince is in your Capital, another player who summons a Council first loses {people}
--- People Support, unless ready for the crown.
function M.leszek_black_declared(self, owner, host)
  -- Nobody can prevent a coronation (PR-COU-12).
  if host and host ~= owner and not council.crownable(host) and lands.of_prince(owner) == prop(owner, "capital") then
    lose(counter.people, self.people, host, "support-lost")
  end
end

-- Silesia --------------------------------------------------------------------

--- Henry the Bearded: When you defend a City, add {shields} to your shields.
function M.bearded_shields(self, value, owner, side, land)
  local defends = side == owner and battle.side(owner) == "defender"
  return defends and count{at = land, class = "settlement"} > 0 and value + self.shields or value
end

--- Henry the Pious: In battles against Invaders, add {shields} to your shields.
function M.pious_shields(self, value, owner, side)
  local place = side == owner and battle.side(owner)
  local foe = place and battle.faction(place == "attacker" and "defender" or "attacker")
  return foe and prop(foe, "group") == "invader" and value + self.shields or value
end

--- Henry the Righteous: Each Tiltyard you build gives {people} more People Support.
function M.righteous_built(self, owner, seat, land, token)
  if seat == owner and token == kind.tiltyard then
    gain(counter.people, self.people, owner, "prince-support")
  end
end

return M
