local M = {}

function M.act(self, owner, seat)
  local list = {}
  while true do
    list[#list + 1] = {}
  end
end

return M
