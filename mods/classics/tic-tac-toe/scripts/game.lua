-- Tic-tac-toe, whole. A game keeps nothing in its scripts: what is on the board is the pieces that stand there.
local M = {}

-- Constants may stand outside of functions: they never change.
local ROWS = {}
for _, row in ipairs({ "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 b2 c3", "a3 b2 c1" }) do
  local cells = {}
  for id in string.gmatch(row, "%w+") do
    table.insert(cells, space[id])
  end
  table.insert(ROWS, cells)
end

-- One question to the engine ("which cells are mine?") is cheaper than one for each cell.
local function has_row(seat)
  local mine = {}
  for _, cell in ipairs(spaces{controller = seat}) do
    mine[cell] = true
  end
  for _, row in ipairs(ROWS) do
    if mine[row[1]] and mine[row[2]] and mine[row[3]] then
      return true
    end
  end
  return false
end

--- One turn. `always`: the last free cell is still asked for, so that a game has a choice for every mark on the board.
function M.turn(seat)
  local cell = choose(seat, "mark", spaces{empty = true}, { always = true })
  -- In the tenth turn no cell is left, and `choose` has nobody to ask.
  if cell then
    place(kind.mark, seat, cell)
    if has_row(seat) then
      win(seat, "row")
    end
  end
end

--- All turns are over and nobody has won.
function M.full()
  draw_game("full")
end

return M
