local M = {}

function M.play()
  log("begin")
end

function M.luck(self, seat)
  if choose(seat, "pay", { "coins", "goods" }) == "coins" then
    add(counter.gold, self.gold, seat)
  end
end

function M.stop()
  draw_game("peace")
end

return M
