-- What happens where a pawn ends its move: battles without dice, and captured Fields and Cities.
local map = import("map/board")
local M = {}

-- Where a third City may be taken the piece itself changes hands, and goes the same way when it is taken back.
local function is_handed_over(piece, seat)
  local what = kindof(piece)
  if what ~= kind.city then
    return false
  end
  return count{owner = seat, kind = what, on = "pool"} == 0
    or count{owner = owner(piece), kind = what} > count{owner = seat, kind = what}
end

-- A passive pawn changes color: the one piece goes back to its owner, one of the winner's takes its place.
local function change_color(piece, seat, hexagon)
  local what = kindof(piece)
  if is_handed_over(piece, seat) then
    give(piece, seat)
  elseif count{owner = seat, kind = what, on = "pool"} > 0 then
    remove(piece)
    place(what, seat, hexagon)
  else
    return false
  end
  set(counter.idle, 0)
  return true
end

--- An enemy Field under a pawn that has ended its move there is captured, as long as there is a piece to put down.
function M.capture_field(seat, hexagon)
  for _, field in pieces{at = hexagon, kind = kind.field} do
    if owner(field) ~= seat and change_color(field, seat, hexagon) then
      log("field-captured", seat, hexagon)
    end
  end
end

-- Removes the beaten pawns, and counts the Princes that may come back one day.
local function beat(seat, loser, target)
  for _, piece in pieces{at = target, owner = loser} do
    local what = kindof(piece)
    if what == kind.city then
      change_color(piece, seat, target)
      log("city-captured", seat, target)
    elseif what ~= kind.field then
      if what == kind.prince then
        add(counter.lost_princes, 1, loser)
      end
      remove(piece)
      set(counter.idle, 0)
      log("pawn-beaten", seat, what, target)
    end
  end
end

-- A player without a Queen has lost, unless a City and a Prince can make a new one.
local function is_lost(seat)
  local function has_none(what)
    return count{owner = seat, kind = what, on = "map"} == 0
  end
  return has_none(kind.queen) and (has_none(kind.city) or has_none(kind.prince))
end

--- Princes of the seat take a hexagon that an enemy held. The game may be over afterward.
function M.attack(seat, princes, target)
  local loser = map.opponent(seat)
  beat(seat, loser, target)
  for _, prince in princes do
    move(prince, target)
  end
  M.capture_field(seat, target)
  if is_lost(loser) then
    win(seat, "queen-beaten")
  end
end

return M
