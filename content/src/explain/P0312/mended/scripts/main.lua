local M = {}

function M.play()
  local here = spaces{ empty = true }[1]
  add(counter.gold, 1, controller(here) or faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M
