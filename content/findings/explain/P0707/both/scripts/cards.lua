local M = {}

function M.luck(self, seat)
  local first = choose(seat, "pay", { "coins", "goods" })
  if first == "coins" or choose(seat, "pay", { "coins", "goods" }) == "coins" then
    add(counter.gold, self.gold, seat)
  end
end

return M
