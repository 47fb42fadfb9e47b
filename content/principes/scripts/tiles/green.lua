-- Progress Tiles of the Progress Action.
local progress = import("progress")
local M = {}

-- One flag per colour in a single number, in the order of the board.
local function has_flag(flags, index)
  return math.floor(flags / 2 ^ (index - 1)) % 2 == 1
end

--- Chronicle: every colour with a pair scores once per game and owner.
function M.chronicle_placed(self, owner, seat)
  if seat ~= owner then
    return
  end
  local board = progress.board(owner)
  for index, colour in ipairs(progress.colours()) do
    local flags = get(counter.chronicle_pairs, owner)
    if #board[colour] >= self.tiles and not has_flag(flags, index) then
      set(counter.chronicle_pairs, flags + 2 ^ (index - 1), owner)
      local track = choose(owner, "chronicle.support", { "people", "clergy" }, { about = { colour }, source = self.card })
      gain(counter[track], self.support, owner)
      log("chronicle-pair", owner, colour, track)
    end
  end
end

--- German Settlers: more slots in every colour.
function M.settlers_slots(self, value, owner, seat)
  return seat == owner and value + prop(self.card, "slots") or value
end

--- Church Schools: one paid tile after the free ones.
function M.schools_extra(self, owner, seat)
  if seat ~= owner or get(counter.gold, owner) < self.gold then
    return
  end
  local verb, tile, old = choose(owner, "progress.paid-tile", function()
    local options = {}
    if get(counter.gold, owner) >= self.gold then
      options = progress.offers(owner)
    end
    table.insert(options, "done")
    return options
  end, { about = { self.gold }, source = self.card })
  if verb == "take" or verb == "swap" then
    lose(counter.gold, self.gold, owner)
    progress.take(owner, tile, old)
  end
end

--- New Mechanisms: the Progress token may stand for any action.
function M.mechanisms_any(self, value, owner, seat, action)
  return seat == owner and action == "progress" and 1 or value
end

return M
