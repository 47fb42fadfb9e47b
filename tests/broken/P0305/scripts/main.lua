local M = {}

function M.play()
  set_active(faction.rde)
end

return M
