local M = {}

function M.act(self, owner, seat)
  error("arena/scripts/arena.lua:1: it was them", 0)
end

return M
