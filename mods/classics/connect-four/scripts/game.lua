-- Connect four: discs fall, and four in a row win.
local M = {}

--- One turn. Cells come in id order (a1, a2, … g6), so the first free one of a column is its lowest.
function M.turn(seat)
  local cell = choose(seat, "drop", spaces{empty = true, first_of = "column"}, { always = true })
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
