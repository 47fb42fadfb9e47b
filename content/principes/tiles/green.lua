-- Progress Tiles of the Progress Action.
local progress = import("actions/progress")
local M = {}

-- One flag per color in a single number, in the order of the board.
local function has_flag(flags, index)
  return math.floor(flags / 2 ^ (index - 1)) % 2 == 1
end

--- Chronicle: Gain {support} People or Clergy Support for each color in which you have {tiles} tiles, now and whenever
--- a color first reaches {tiles}.
function M.chronicle_placed(self, owner, seat)
  if seat ~= owner then
    return
  end
  local board = progress.board(owner)
  for index, color in progress.colors() do
    local flags = get(counter.chronicle_pairs, owner)
    if #board[color] >= self.tiles and not has_flag(flags, index) then
      set(counter.chronicle_pairs, flags + 2 ^ (index - 1), owner)
      local track = choose(owner, "chronicle.support", { "people", "clergy" }, { about = { color }, source = self.card })
      gain(counter[track], self.support, owner)
      log("chronicle-pair", owner, color, track)
    end
  end
end

--- German Settlers: You may own {slots} more tiles of every color, this one included.
function M.settlers_slots(self, value, owner, seat)
  return seat == owner and value + prop(self.card, "slots") or value
end

--- Church Schools: Progress: after your free tiles you may pay {gold} gold to take one more, even in the action that
--- brings this tile.
function M.schools_extra(self, owner, seat)
  if seat ~= owner then
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

--- New Mechanisms: When your Progress token is revealed, you may treat it as any other action.
function M.mechanisms_any(self, value, owner, seat, action)
  if seat == owner and action == "progress" then
    return 1
  end
  return value
end

return M
