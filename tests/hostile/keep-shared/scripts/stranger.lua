local M = { memory = {} }

function M.act()
  import("stranger").memory.seen = true
end

return M
