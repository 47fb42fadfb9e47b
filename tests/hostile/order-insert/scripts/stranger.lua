local M = {}

-- A key that comes in while `pairs` runs was looked at by nobody.
function M.act(self, owner, seat)
  local t = { one = 1, two = 2, three = 3 }
  t.three = nil
  for key in pairs(t) do
    if key == "one" then
      t[{}] = 4
    end
    add(counter.score, 1, seat)
  end
end

return M
