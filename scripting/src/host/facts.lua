-- Facts never change: scripts look them up in tables. What is not found, or asked for wrongly, the host answers.
local host = ...

-- A function over a column of facts: `column[entity]`.
function host.looked_up(column, ask)
  return function(entity, extra)
    local value = column[entity]
    if value == nil or extra ~= nil then
      return ask(entity, extra)
    end
    return value or nil
  end
end

-- The same over columns that are chosen by name: `columns[name][entity]`.
function host.looked_up_by_name(columns, ask)
  return function(entity, name, extra)
    local column = columns[name]
    local value = column and column[entity]
    if value == nil or extra ~= nil then
      return ask(entity, name, extra)
    end
    return value or nil
  end
end
