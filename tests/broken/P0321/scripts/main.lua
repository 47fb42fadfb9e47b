local M = {}

function M.play()
  choose(faction.red, "pay", { "coins", "gods" })
  choose(faction.red, "pick", { { "take", 1 }, faction.blue })
end

return M
