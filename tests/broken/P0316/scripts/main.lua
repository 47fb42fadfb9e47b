local M = {}

function M.play()
  total = 1
  counter.gold = nil
end

function play()
end

return M
