local M = {}

function M.act(self, owner, seat)
  local list = {}
  while true do
    list[#list + 1] = string.rep("x", 60000) .. #list
  end
end

return M
