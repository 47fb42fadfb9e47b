local M = {}

function M.play()
  ad(counter.gold, 1, faction.red)
  table.isnert({}, math.pi)
end

return M
