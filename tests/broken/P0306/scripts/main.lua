local M = {}

function M.play()
  confirm(faction.red, "really")
  trigger("control.chnaged")
end

return M
