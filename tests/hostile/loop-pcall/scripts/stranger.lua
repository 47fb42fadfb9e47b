local M = {}

function M.act(self, owner, seat)
  while true do
    pcall(function()
      while true do
      end
    end)
  end
end

return M
