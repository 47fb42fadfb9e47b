-- Plays that are legal whenever the game waits for somebody: cards for gold or Support, gifts of gold.
local hand = import("hand/hand")
local M = {}

function M.options(seat)
  -- A card for gold is pointless while the bank is empty; a Council's card phase suspends Support plays.
  local may_gold = bank(counter.gold) > 0
  local may_support = get(counter.support_closed) == 0
  local options = {}
  if may_gold and may_support then
    options = hand.exchange_options(seat)
  elseif may_gold then
    options = hand.exchange_options(seat, "gold")
  elseif may_support then
    options = hand.exchange_options(seat, "support")
  end
  local purse = get(counter.gold, seat)
  local amounts = {}
  for amount = 1, purse do
    amounts[amount] = amount
  end
  table.insert(options, { "give", others(seat), amounts })
  return options
end

function M.play(seat, verb, subject, amount)
  if verb == "give" then
    transfer(counter.gold, amount, seat, subject)
    log("gold-given", seat, subject, amount)
  else
    hand.exchange(seat, verb, subject)
  end
end

return M
