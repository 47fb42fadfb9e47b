local M = {}

function M.play()
  if prop(space.ford, "knid") == "land" then
    set_active(faction.red)
  end
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M
