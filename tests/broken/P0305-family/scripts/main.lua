local M = {}

function M.play()
  set(counter.gold, 1, faction.gold)
  add(counter.red, 1)
end

return M
