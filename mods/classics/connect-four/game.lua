-- Connect four: discs fall, and four in a row win.
local M = {}

--- A turn, after the seat has chosen a cell: the flow offers the first free one of each column. Cells come in id order (a1,
--- a2, … g6), so that is the lowest.
function M.drop(seat, cell)
  place(kind.disc, seat, cell)
  if row(cell, seat) >= 4 then
    win(seat, "row")
  end
end

--- All discs are on the board and nobody has won.
function M.full()
  draw_game("full")
end

return M
