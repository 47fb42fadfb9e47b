-- Gold lies in the treasury and in Treasure Houses. The treasury is filled first and emptied first.
local lands = import("map/lands")
local M = {}

-- Own territories in which a house can take gold.
local function open_houses(seat)
  return filter(lands.with(kind.treasure_house, seat), function(land)
    return get(counter.house_gold, land) < get(counter.house_limit)
  end)
end

--- All talents of a seat, those in captured houses included.
function M.total(seat)
  local sum = get(counter.gold, seat)
  for _, land in spaces{controller = seat, marked = counter.house_gold} do
    sum = sum + get(counter.house_gold, land)
  end
  return sum
end

local function treasury_room(seat)
  return get(counter.treasury_limit) - get(counter.gold, seat)
end

--- Whether the seat can take another talent.
function M.has_room(seat)
  if treasury_room(seat) > 0 then
    return true
  end
  return M.room(seat) > 0
end

--- How many talents the seat can still take.
function M.room(seat)
  local room = treasury_room(seat)
  for _, land in open_houses(seat) do
    room = room + get(counter.house_limit) - get(counter.house_gold, land)
  end
  return math.max(0, room)
end

-- Puts talents that the treasury cannot hold into houses, where the seat likes.
local function store(seat, amount)
  for _ = 1, amount do
    local house = choose(seat, "gold.house", open_houses(seat))
    if house == nil then
      return
    end
    add(counter.house_gold, 1, house)
  end
end

--- Gives a seat as much of the amount as it has room for. Returns how much that was.
function M.gain(seat, amount)
  local open, taken = treasury_room(seat), amount
  -- Houses matter only when the treasury is full.
  if amount > open then
    taken = math.min(amount, M.room(seat))
  end
  if taken <= 0 then
    return 0
  end
  local in_treasury = math.min(taken, open)
  add(counter.gold, in_treasury, seat)
  store(seat, taken - in_treasury)
  log("gold-gained", seat, taken)
  return taken
end

-- Own houses before captured ones.
local function spending_order(seat)
  local own, captured = {}, {}
  for _, land in lands.of(seat) do
    if get(counter.house_gold, land) > 0 then
      if count{at = land, owner = seat, kind = kind.treasure_house} > 0 then
        table.insert(own, land)
      else
        table.insert(captured, land)
      end
    end
  end
  for _, land in captured do
    table.insert(own, land)
  end
  return own
end

--- Takes talents from a seat that has them: the treasury first, then own houses, then captured ones.
function M.pay(seat, amount)
  local from_treasury = math.min(amount, get(counter.gold, seat))
  add(counter.gold, -from_treasury, seat)
  local due = amount - from_treasury
  if due > 0 then
    for _, land in spending_order(seat) do
      due = due + add(counter.house_gold, -math.min(due, get(counter.house_gold, land)), land)
    end
  end
  if amount > 0 then
    log("gold-paid", seat, amount)
  end
end

--- Takes up to this many talents. Returns how many.
function M.lose(seat, amount)
  local lost = math.min(amount, M.total(seat))
  M.pay(seat, lost)
  return lost
end

--- The Bank puts a talent into every own house that is not full.
function M.bank(seat)
  if #lands.with(kind.bank, seat) == 0 then
    return
  end
  for _, land in open_houses(seat) do
    add(counter.house_gold, 1, land)
    log("bank-pays", seat, land)
  end
end

--- A house is gone: what it held goes to the territory's owner, as far as there is room.
function M.spill(land)
  local held = get(counter.house_gold, land)
  if held == 0 then
    return
  end
  set(counter.house_gold, 0, land)
  local seat = controller(land)
  if seat then
    M.gain(seat, held)
  end
end

return M
