local M = {}

function M.act()
  while true do
  end
end

return M
