local M = {}

function M.play()
  log("coins", 3)
end

return M
