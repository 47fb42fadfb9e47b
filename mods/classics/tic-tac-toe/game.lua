-- The whole of Tic-tac-toe. Scripts keep no state: the board is the pieces on it.
local M = {}

--- A turn, after the seat has chosen a cell; the flow lists them. In the tenth turn, none is left.
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
