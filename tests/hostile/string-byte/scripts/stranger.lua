local M = {}

function M.act(self, owner, seat)
  while true do
    string.byte(string.rep("a", 65000), 1, -1)
  end
end

return M
