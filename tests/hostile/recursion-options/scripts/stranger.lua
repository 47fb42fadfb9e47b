local M = {}

function M.act(self, owner, seat)
  local function f()
    return choose(seat, "arena.turn", f)
  end
  f()
end

return M
