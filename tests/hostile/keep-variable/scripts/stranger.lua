local M = {}
local times = 0

function M.act()
  times = times + 1
end

return M
