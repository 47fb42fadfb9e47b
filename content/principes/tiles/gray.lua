-- Progress Tiles of Politics: hand, Council, Princess.
local lands = import("map/lands")
local M = {}

--- Knightly Culture: When any Council is declared, gain {people} People Support for each Tiltyard you control.
function M.culture_declared(self, owner)
  local tiltyards = #lands.with(owner, kind.tiltyard)
  if tiltyards > 0 then
    gain(counter.people, tiltyards * self.people, owner, "knightly-culture")
  end
end

return M
