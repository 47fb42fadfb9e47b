local M = {}

local function go(seat)
  set_active(seat or faction.red)
end

function M.play()
  go()
end

return M
