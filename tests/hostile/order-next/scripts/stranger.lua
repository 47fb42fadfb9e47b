local M = {}

function M.act(self, owner, seat)
  next({ [{}] = 1, [{}] = 2 })
end

return M
