local M = {}

function M.act(self, value, owner, seat)
  return query("arena.weigh", value, seat)
end

return M
