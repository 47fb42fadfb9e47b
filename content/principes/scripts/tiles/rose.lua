-- Progress Tiles of the Movement Action and of battle.
local M = {}

--- Siege Engines: the attacker ignores part of the settlement's shields.
function M.siege_shields(self, value, owner, side_faction)
  if battle.player("attacker") == owner and side_faction == battle.faction("defender") then
    return math.max(0, value - self.shields)
  end
  return value
end

--- Border Guards: every land of the owner is guarded against passers.
function M.guards_guarded(self, value, owner, faction_owner, mover)
  return faction_owner == owner and mover ~= owner and 1 or value
end

--- Mounts for Infantry: the owner's Footmen ride.
function M.mounts_points(self, value, owner, moved_faction, moved_kind)
  return moved_faction == owner and moved_kind == kind.footman and value + self.points or value
end

--- Learning Chess: the own die may be turned over after the first count.
function M.chess_flips(self, value, owner, seat)
  return seat == owner and value + self.flips or value
end

return M
