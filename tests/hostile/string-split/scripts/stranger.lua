local M = {}

function M.act(self, owner, seat)
  while true do
    string.split(string.rep("a,", 30000), ",")
  end
end

return M
