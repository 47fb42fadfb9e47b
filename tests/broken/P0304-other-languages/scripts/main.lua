local M = {}

function M.play()
  local a, b = roll(6), null
  if a != 3 && !b then
    b = 1
  else if a == 4 || b then
    lgo("x")
  end
end

function M.other()
  ad(1)
end

return M
