local M = {}

function M.act(self, owner, seat)
  for key in pairs({ [{}] = 1, [{}] = 2 }) do
    add(counter.score, 1, seat)
  end
end

return M
