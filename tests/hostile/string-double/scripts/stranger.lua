local M = {}

function M.act(self, owner, seat)
  local s = "x"
  while true do
    s = s .. s
  end
end

return M
