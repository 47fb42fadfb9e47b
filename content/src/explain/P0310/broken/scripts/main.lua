local M = {}

function M.play()
end

function M.luck(self, seat)
  ad(counter.gold, self.gold, seat)
end

return M
