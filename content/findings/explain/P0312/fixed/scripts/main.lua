local M = {}

function M.play()
  local here = spaces{ empty = true }[1]
  add(counter.gold, 1, controller(here) or faction.red)
end

return M
