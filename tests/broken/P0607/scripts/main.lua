local M = {}

function M.play()
  log("pays", faction.red, 3)
end

return M
