local M = {}

function M.feast(self, seat)
  add(counter.glod, 1, seat)
  log("feats", seat)
end

return M
