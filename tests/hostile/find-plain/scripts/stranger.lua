local M = {}

function M.act(self, owner, seat)
  while true do
    string.find(string.rep("a", 65000), string.rep("a", 1000) .. "b", 1, true)
  end
end

return M
