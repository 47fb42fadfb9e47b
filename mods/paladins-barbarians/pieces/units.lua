-- Units: picking some among many that are alike, losing them, moving them.
local lands = import("map/lands")
local M = {}

--- Options {verb, kind, territory} for the units, one for each kind and territory.
function M.options(verb, list)
  local seen, options = {}, {}
  for _, unit in list do
    local what, land = kindof(unit), at(unit)
    seen[land] = seen[land] or {}
    if not seen[land][what] then
      seen[land][what] = true
      table.insert(options, { verb, what, land })
    end
  end
  return options
end

--- The kinds among the units, each once.
function M.kinds(list)
  local kinds = {}
  for _, unit in list do
    if not contains(kinds, kindof(unit)) then
      table.insert(kinds, kindof(unit))
    end
  end
  return kinds
end

--- The unit of the list that such an option stands for.
---@param land? Space
function M.find(list, what, land)
  for _, unit in list do
    if kindof(unit) == what and (land == nil or at(unit) == land) then
      return unit
    end
  end
end

--- Asks a seat for one of the units; asked only where they are not all alike.
function M.pick(seat, decision, list, about)
  local _, what, land = choose(seat, decision, M.options("unit", list), { about = about })
  return M.find(list, what, land)
end

--- A unit is killed in battle, and remembered for who can raise the dead.
function M.kill(unit)
  local side = owner(unit)
  log("unit-killed", side, kindof(unit), at(unit))
  if playing(side) then
    if kindof(unit) == kind.warrior then
      add(counter.fallen_common, 1, side)
    else
      add(counter.fallen_special, 1, side)
    end
  end
  remove(unit)
end

--- A unit is sent home.
function M.dismiss(unit)
  log("unit-dismissed", owner(unit), kindof(unit), at(unit))
  remove(unit)
end

--- A unit enters a territory: it is not left alone any more.
function M.enter(unit, land)
  move(unit, land)
  if get(counter.hollow, land) > 0 then
    set(counter.hollow, 0, land)
  end
end

--- Swaps a unit for one of another kind, such as cavalry for cavalry that has ridden out.
function M.swap(unit, what)
  local side, land = owner(unit), at(unit)
  remove(unit)
  return place(what, side, land)
end

--- All units of a seat on the map.
function M.all(seat)
  return pieces{owner = seat, class = "unit", on = "map"}
end

--- Asks for the loss of one unit on a territory.
function M.lose_one(seat, land, decision)
  local list = lands.units(land, seat)
  if #list > 0 then
    M.dismiss(M.pick(seat, decision, list, { land }))
  end
end

return M
