local M = {}

function M.act(self, owner, seat)
  while true do
    choose(seat, "arena.turn", { "wait", "dare" })
  end
end

return M
