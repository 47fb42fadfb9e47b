local M = {}

function M.act(self, owner, seat)
  string.gsub("aaa", "a", function()
    while true do
    end
  end)
end

return M
