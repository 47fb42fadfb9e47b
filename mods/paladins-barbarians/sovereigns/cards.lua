-- Sovereigns: each changes numbers for its own kingdom while it rules.
local M = {}

local function own(value, owner, seat, gain)
  if seat == owner then
    return value + gain
  end
  return value
end

--- Strategist: a card lies ready beside the hand.
function M.strategist_apart(self, value, owner, seat)
  return own(value, owner, seat, self.cards)
end

--- Logistician: nobody pays for moves after the attacks.
function M.logistician_free(self, value, owner, seat)
  return own(value, owner, seat, get(counter.army_limit))
end

function M.logistician_steps(self, value, owner, seat)
  return own(value, owner, seat, self.steps)
end

--- Tactician: once an age an enemy card is worth its strength and no more.
function M.tactician_void(self, value, owner, seat)
  return own(value, owner, seat, 1)
end

--- Marauder: the dead pay, and so do buildings.
function M.marauder_battle(self, value, owner, seat)
  return own(value, owner, seat, self.talents)
end

function M.marauder_attack(self, value, owner, seat)
  return own(value, owner, seat, self.talents)
end

--- Lord of the Horde: no fine for size.
function M.horde_fine(self, value, owner, seat)
  if seat == owner then
    return 0
  end
  return value
end

--- Conqueror: walls can be bought, and war forgives orders not given.
function M.conqueror_breach(self, value, owner, seat)
  return own(value, owner, seat, 1)
end

function M.conqueror_forgiven(self, value, owner, seat)
  return own(value, owner, seat, 1)
end

return M
