-- Progress Tiles of the Assembly Action.
local lands = import("map/lands")
local hand = import("hand/hand")
local M = {}

--- Horse Breeding: Assembly: your first {knights} Knights are free.
function M.horses_cost(self, value, owner, seat, nth)
  return seat == owner and nth <= self.knights and 0 or value
end

--- Castle Garrisons: Assembly: units may also appear on any land you control that has a Castle.
function M.garrisons_place(self, value, owner, seat, land)
  if seat == owner and count{at = land, kind = kind.castle} > 0 then
    return 1
  end
  return value
end

--- Training Grounds: Assembly: first draw {cards} Battle Cards for each Tiltyard you control.
function M.training_start(self, owner, seat)
  if seat ~= owner then
    return
  end
  hand.draw(owner, "battle", #lands.with(owner, kind.tiltyard) * self.cards)
  hand.enforce_limit(owner)
end

return M
