local M = {}

local rounds, seen = 0, {}

function M.play()
  rounds = rounds + 1
  table.insert(seen, rounds)
  set_active(#seen > 1 and faction.red or faction.blue)
end

return M
