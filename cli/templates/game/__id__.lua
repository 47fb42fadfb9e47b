-- The whole game: on the hill the wool is better, but only one flock has room there.
local M = {}

local function flock(seat)
  return the_piece{owner = seat, kind = kind.flock}
end

--- One turn of a shepherd.
function M.turn(seat)
  local sheep = flock(seat)
  local options = { "shear" }
  if at(sheep) == space.hill then
    table.insert(options, "rest")
  elseif count{at = space.hill} == 0 then
    table.insert(options, "climb")
  end
  local done = choose(seat, "turn", options, { about = { seat } })
  if done == "shear" then
    local wool = add(counter.wool, at(sheep) == space.hill and 2 or 1, seat)
    log("shorn", seat, wool)
  elseif done == "climb" then
    move(sheep, space.hill)
  else
    move(sheep, spaces{home = seat}[1])
  end
end

--- Most wool wins; equal wool is a draw.
function M.finish()
  local north, south = get(counter.wool, faction.north), get(counter.wool, faction.south)
  if north == south then
    draw_game("wool")
  else
    win(north > south and faction.north or faction.south, "wool")
  end
end

return M
