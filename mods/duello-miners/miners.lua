-- Raw goods: made and sold until a building that uses them stands, whether that works or not.
local city = import("city/city")
local M = {}

local function is_used(seat, good)
  local user, other = prop(good, "user"), prop(good, "other-user")
  return (user ~= nil and city.has(seat, user)) or (other ~= nil and city.has(seat, other))
end

--- `production.limit`: nothing more when a user stands.
function M.limit(self, value, owner, seat, good)
  if is_used(seat, good) then
    return 0
  end
  return value
end

--- `masters.welcome`: masters may work at a maker of raw goods as long as these can be sold.
function M.welcome(self, value, owner, seat, what)
  for _, good in cards(zone.goods) do
    if has(good, "user") and prop(good, "maker") == what and not is_used(seat, good) then
      return 1
    end
  end
  return value
end

return M
