local M = {}

function M.play()
  local paid = choose(faction.red, "pay", { "coins", "goods" })
  if paid == "coins" then
    add(counter.gold, -1, faction.red)
  end
end

return M
