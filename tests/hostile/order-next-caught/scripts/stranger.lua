local M = {}

-- Whether a text or a table comes first hangs on where the table lies.
function M.act(self, owner, seat)
  local t = { one = 1 }
  local key = {}
  t[key] = 2
  if pcall(next, t) then
    add(counter.score, 1, seat)
  end
end

return M
