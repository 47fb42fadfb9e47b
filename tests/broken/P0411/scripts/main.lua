local M = {}

function M.play()
end

function M.list(seat)
  return { seat }
end

-- What the flow hands over is nothing else than a seat and a space.
function M.build(seat, land)
  set_active(seat)
  reveal(land)
end

return M
