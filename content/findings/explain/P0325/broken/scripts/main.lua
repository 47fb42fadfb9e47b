local M = {}

local PRICES = { coins = 1, godos = 2 }

function M.play()
  local paid = choose(faction.red, "pay", { "coins", "goods" })
  add(counter.gold, -(PRICES[paid] or 0), faction.red)
end

return M
