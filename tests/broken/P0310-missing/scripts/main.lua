local M = {}

function M.play()
  local now = os.time()
  local die = math.random(6)
  print(now, die)
  local m = require("main")
  setmetatable({}, {})
end

return M
