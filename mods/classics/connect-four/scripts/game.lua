-- Connect four: discs fall, and four in a row win.
local M = {}

-- A column's number for each cell, and for each of four directions the next cell: worked out once, when the script loads.
local COLUMN, AHEAD, BACK = {}, { {}, {}, {}, {} }, { {}, {}, {}, {} }
local DIRECTIONS = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } }
local LETTERS = { "a", "b", "c", "d", "e", "f", "g" }
for column, letter in ipairs(LETTERS) do
  for row = 1, 6 do
    local cell = space[letter .. row]
    COLUMN[cell] = column
    for way, step in ipairs(DIRECTIONS) do
      local there, level = LETTERS[column + step[1]], row + step[2]
      if there and level >= 1 and level <= 6 then
        local next_cell = space[there .. level]
        AHEAD[way][cell], BACK[way][next_cell] = next_cell, cell
      end
    end
  end
end

-- The lowest free cell of each column. Free cells come in id order (a1, a2, … g6), so it is a column's first.
local function open_cells()
  local open, last = {}, nil
  for _, cell in ipairs(spaces{empty = true}) do
    local column = COLUMN[cell]
    if column ~= last then
      open[#open + 1] = cell
      last = column
    end
  end
  return open
end

-- Whether four discs of the seat lie in a row through a cell.
local function has_row(seat, cell)
  local mine = {}
  for _, own in ipairs(spaces{controller = seat}) do
    mine[own] = true
  end
  for way = 1, 4 do
    local ahead, back, length = AHEAD[way], BACK[way], 1
    local at = ahead[cell]
    while mine[at] do
      length, at = length + 1, ahead[at]
    end
    at = back[cell]
    while mine[at] do
      length, at = length + 1, back[at]
    end
    if length >= 4 then
      return true
    end
  end
  return false
end

--- One turn.
function M.turn(seat)
  local cell = choose(seat, "drop", open_cells(), { always = true })
  place(kind.disc, seat, cell)
  if has_row(seat, cell) then
    win(seat, "row")
  end
end

--- All discs are on the board and nobody has won.
function M.full()
  draw_game("full")
end

return M
