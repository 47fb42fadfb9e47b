local M = {}

function M.act(self, owner, seat)
  local t = { [{}] = 1, [{}] = 2 }
  for key in t do
  end
end

return M
