local M = {}

function M.act(self, owner, seat)
  choose(seat, "arena.turn", function()
    while true do
    end
  end)
end

return M
