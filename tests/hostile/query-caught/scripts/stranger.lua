local M = {}

function M.act(self, value, owner, seat)
  pcall(query, "arena.weigh", value, seat)
  pcall(query, "arena.weigh", value, seat)
  return value
end

return M
