local M = {}

function M.luck(self, seat)
  if choose(seat, "pay", { "coins", "goods" }) == "coins" then
    add(counter.gold, self.gold, seat)
  end
end

return M
