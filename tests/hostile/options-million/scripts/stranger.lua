local M = {}

function M.act(self, owner, seat)
  local list = {}
  for i = 1, 1000000 do
    list[i] = i
  end
  choose(seat, "arena.turn", list)
end

return M
