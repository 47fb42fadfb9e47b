-- Secret choice of three different actions for the spaces I, II and III.
local hand = import("hand/hand")
local M = {}

local ACTION_SPACES = 3

function M.plan(seat)
  for space_number = 1, ACTION_SPACES do
    local token = choose(seat, "plan.token", cards(zone.tokens, seat), { about = { space_number } })
    if token == nil then
      return
    end
    put(token, zone.plan, seat)
  end
end

--- All plans are laid; Court Cards of this moment may be played.
function M.done()
  log("plans-laid")
  for _, seat in seats() do
    hand.window(seat, "planned")
  end
end

return M
