local M = {}

function M.act(self, owner, seat)
  string.gsub(string.rep("a", 65000), ".-.-b", "")
end

return M
