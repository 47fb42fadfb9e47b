local M = {}
local words = string.gmatch("one two three four", "%a+")

function M.act(self, owner, seat)
  if words() then
    add(counter.score, 1, seat)
  end
end

return M
