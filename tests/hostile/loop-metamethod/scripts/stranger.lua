local M = {}

function M.act(self, owner, seat)
  local trap = setmetatable({}, { __index = function()
    while true do
    end
  end })
  return trap.x
end

return M
