local M = {}

function M.play()
  query("tax.income", 1, faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M
