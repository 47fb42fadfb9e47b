local M = {}

function M.stop()
  draw_game("peace")
end

return M
