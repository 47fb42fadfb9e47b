local M = {}

function M.act(self, owner, seat)
  while true do
    log("dared", seat)
  end
end

return M
