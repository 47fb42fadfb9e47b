local M = {}

function M.play()
end

return M
