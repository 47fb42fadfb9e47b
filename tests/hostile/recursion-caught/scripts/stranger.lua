local M = {}

function M.act(self, owner, seat)
  local function f()
    pcall(f)
    return f()
  end
  f()
end

return M
