local M = {}

function M.play()
  local first = spaces{}[roll(2)]
  log("at", home(first))
  add(counter.gold, query("tax.income", 1, faction.red), faction.red)
end

return M
