-- Who sits where.
local M = {}

--- The player to the right of a seat: the last to have a turn before it.
function M.right_of(seat)
  local order = others(seat)
  return order[#order]
end

return M
