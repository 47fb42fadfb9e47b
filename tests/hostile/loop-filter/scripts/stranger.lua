local M = {}

function M.act(self, owner, seat)
  filter({ 1 }, function()
    while true do
    end
  end)
end

return M
