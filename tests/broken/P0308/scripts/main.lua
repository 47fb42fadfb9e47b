local M = {}

function M.play()
end

while true do
end

return M
