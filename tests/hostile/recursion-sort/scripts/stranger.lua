local M = {}

function M.act(self, owner, seat)
  local function f()
    table.sort({ 2, 1 }, f)
  end
  f()
end

return M
