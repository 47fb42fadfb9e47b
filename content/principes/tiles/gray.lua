-- Progress Tiles of Politics: hand, Council, Princess.
local lands = import("map/lands")
local M = {}

--- Knightly Culture: When any Council is declared, gain {people} People Support for each Tiltyard you control.
function M.culture_declared(self, owner)
  gain(counter.people, #lands.with(owner, kind.tiltyard) * self.people, owner, "knightly-culture")
end

return M
