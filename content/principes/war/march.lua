-- Movement: the march itself belongs to the kernel; here is what follows it. Division Tokens come off, trespass is paid
-- for, undefended lands may be laid waste, battles are fought one by one.
local hand = import("hand/hand")
local combat = import("battle/combat")
local M = {}

-- The faction whose units were moved. One movement never mixes factions.
local function moved_side(result)
  local first = result.moved[1]
  return first and owner(first.piece)
end

-- Lands on which own movement costs Clergy Support or gold: inside another Principality, or divided, and not held before.
local function trespassed(result, seat)
  local lands = {}
  for _, land in result.ended do
    local lord = home(land)
    if lord and result.before[land] ~= seat
      and (lord ~= seat or count{at = land, kind = kind.division} > 0) then
      table.insert(lands, land)
    end
  end
  return lands
end

local function lift_divisions(lands)
  for _, land in lands do
    for _, token in pieces{at = land, kind = kind.division} do
      remove(token)
      log("division-lifted", land)
    end
  end
end

--- The seat pays for each of these lands, as long as it has anything to pay with.
function M.penalty(seat, lands)
  if #lands == 0 then
    return
  end
  hand.window(seat, "penalty")
  local points = query("penalty.points", #lands, seat)
  for nth = 1, points do
    if not playing(seat) then
      return
    end
    local paid = choose(seat, "march.penalty", function()
      local options = {}
      if get(counter.clergy, seat) > 0 then
        table.insert(options, "pay-clergy")
      end
      if get(counter.gold, seat) > 0 then
        table.insert(options, "pay-gold")
      end
      return options
    end, { about = { lands[nth] or lands[#lands] } })
    if paid == "pay-clergy" then
      lose(counter.clergy, 1, seat)
    elseif paid == "pay-gold" then
      lose(counter.gold, 1, seat)
    else
      log("penalty-waived", seat)
      break
    end
    log("penalty-paid", seat, paid == "pay-gold" and "gold" or "clergy")
  end
  for _, card in cards(zone.in_effect, seat) do
    if prop(card, "lasts") == "penalty" then
      hand.discard(card)
    end
  end
end

-- Lands of the march on which two sides stand.
local function contested(lands, side)
  return filter(lands, function(land)
    return #occupants(land) > 1 and count{at = land, owner = side, occupying = true} > 0
  end)
end

-- Units that stood on a land before this march did not take it now.
local function stood_there(result, side)
  local arrived, stood = {}, {}
  for _, step in result.moved do
    arrived[step.piece] = true
  end
  for _, land in result.ended do
    for _, piece in pieces{at = land, owner = side, occupying = true} do
      stood[land] = stood[land] or not arrived[piece]
    end
  end
  return stood
end

-- Destruction on the lands that fell without a battle.
local function raze_undefended(result, seat, side)
  local stood = stood_there(result, side)
  for _, land in result.ended do
    if #occupants(land) == 1 and not stood[land] and result.before[land] ~= seat then
      combat.offer_destruction(seat, side, land)
    end
  end
end

-- The battles of a march, in the order that the mover chooses.
local function fight_all(lands, seat, side)
  while not over() do
    local fields = contested(lands, side)
    if #fields == 0 then
      return
    end
    local field = fields[1]
    if playing(seat) then
      field = choose(seat, "march.battle", fields)
    end
    for _, defender in occupants(field) do
      if defender ~= side then
        combat.fight(field, side, defender, seat ~= side and seat or nil)
        break
      end
    end
  end
end

--- Everything between the commit of a march and its end, for own and neutral units.
function M.after(result, seat)
  local side = moved_side(result)
  if side == nil then
    return
  end
  local invader = prop(side, "group") == "invader"
  if side == seat then
    local lands = trespassed(result, seat)
    lift_divisions(result.ended)
    M.penalty(seat, lands)
  elseif not invader then
    lift_divisions(result.ended)
  end
  if not invader then
    raze_undefended(result, seat, side)
  end
  fight_all(result.ended, seat, side)
end

--- The Movement Action: any own units on the map, except the Princess.
function M.action(seat)
  M.after(move_units{ mover = seat, pieces = pieces{owner = seat, occupying = true, on = "map"} }, seat)
end

return M
