local M = {}

function M.play()
  log("begin")
  win(faction.red, "conquest")
end

return M
