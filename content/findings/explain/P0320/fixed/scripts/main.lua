local M = {}

---@param seat? Seat
local function turn(seat)
  set_active(seat or faction.red)
end

function M.play()
  turn()
end

return M
