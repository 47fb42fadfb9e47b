local M = {}

while true do
end

return M
