-- Goods, the places that hold them, and paying with them.
local M = {}

-- Places by the stock board that a seat has: none, the timber board, the goods board.
local PLACES = { square = { 10, 18, 20 }, long = { 2, 6, 4 } }
local MONEY = 1000000

--- The kinds of goods, as cards.
function M.kinds()
  return cards(zone.goods)
end

--- How many free places of each shape a seat has; fewer than 0 after the loss of a board.
function M.free(seat)
  local board = get(counter.stock_board, seat) + 1
  local free = { square = PLACES.square[board], long = PLACES.long[board], purse = MONEY }
  for _, good in M.kinds() do
    local shape = prop(good, "shape")
    if shape ~= "purse" then
      free[shape] = free[shape] - get(prop(good, "goods"), seat)
    end
  end
  return free
end

--- Whether one more of a good can be had: a token is left and a place is free.
function M.is_room(good, free)
  local shape = prop(good, "shape")
  return free[shape] > 0 and (shape == "purse" or bank(prop(good, "goods")) > 0)
end

--- Whether a seat can pay for a kind of piece. Beside a bog all but jewels is doubled.
function M.affords(seat, what, factor)
  return get(counter.tool, seat) >= factor * stat(what, "tool")
    and get(counter.stone, seat) >= factor * stat(what, "stone")
    and get(counter.beam, seat) >= factor * stat(what, "beam")
    and get(counter.jewel, seat) >= stat(what, "jewel")
end

--- Pays so many times what a kind of piece costs; jewels only if they are named.
function M.pay(seat, what, factor, jewels)
  lose(counter.stone, factor * stat(what, "stone"), seat)
  lose(counter.beam, factor * stat(what, "beam"), seat)
  lose(counter.tool, factor * stat(what, "tool"), seat)
  if jewels then
    lose(counter.jewel, stat(what, "jewel"), seat)
  end
end

-- The goods of one shape that a seat has.
local function held(seat, shape)
  local list = {}
  for _, good in M.kinds() do
    if prop(good, "shape") == shape and get(prop(good, "goods"), seat) > 0 then
      table.insert(list, prop(good, "goods"))
    end
  end
  return list
end

--- Gives up goods for which there is no place any more, as the seat likes.
function M.spill(seat)
  for _, shape in { "square", "long" } do
    for _ = 1, -M.free(seat)[shape] do
      local goods = choose(seat, "goods.spill", held(seat, shape))
      lose(goods, 1, seat)
      log("goods-spilled", seat, goods)
    end
  end
end

--- Takes a stock board: the seat chooses while both are left.
function M.take_board(seat)
  local left = {}
  for board, name in { "timber-board", "goods-board" } do
    local is_taken = false
    for _, other in others(seat) do
      is_taken = is_taken or get(counter.stock_board, other) == board
    end
    if not is_taken then
      table.insert(left, name)
    end
  end
  local name = choose(seat, "goods.board", left)
  set(counter.stock_board, name == "timber-board" and 1 or 2, seat)
  log("board-taken", seat, name)
end

--- Loses the stock board with the goods on it.
function M.lose_board(seat)
  set(counter.stock_board, 0, seat)
  M.spill(seat)
end

return M
