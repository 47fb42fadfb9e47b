-- What the cards of this pack do. `self` holds the params of the card, so text and effect read the same numbers.
local M = {}

--- Gift of a Merchant: gold from the bank.
function M.gift_play(self, seat)
  add(counter.gold, self.gold, seat)
end

--- Tolls: a query hook gets a number and gives back the new one.
function M.tolls_income(self, value, owner, seat)
  return value + self.gold
end

return M
