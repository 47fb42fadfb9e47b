local M = {}

function M.act(self, owner, seat)
  while true do
    string.find(string.rep("(", 65000), "%b()")
  end
end

return M
