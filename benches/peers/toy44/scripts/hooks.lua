local M = {}

function M.fief(self, value, _, seat, land)
  return get(counter.holder, land) == seat and value + self.bonus or value
end

function M.toll(self, _, seat, land)
  local holder = get(counter.holder, land)
  if holder and holder ~= seat then
    transfer(counter.gold, self.gold, seat, holder)
  end
end

function M.take(_, _, seat, land)
  set(counter.holder, seat, land)
end

function M.garrison(self, value, _, seat)
  return get(counter.gold, seat) > self.rich and value + self.gold or value
end

return M
