local M = {}

function M.play()
  local first = spaces{}[roll(2)]
  log("at", home(first))
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M
