local M = {}

function M.act(self, owner, seat)
  string.match(string.rep("a", 30000), string.rep("a?", 300) .. "b")
end

return M
