local M = {}

function M.act(self, owner, seat)
  local s, n = string.rep("x", 65000), 0
  while true do
    n = n + 1
    local t = s .. n
  end
end

return M
