local M = {}

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

function M.reward(self, seat)
  add(counter.gold, 1, seat)
end

return M
