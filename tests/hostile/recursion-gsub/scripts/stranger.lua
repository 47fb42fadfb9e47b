local M = {}

function M.act(self, owner, seat)
  local function f()
    return string.gsub("a", "a", f)
  end
  f()
end

return M
