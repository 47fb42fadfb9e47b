-- Measures a position and writes what it finds into the log: for scenarios, tests and designers. Changes nothing.
local map = import("map/board")
local strength = import("battle/strength")
local network = import("goal/network")
local M = {}

--- Reach and attack value that a Prince of the seat has on a hexagon, and the defense of what stands there.
function M.values(seat, hexagon)
  local board = map.read()
  log("survey-values", hexagon, strength.of_prince(board, seat, hexagon), strength.defense(board, hexagon))
end

--- Half points of the seat's best network, and how many win.
function M.network(seat)
  log("survey-network", seat, network.worth(map.read(), seat), get(counter.goal))
end

--- What bots think of a seat's position.
function M.judgment(seat)
  log("survey-judgment", seat, query("bot.value", 0, seat))
end

return M
