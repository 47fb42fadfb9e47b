local M = {}

function M.play(seat)
  if choose(seat, "pay", { "coins", "goods" }) == "coins" then
    set(counter.bid, query("tax.income", 1, seat), seat)
  end
end

function M.tell()
  for _, seat in seats() do
    add(counter.gold, get(counter.bid, seat), seat)
    log("bid", seat, get(counter.bid, seat))
  end
end

return M
