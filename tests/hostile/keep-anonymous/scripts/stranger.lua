local M = {}

M.act = (function()
  local n = 0
  return function()
    n = n + 1
  end
end)()

return M
