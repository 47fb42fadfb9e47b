local M = {}

function M.income(self, value)
  return value + self.gld
end

function M.play()
  local first = pieces{ onwer = faction.red }[1]
  local found = { piece = first }
  add(counter.gold, query("income", #pieces{ at = at(found.peice) }, faction.red), faction.red)
end

return M
