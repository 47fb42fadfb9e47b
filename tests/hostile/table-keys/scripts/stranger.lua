local M = {}

function M.act(self, owner, seat)
  local t, n = {}, 0
  while true do
    n = n + 0.5
    t[n] = n
  end
end

return M
