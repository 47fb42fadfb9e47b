local other = import("../other")
local M = {}

function M.play()
  other.play()
end

return M
