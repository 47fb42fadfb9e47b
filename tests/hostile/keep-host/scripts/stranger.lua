local M = {}
-- Would take the tables of this module in place of the host.
local function __keep(t)
  return t
end
local memory = { times = 0 }

function M.act()
  local m = memory
  m.times = m.times + 1
end

return M
