local M = {}
local memory = {}

function M.act()
  local m = memory
  m.times = (m.times or 0) + 1
end

return M
