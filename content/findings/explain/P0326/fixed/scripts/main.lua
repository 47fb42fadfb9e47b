local M = {}

function M.play()
  local seat = faction.red
  if get(counter.gold, faction.red) > 3 then
    seat = active() or faction.blue
  end
  add(counter.gold, 1, seat)
end

return M
