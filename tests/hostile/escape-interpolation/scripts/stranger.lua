local M = {}

function M.act(self, owner, seat)
  local t = `{ (function()
    self.gold = 1
  end)() }`
end

return M
