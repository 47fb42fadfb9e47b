local M = {}

function M.play()
  add(counter.gold, query("tax.income", 1, faction.red), faction.red)
end

return M
