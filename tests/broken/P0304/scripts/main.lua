local M = {}

function M.play(a b)
end

return M
