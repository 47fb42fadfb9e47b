local M = {}

function M.play()
  if prop(faction.red, "goup") == "powre" then
    set_active(faction.red)
  end
end

return M
