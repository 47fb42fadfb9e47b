-- Goods, the places that hold them, and paying with them.
local M = {}

-- Places by the stock board that a seat has: none, the timber board, the goods board.
local PLACES = { square = { 10, 18, 20 }, long = { 2, 6, 4 } }
local MONEY = 1000000
local BOARDS = { ["timber-board"] = 1, ["goods-board"] = 2 }

--- The kinds of goods, as cards.
function M.kinds()
  return cards(zone.goods)
end

--- How many free places of each shape a seat has; fewer than 0 after the loss of a board. And the goods in these places
--- of which it has any.
function M.free(seat)
  local board = get(counter.stock_board, seat) + 1
  local free, held = { square = PLACES.square[board], long = PLACES.long[board], purse = MONEY }, {}
  for _, good in M.kinds() do
    local goods = prop(good, "goods")
    local many = get(goods, seat)
    if many > 0 then
      local shape = prop(good, "shape")
      if shape ~= "purse" then
        free[shape] = free[shape] - many
        table.insert(held, goods)
      end
    end
  end
  return free, held
end

--- Whether one more of a good can be had: a token is left and a place is free.
function M.is_room(good, free)
  local shape = prop(good, "shape")
  return free[shape] > 0 and (shape == "purse" or bank(prop(good, "goods")) > 0)
end

--- What a seat has to pay with.
function M.purse(seat)
  return {
    tool = get(counter.tool, seat), stone = get(counter.stone, seat), beam = get(counter.beam, seat),
    jewel = get(counter.jewel, seat),
  }
end

--- Whether a purse is enough for a kind of piece. Beside a bog all but jewels is doubled.
function M.affords(purse, what, factor)
  return purse.tool >= factor * stat(what, "tool")
    and purse.stone >= factor * stat(what, "stone")
    and purse.beam >= factor * stat(what, "beam")
    and purse.jewel >= stat(what, "jewel")
end

--- Pays a multiple of what a kind of piece costs; jewels only if they are named.
function M.pay(seat, what, factor, jewels)
  lose(counter.stone, factor * stat(what, "stone"), seat)
  lose(counter.beam, factor * stat(what, "beam"), seat)
  lose(counter.tool, factor * stat(what, "tool"), seat)
  if jewels then
    lose(counter.jewel, stat(what, "jewel"), seat)
  end
end

-- The goods of one shape that a seat has.
local function held_in(seat, shape)
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
      local goods = choose(seat, "goods.spill", held_in(seat, shape))
      lose(goods, 1, seat)
      log("goods-spilled", seat, goods)
    end
  end
end

--- Takes a stock board: the seat chooses while both are left.
function M.take_board(seat)
  local left = {}
  for board, name in { "timber-board", "goods-board" } do
    local takers = filter(others(seat), function(other) return get(counter.stock_board, other) == board end)
    if #takers == 0 then
      table.insert(left, name)
    end
  end
  local name = choose(seat, "goods.board", left)
  set(counter.stock_board, BOARDS[name], seat)
  log("board-taken", seat, name)
end

--- Loses the stock board with the goods on it.
function M.lose_board(seat)
  set(counter.stock_board, 0, seat)
  M.spill(seat)
end

return M
