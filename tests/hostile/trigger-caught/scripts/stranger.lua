local M = {}

function M.act(self, owner, seat)
  while true do
    pcall(trigger, "arena.dare", seat)
  end
end

return M
