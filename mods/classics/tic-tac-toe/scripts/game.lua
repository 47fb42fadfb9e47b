-- Tic-tac-toe, whole. A game keeps nothing in its scripts: what is on the board is the pieces that stand there.
local M = {}

--- One turn. `always`: the last free cell is still asked for, so that a game has a choice for every mark on the board.
function M.turn(seat)
  local cell = choose(seat, "mark", spaces{empty = true}, { always = true })
  -- In the tenth turn no cell is left, and `choose` has nobody to ask.
  if cell then
    place(kind.mark, seat, cell)
    if row(cell, seat) == 3 then
      win(seat, "row")
    end
  end
end

--- All turns are over and nobody has won.
function M.full()
  draw_game("full")
end

return M
