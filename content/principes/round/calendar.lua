-- Rounds and Periods.
local M = {}

M.ROUNDS_PER_PERIOD = 2

--- Period (1, 2, 3) of the current Round.
function M.period()
  return math.ceil(get(counter.round) / M.ROUNDS_PER_PERIOD)
end

--- Whether the current Round is the last of its Period.
function M.period_ends()
  return get(counter.round) % M.ROUNDS_PER_PERIOD == 0
end

--- Whether this is the final Round of the game.
function M.final_round()
  return get(counter.round) >= get(counter.last_round)
end

return M
