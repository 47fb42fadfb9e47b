local M = {}

function M.play()
  add(counter.gold, query("tax.income", 1, faction.red), faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M
