-- Part A of a battle: the Prince hides, the Imperial Guard takes its post; then the Guards are shown.
local castles = import("exploration/castles")
local M = {}

--- Secret choice of one seat: a Castle for the Prince and one for the Guard.
function M.hide(seat)
  set(counter.hideout, choose(seat, "hiding.prince", castles.standing(seat)), seat)
  set(counter.guard_post, choose(seat, "hiding.guard", castles.standing(seat)), seat)
end

--- Both have chosen: the Guards step onto the map, the Princes stay hidden.
function M.show_guards()
  for _, seat in seats() do
    local post = get(counter.guard_post, seat)
    local guard = the_piece({ kind = kind.guard, owner = seat })
    move(guard, post)
    log("guard-placed", seat, post)
  end
end

return M
