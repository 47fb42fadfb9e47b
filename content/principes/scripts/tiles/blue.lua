-- Progress Tiles of the Assembly Action.
local lands = import("lands")
local hand = import("hand")
local M = {}

--- Land Levy: more units at once.
function M.levy_limit(self, value, owner, seat)
  return seat == owner and value + self.units or value
end

--- Horse Breeding: the first Knights of the action cost nothing.
function M.horses_cost(self, value, owner, seat, nth)
  return seat == owner and nth <= self.knights and 0 or value
end

--- Castle Garrisons: lands with a Castle are legal places.
function M.garrisons_place(self, value, owner, seat, land)
  if seat == owner and count{at = land, kind = kind.castle} > 0 then
    return 1
  end
  return value
end

--- Training Grounds: Tiltyards teach new tricks of war.
function M.training_start(self, owner, seat)
  if seat ~= owner then
    return
  end
  local tiltyards = #lands.with(owner, kind.tiltyard)
  if tiltyards > 0 then
    hand.draw(owner, "battle", tiltyards * self.cards)
    hand.enforce_limit(owner)
  end
end

return M
