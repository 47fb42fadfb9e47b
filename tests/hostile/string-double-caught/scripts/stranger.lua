local M = {}

function M.act(self, owner, seat)
  local s = "x"
  while true do
    pcall(function()
      s = s .. s
    end)
  end
end

return M
