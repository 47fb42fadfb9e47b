-- Progress Tiles of the Movement Action and of battle.
local M = {}

--- Siege Engines: When you attack, {shields} shields of the defender's settlement do not count.
function M.siege_shields(self, value, owner, side_faction)
  if battle.player("attacker") == owner and side_faction == battle.faction("defender") then
    return math.max(0, value - self.shields)
  end
  return value
end

--- Border Guards: Foreign units need your consent to march through any land you control, even an empty one.
function M.guards_guarded(self, value, owner, faction_owner)
  if faction_owner == owner then
    return 1
  end
  return value
end

--- Mounts for Infantry: Each of your Footmen moves {points} lands farther.
function M.mounts_points(self, value, owner, moved_faction, moved_kind)
  return moved_faction == owner and moved_kind == kind.footman and value + self.points or value
end

return M
