-- A seat's turn: the next planned token is revealed and performed, or skipped.
local hand = import("hand/hand")
local progress = import("actions/progress")
local taxes = import("actions/taxes")
local assembly = import("actions/assembly")
local march = import("war/march")
local building = import("actions/building")
local politics = import("politics/politics")
local M = {}

local ACTIONS = { "progress", "taxes", "assembly", "movement", "building", "politics" }
local PRINCIPALITIES = { faction.polonia_maior, faction.masovia, faction.polonia_minor, faction.silesia }
local PERFORM = {
  progress = progress.action,
  taxes = taxes.action,
  assembly = assembly.action,
  movement = march.action,
  building = building.action,
  politics = politics.action,
}
-- Actions that a Combined Action Tile repeats for a neutral Principality.
local COMBINED_POINT = {
  assembly = "combined.assembly",
  movement = "combined.movement",
  building = "combined.building",
}

-- After the tile's owner has acted, one neutral Principality may also act.
local function combine(seat, action)
  local point = COMBINED_POINT[action]
  local tile = top(zone.combined, seat)
  if point == nil or tile == nil then
    return
  end
  if not listens(tile, point) then
    return
  end
  local options = filter(PRINCIPALITIES, function(principality) return not led(principality) end)
  if #options == 0 then
    return
  end
  local chosen = choose(seat, "action.combined", options, { about = { action }, source = tile, pass = true })
  if chosen then
    perform(tile, point, seat, chosen)
  end
end

--- Performs one of the six actions for the seat.
function M.perform(seat, action)
  set(counter.acting, seat)
  PERFORM[action](seat)
  combine(seat, action)
  set(counter.acting, nil)
end

-- Court Cards first, then the revealed action, another one if something allows it, or nothing (nil).
local function decide(seat, action)
  while playing(seat) do
    local verb, what = choose(seat, "action.turn", function()
      local plays = hand.plays(seat, "turn")
      if query("action.any", 0, seat, action) > 0 then
        local others = filter(ACTIONS, function(other) return other ~= action end)
        return { "perform", { "treat-as", others }, plays, "skip" }
      end
      return { "perform", plays, "skip" }
    end, { about = { action } })
    if verb == "play" then
      hand.play(seat, what)
    elseif verb == "treat-as" then
      log("action-changed", seat, action, what)
      return what
    elseif verb == "perform" then
      return action
    else
      return nil
    end
  end
end

function M.turn(seat)
  local token = top(zone.plan, seat)
  if token == nil then
    return
  end
  put(token, zone.spent, seat)
  local action = prop(token, "action")
  log("action-revealed", seat, action)
  local chosen = decide(seat, action)
  if chosen then
    M.perform(seat, chosen)
  elseif playing(seat) then
    log("action-skipped", seat, action)
  end
  hand.window(seat, "turn")
end

return M
