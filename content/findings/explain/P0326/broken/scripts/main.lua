local M = {}

function M.play()
  local rich = get(counter.gold, faction.red) > 3
  local seat = rich and active() or faction.red
  add(counter.gold, 1, seat)
end

return M
