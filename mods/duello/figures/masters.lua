-- The phase of princely masters. They are first called home, then posted; that leads to every arrangement there is.
local figures = import("figures/figures")
local M = {}

local function open_places(seat)
  return filter(figures.workplaces(seat), function(cell)
    return figures.masters_at(seat, cell) < get(counter.tile_masters)
  end)
end

-- The kinds of figures that stand on the board and may be posted.
local function at_home(seat)
  local list = {}
  if get(counter.masters, seat) > count{owner = seat, kind = kind.master, on = "map"} then
    table.insert(list, kind.master)
  end
  if count{owner = seat, kind = kind.cardinal, on = "pool"} > 0 then
    table.insert(list, kind.cardinal)
  end
  return list
end

local function moves(seat, may_recall)
  local list, figures_left = {}, at_home(seat)
  if #figures_left > 0 then
    table.insert(list, { "post", figures_left, open_places(seat) })
  end
  if may_recall and count{owner = seat, class = "figure", on = "map"} > 0 then -- mutate: skip, because of time only
    for _, what in { kind.master, kind.cardinal } do
      local from = {}
      for _, figure in pieces{owner = seat, kind = what, on = "map"} do
        if not contains(from, at(figure)) then
          table.insert(from, at(figure))
        end
      end
      table.insert(list, { "recall", what, from })
    end
  end
  table.insert(list, "done")
  return list
end

--- A seat calls home and posts as many as it likes.
function M.turn(seat)
  local may_recall = true
  local list = function() return moves(seat, may_recall) end
  while true do
    local verb, what, cell = choose(seat, "masters.move", list)
    if verb == "recall" then
      remove(the_piece{owner = seat, kind = what, at = cell})
      log("recalled", seat, what, cell)
    elseif verb == "post" then
      place(what, seat, cell)
      may_recall = false
      log("posted", seat, what, cell)
    else
      return
    end
  end
end

return M
