-- Turns alternate, but every seat lives in its own age: new age, orders, the pause between orders and the next age.
local ages = import("ages/ages")
local bonus = import("kingdoms/bonus")
local lands = import("map/lands")
local orders = import("orders/orders")
local reign = import("kingdoms/reign")
local scoring = import("scoring/scoring")
local war = import("war/war")
local M = {}

local NEW_AGE, ORDERS, BETWEEN = 0, 1, 2

-- The order phase of a seat is over. The final player's ends the game.
local function complete(seat)
  orders.close(seat)
  set(counter.stage, BETWEEN, seat)
  if get(counter.final_player) == seat then
    scoring.finish()
  end
end

local function order_turn(seat)
  if #lands.of(seat) > 0 then
    orders.turn(seat)
  end
  if orders.is_over(seat, false) then
    complete(seat)
  end
end

local function new_age(seat)
  ages.start(seat)
  set(counter.stage, ORDERS, seat)
  order_turn(seat)
end

-- After the orders: to war, or straight into the next age.
local function between(seat)
  if get(counter.last_war) == 1 or #lands.of(seat) == 0 then
    new_age(seat)
    return
  end
  if bonus.choose(seat, "turn.between", bonus.TURN, function() return { "campaign", "age" } end) == "campaign" then
    war.campaign(seat)
    set(counter.stage, NEW_AGE, seat)
  else
    war.guard(seat)
    new_age(seat)
  end
end

-- One turn by the stage in which the seat is.
local function take(seat)
  local stage, goes_on = get(counter.stage, seat), get(counter.goes_on, seat) == 1
  if goes_on then
    set(counter.goes_on, 0, seat)
  end
  -- A lost territory may have been the last without an order.
  if stage == ORDERS and orders.is_over(seat, goes_on) then
    complete(seat)
    if over() then
      return
    end
    stage = BETWEEN
  end
  if stage == NEW_AGE then
    new_age(seat)
  elseif stage == ORDERS then
    order_turn(seat)
  else
    between(seat)
  end
end

--- A turn of the seat, and those that a card has added.
function M.play(seat)
  take(seat)
  reign.bury()
  while get(counter.extra_turns, seat) > 0 and not over() do
    add(counter.extra_turns, -1, seat)
    log("extra-turn", seat)
    take(seat)
    reign.bury()
  end
end

--- Nobody ends a game that has come to its last turn: it is scored as it stands.
function M.limit()
  if not over() then
    scoring.finish()
  end
end

return M
