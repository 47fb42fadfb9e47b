local M = {}

function M.act(self, owner, seat)
  local s = string.rep("x", 65000)
  for i = 1, 4 do
    s = s .. s
  end
  local a, b = s .. "a", s .. "b"
  while true do
    local t = a < b
  end
end

return M
