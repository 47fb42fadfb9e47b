local M = {}

function M.act(self, owner, seat)
  trigger("arena.dare", seat)
end

return M
