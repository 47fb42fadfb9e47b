local M = {}

-- Which of two bad keys `pairs` names first hangs on where they lie.
function M.act(self, owner, seat)
  local t = { [{}] = 1, [function() end] = 2 }
  local ok, told = pcall(pairs, t)
  if not ok and string.find(told, "function") then
    add(counter.score, 1, seat)
  end
end

return M
