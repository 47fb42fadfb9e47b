local M = {}

function M.act(self, owner, seat)
  coroutine.wrap(function()
    while true do
    end
  end)()
end

return M
