local M = {}

function M.act(self, owner, seat)
  string.find(string.rep("a", 65000), ".-.-.-.-b")
end

return M
