-- Princes as lives: death and succession, the change of generations, elimination, the last survivor.
local hand = import("hand/hand")
local calendar = import("round/calendar")
local rounds = import("round/rounds")
local M = {}

local function reigning(seat)
  return top(zone.reigning, seat)
end

-- Living Princes of the seat that do not rule, of one Period.
local function heirs_of(seat, period)
  return cards(zone.heirs, seat, { period = period })
end

--- The possible successors of a Prince who dies now: the living Princes of this Period, or else of the next.
function M.successors(seat)
  local period = calendar.period()
  local candidates = heirs_of(seat, period)
  return #candidates > 0 and candidates or heirs_of(seat, period + 1)
end

local function crown(seat, candidates)
  local prince = choose(seat, "dynasty.successor", candidates)
  put(prince, zone.reigning, seat)
  if get(counter.kingless, seat) == 1 then
    set(counter.kingless, 0, seat)
  end
  log("prince-reigns", seat, prince)
end

local function bury(seat, prince)
  put(prince, zone.crypt, seat)
  log("prince-buried", seat, prince)
end

--- Puts the ruler's figure on a controlled land; without any he waits beside the map.
function M.place_prince(seat)
  local land = choose(seat, "dynasty.place", spaces{controller = seat})
  set(counter.prince_waiting, land and 0 or 1, seat)
  if land then
    place(kind.prince, seat, land)
    log("prince-placed", seat, land)
  end
end

-- Whether the seat may continue although no Prince can rule it.
local function saved(seat)
  if get(counter.no_elimination) == 1 then
    set(counter.kingless, 1, seat)
  else
    hand.window(seat, "last-prince")
  end
  if get(counter.kingless, seat) == 0 then
    return false
  end
  set(counter.prince_waiting, 0, seat)
  log("prince-missing", seat)
  return true
end

-- Everything the seat owns goes back to where it came from; its buried Princes stay in their crypt.
local function clear_board(seat)
  for _, figure in { kind.prince, kind.princess } do
    for _, piece in pieces{owner = seat, kind = figure, on = "map"} do
      remove(piece)
    end
  end
  for _, place_of_cards in { zone.hand, zone.played, zone.in_effect } do
    for _, card in cards(place_of_cards, seat) do
      hand.discard(card)
    end
  end
  for _, tile in cards(zone.tiles, seat) do
    put(tile, zone["stack_" .. prop(tile, "color")])
  end
  for _, place_of_cards in { zone.reigning, zone.heirs, zone.tokens, zone.plan, zone.spent, zone.combined } do
    for _, card in cards(place_of_cards, seat) do
      put(card, zone.box)
    end
  end
  for _, track in { counter.gold, counter.people, counter.clergy, counter.kingless, counter.prince_waiting } do
    set(track, 0, seat)
  end
end

-- One seat left wins. Nobody left: the last two fell together, or a lone player has lost.
local function check_survivor()
  local left = seats()
  if #left == 1 then
    win(left[1], "last-survivor")
  elseif #left == 0 then
    draw_game(get(counter.solo) == 1 and "solo-lost" or "draw")
  end
end

local function drop_out(seat)
  log("eliminated", seat)
  local heir_of_token = nil
  for _, other in rounds.order(seat) do
    if other ~= seat and heir_of_token == nil then
      heir_of_token = other
    end
  end
  clear_board(seat)
  eliminate(seat)
  if get(counter.princeps) == seat and heir_of_token then
    set(counter.princeps, heir_of_token)
    log("princeps-passes", heir_of_token)
  end
  set(counter.last_round, math.min(get(counter.last_round), get(counter.round) + 1))
end

--- Takes a seat out of the game: its units stay as neutral ones, everything else is put away.
function M.eliminate(seat)
  if not playing(seat) then
    return
  end
  drop_out(seat)
  check_survivor()
end

--- Princes of these seats died at the same moment; all losses count before anybody has won.
function M.princes_lost(lost)
  local fallen, heirs = {}, {}
  for _, seat in lost do
    for _, figure in pieces{owner = seat, kind = kind.prince, on = "map"} do
      remove(figure)
    end
    local prince = reigning(seat)
    if prince then
      bury(seat, prince)
    end
    if #M.successors(seat) > 0 then
      table.insert(heirs, seat)
    elseif not saved(seat) then
      table.insert(fallen, seat)
    end
  end
  for _, seat in fallen do
    drop_out(seat)
  end
  if #fallen > 0 then
    check_survivor()
  end
  for _, seat in heirs do
    if over() then
      return
    end
    crown(seat, M.successors(seat))
    M.place_prince(seat)
  end
end

--- The seat's Prince has fallen or could not withdraw.
function M.prince_lost(seat)
  M.princes_lost({ seat })
end

-- After the change the Prince may hold court on any controlled land.
local function relocate(seat)
  local figure = the_piece{owner = seat, kind = kind.prince, on = "map"}
  if figure == nil then
    M.place_prince(seat)
    return
  end
  local options = filter(spaces{controller = seat}, function(land) return land ~= at(figure) end)
  table.insert(options, "stay")
  local land = choose(seat, "dynasty.relocate", options, { about = { at(figure) } })
  if land ~= "stay" then
    move(figure, land)
    log("prince-placed", seat, land)
  end
end

--- End of a Period: its Princes die of age, those of `period` follow, in the set order.
function M.change(period)
  for _, seat in seats() do
    if over() then
      return
    end
    local ruled = reigning(seat) ~= nil
    for _, place_of_cards in { zone.reigning, zone.heirs } do
      for _, prince in cards(place_of_cards, seat) do
        if prop(prince, "period") < period then
          bury(seat, prince)
        end
      end
    end
    local candidates = heirs_of(seat, period)
    if reigning(seat) then
      relocate(seat)
    elseif #candidates > 0 then
      crown(seat, candidates)
      relocate(seat)
    elseif ruled then
      for _, figure in pieces{owner = seat, kind = kind.prince, on = "map"} do
        remove(figure)
      end
      if not saved(seat) then
        M.eliminate(seat)
      end
    end
  end
end

return M
