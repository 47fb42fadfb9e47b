-- Questions about lands that several rules ask.
local M = {}

--- Might of a land as the map shows it now: its own and that of its Cities.
function M.might(land)
  local might = prop(land, "might")
  for _, city in pieces{at = land, class = "settlement"} do
    might = might + stat(city, "might")
  end
  return might
end

--- Controlled lands outside the seat's own borders.
function M.outside(seat)
  return filter(spaces{controller = seat}, function(land) return home(land) ~= seat end)
end

--- Controlled lands that hold a piece of this kind.
function M.with(seat, wanted)
  local found = {}
  for _, piece in pieces{kind = wanted, on = "map"} do
    local land = at(piece)
    if controller(land) == seat then
      table.insert(found, land)
    end
  end
  return found
end

--- The land of the seat's Prince, or nil while he is off the map.
function M.of_prince(seat)
  local prince = the_piece{owner = seat, kind = kind.prince, on = "map"}
  return prince and at(prince)
end

--- The seat's Capital while the seat controls it, or nil.
function M.capital(seat)
  return the_space{home = seat, prop = "capital", controller = seat}
end

return M
