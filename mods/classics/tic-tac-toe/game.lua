-- Tic-tac-toe, whole. A game keeps nothing in its scripts: what is on the board is the pieces that stand there.
local M = {}

--- A turn, once the seat has chosen a cell; the flow says among which. In the tenth turn none is left.
function M.mark(seat, cell)
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
