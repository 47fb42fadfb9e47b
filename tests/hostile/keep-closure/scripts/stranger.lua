local M = {}

local function counter_of()
  local n = 0
  return function()
    n = n + 1
    return n
  end
end
local tick = counter_of()

function M.act()
  tick()
end

return M
