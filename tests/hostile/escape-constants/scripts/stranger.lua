local M = {}

function M.act(self, owner, seat)
  faction.red = faction.blue
end

return M
