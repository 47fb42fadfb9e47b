local M = {}

function M.play()
  for _, name in { "gold" } do
    add(counter[name], 1, faction.red)
  end
end

return M
