local M = {}

function M.act(self, owner, seat)
  while true do
    string.gsub(string.rep("a", 100), "a", string.rep("b", 65000))
  end
end

return M
