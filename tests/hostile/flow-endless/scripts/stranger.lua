local M = {}

function M.act()
end

return M
