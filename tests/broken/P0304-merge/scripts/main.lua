local M = {}

function M.play()
<<<<<<< HEAD
  log("a")
=======
  log("b")
>>>>>>> theirs
end

return M
