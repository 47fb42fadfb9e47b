local M = {}

function M.act(self, owner, seat)
  local function f()
    return 1 + f()
  end
  f()
end

return M
