-- Citizens, princely masters, the cardinal and horsemen.
local city = import("city/city")
local works = import("city/works")
local M = {}

local HORSEMEN = 3

--- How many goods a seat can make in a round: one for each citizen, and one for the cardinal if he is at home.
function M.capacity(seat)
  return get(counter.citizens, seat) + count{owner = seat, kind = kind.cardinal, on = "pool"}
end

--- How many masters, the cardinal included, a seat has on a cell.
function M.masters_at(seat, cell)
  return count{owner = seat, at = cell, class = "figure"}
end

--- Whether masters may work in a kind of building.
function M.is_welcome(seat, what)
  local places = 0
  if has(what, "masters") then
    places = 1
  end
  return query("masters.welcome", places, seat, what) > 0
end

--- The cells on which masters of a seat may work.
function M.workplaces(seat)
  local cells = {}
  for _, piece in city.buildings(seat) do
    if M.is_welcome(seat, kindof(piece)) and not contains(cells, at(piece)) then
      table.insert(cells, at(piece))
    end
  end
  return cells
end

--- Masters on a cell go home if nothing is left there in which they could work.
function M.settle(seat, cell)
  for _, piece in pieces{owner = seat, at = cell} do
    if M.is_welcome(seat, kindof(piece)) then
      return
    end
  end
  M.recall(seat, cell)
end

--- All figures of a seat on a cell go home.
function M.recall(seat, cell)
  for _, figure in pieces{owner = seat, at = cell, class = "figure"} do
    remove(figure)
  end
end

-- How many fields and junipers serve the riding hall: beside it, or a field beside a juniper that is beside it.
local function pastures(hall)
  local fields, junipers = 0, {}
  for _, next in neighbors(hall) do
    if city.carries(next, "field") then
      fields = fields + 1
    elseif city.carries(next, "juniper") then
      table.insert(junipers, next)
    end
  end
  for _, juniper in junipers do
    for _, next in neighbors(juniper) do
      if city.carries(next, "field") then
        fields = fields + 1
      end
    end
  end
  return fields + #junipers
end

--- Horsemen come when the riding hall works and has pasture, if there is a board for them; they never leave.
function M.train(seat)
  if get(counter.second_board, seat) == 0 then
    return
  end
  if get(counter.horsemen, seat) >= 2 * HORSEMEN then
    return
  end
  local hall = city.cells_of(seat, kind.riding_hall)[1]
  if hall == nil then
    return
  end
  if not works.all(seat)[kind.riding_hall] then
    return
  end
  local trained = HORSEMEN * math.min(2, pastures(hall))
  local more = trained - get(counter.horsemen, seat)
  if more > 0 then
    add(counter.horsemen, more, seat)
    log("horsemen-trained", seat, more)
  end
end

--- The same for every seat, after the map has changed.
function M.train_all()
  for _, seat in seats() do
    M.train(seat)
  end
end

return M
