local M = {}

function M.act(self, owner, seat)
  string.find(string.rep("a", 28), string.rep("a?", 28) .. string.rep("a", 28))
end

return M
