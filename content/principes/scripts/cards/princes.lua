-- Princes: the rule that lasts while each of them reigns. `owner` is the seat he rules.
local calendar = import("calendar")
local M = {}

-- Whether the seat's Prince figure is among the units of its side in the battle.
local function prince_fights(seat)
  local side = battle.side(seat)
  for _, piece in ipairs(side and battle.units(side) or {}) do
    if kindof(piece) == kind.prince then
      return true
    end
  end
  return false
end

-- Polonia Maior --------------------------------------------------------------

--- Vladislav Spindleshanks: long legs, long rides.
function M.spindleshanks_points(self, value, owner, side, unit)
  return side == owner and unit == kind.prince and value + self.lands or value
end

--- Vladislav Odonic: monks are welcome.
function M.odonic_cost(self, value, owner, seat, building)
  return seat == owner and building == kind.abbey and math.max(0, value - self.gold) or value
end

--- Premisl the First: burghers praise the founder.
function M.premisl_first_built(self, owner, seat, land, token)
  if seat == owner and prop(token, "class") == "settlement" then
    gain(counter.people, self.people, owner, "prince-support")
  end
end

--- Boleslav the Pious: who keeps the peace has the Church with him.
function M.pious_started(self, owner)
  for _, piece in ipairs(pieces{owner = owner, occupying = true, on = "map"}) do
    local lord = home(at(piece))
    if lord and lord ~= owner then
      return
    end
  end
  gain(counter.clergy, self.clergy, owner, "prince-support")
end

--- Premisl the Second: the old crown is spoken of again.
function M.premisl_second_declared(self, owner, host)
  if host == owner then
    gain(counter.people, self.people, owner, "prince-support")
  end
end

-- Masovia --------------------------------------------------------------------

--- Conrad of Masovia: he sends for the Knights whether he holds their land or not, unless others do.
function M.conrad_may_call(self, value, owner, seat, land)
  if seat ~= owner then
    return value
  end
  for _, side in ipairs(occupants(land)) do
    if side ~= owner then
      return value
    end
  end
  return 1
end

--- Siemovit the First: a hedge of stakes around the homeland.
function M.siemovit_shields(self, value, owner, side, space)
  if side == owner and battle.side(owner) == "defender" and home(space) == owner then
    return value + self.shields
  end
  return value
end

--- Casimir of Cuiavia: every victory pays, before the beaten have even gone.
function M.casimir_cleaned(self, owner, winner)
  if winner == owner then
    gain(counter.gold, self.gold, owner, "prince-gold")
  end
end

--- Conrad of Czersk: old ties abroad keep some men at home, once a Round.
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

--- Vladislav the Cubit: small enough for every cave.
function M.cubit_retreat(self, value, owner, seat)
  return seat == owner and prince_fights(owner) and 1 or value
end

-- Polonia Minor --------------------------------------------------------------

--- Leszek the White: whoever calls the princes together must reckon with him.
function M.leszek_white_declared(self, owner, host)
  if host and host ~= owner then
    gain(counter.people, self.people, owner, "prince-support")
  end
end

--- Boleslav the Chaste: salt pays where taxes would hurt.
function M.chaste_income(self, value, owner, seat)
  return seat == owner and value + self.gold or value
end

function M.chaste_free(self, value, owner, seat)
  return seat == owner and get(counter.salt_period, owner) ~= calendar.period() and 1 or value
end

function M.chaste_collected(self, owner, seat)
  if seat == owner then
    set(counter.salt_period, calendar.period(), owner)
  end
end

--- Leszek the Black: he leads from the front.
function M.leszek_black_strength(self, value, owner, side)
  return side == owner and prince_fights(owner) and value + self.swords or value
end

-- Silesia --------------------------------------------------------------------

--- Henry the Bearded: townsmen bring new crafts.
function M.bearded_limit(self, value, owner, seat)
  if seat ~= owner then
    return value
  end
  for _, token in ipairs(pieces{class = "settlement", on = "map"}) do
    if controller(at(token)) == owner then
      return value + self.tiles
    end
  end
  return value
end

--- Henry the Pious: shield of Christendom.
function M.pious_shields(self, value, owner, side)
  local place = side == owner and battle.side(owner)
  local foe = place and battle.faction(place == "attacker" and "defender" or "attacker")
  return foe and prop(foe, "group") == "invader" and value + self.shields or value
end

--- Boleslav the Horned: a quarrelsome hand in every purse.
function M.horned_coin(self, value, owner, seat)
  return seat == owner and value + self.gold or value
end

--- Henry the Righteous: a poet among knights, and his lists are full.
function M.righteous_built(self, owner, seat, land, token)
  if seat == owner and token == kind.tiltyard then
    gain(counter.people, self.people, owner, "prince-support")
  end
end

--- Henry of Glogovia: old claims make trespass cheaper.
function M.glogovia_points(self, value, owner, seat)
  return seat == owner and math.max(0, value - self.lands) or value
end

return M
