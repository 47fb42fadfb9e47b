local M = {}

function M.play()
  if prop(space.ford, "kind") == "land" then
    set_active(faction.red)
  end
end

return M
