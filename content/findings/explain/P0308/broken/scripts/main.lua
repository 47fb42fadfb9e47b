local M = {}

local n = 0
while n >= 0 do
  n = n + 1
end

function M.play()
end

return M
