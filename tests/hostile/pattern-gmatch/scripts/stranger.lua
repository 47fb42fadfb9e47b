local M = {}

function M.act(self, owner, seat)
  for word in string.gmatch(string.rep("a", 65000), "(.-)(.-)b") do
  end
end

return M
