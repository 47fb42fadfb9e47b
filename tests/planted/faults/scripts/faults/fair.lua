local M = {}

function M.fair(self, seat)
  if choose(seat, "fare", { "coins", "goods" }) == "coins" then
    add(counter.gold, 1, seat)
  end
  addd(counter.gold, 1, seat)
end

return M
