local M = {}

-- Only the function that nobody uses uses this one: a consequence.
local function helper()
  return faction.red
end

function M.forgotten()
  set_active(helper())
end

function M.play()
  set_active(nil)
end

return M
