-- Sovereigns: feats of arms wear a reign out, Statues make it longer, a successor follows with the next age.
local hand = import("battle/hand")
local M = {}

--- Moves the marker of a seat on the track of feats.
function M.advance(seat, steps)
  if playing(seat) then
    add(counter.feats, steps, seat)
    log("feats", seat, steps, get(counter.feats, seat))
  end
end

--- The ruling sovereign; nil between two reigns and after the last.
function M.ruler(seat)
  return top(zone.ruling, seat)
end

--- A Statue was built: the present reign lasts longer.
function M.lengthen(seat)
  if M.ruler(seat) then
    add(counter.reign_end, get(counter.statue_years), seat)
    log("reign-lengthened", seat, get(counter.reign_end, seat))
  end
end

--- Fills the slot that lies apart from the hand, where the sovereign has one and it is empty.
function M.refill_apart(seat)
  if size(zone.apart, seat) == 0 then
    hand.draw_apart(seat, zone.apart, query("hand.apart", 0, seat))
  end
end

--- Lets the seat name its sovereign.
function M.crown(seat)
  local heir = choose(seat, "reign.sovereign", cards(zone.sovereigns, seat))
  if heir == nil then
    return
  end
  put(heir, zone.ruling, seat)
  set(counter.reign_end, get(counter.feats, seat) + get(counter.reign_length) - 1, seat)
  log("crowned", seat, heir, get(counter.reign_end, seat))
  M.refill_apart(seat)
end

--- End of a turn: a sovereign who has outlived the reign dies. Powers last until now.
function M.bury()
  for _, seat in seats() do
    if get(counter.feats, seat) > get(counter.reign_end, seat) then
      local ruler = M.ruler(seat)
      if ruler then
        put(ruler, zone.tombs, seat)
        log("ruler-dies", seat, ruler)
      end
    end
  end
end

--- Start of an age: a kingdom without a sovereign gets one, while there are any.
function M.succeed(seat)
  if M.ruler(seat) == nil then
    M.crown(seat)
  end
end

return M
