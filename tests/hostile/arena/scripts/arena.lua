local M = {}

function M.turn(seat)
  local deed = choose(seat, "arena.turn", { "wait", "dare", "weigh" })
  if deed == "dare" then
    log("dared", seat)
    add(counter.score, 5, seat)
    trigger("arena.dare", seat)
  elseif deed == "weigh" then
    add(counter.score, query("arena.weigh", 1, seat), seat)
  end
  add(counter.score, roll(6), seat)
end

function M.finish()
  win(get(counter.score, faction.red) < get(counter.score, faction.blue) and faction.blue or faction.red, "points")
end

return M
