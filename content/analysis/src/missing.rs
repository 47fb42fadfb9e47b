//! Parts of Lua that scripts of packs do not have, why, and what to use instead.

const CLOCK: &str = "scripts have no clock, so that games can be replayed; count rounds in a counter";
const CHANCE: &str = "chance is part of the game, so that games can be replayed; use `roll(sides)` or `shuffle(zone)`";
const FILES: &str = "scripts have no access to files or programs; keep state in counters, zones and pieces";
const MODULES: &str = "write `local other = import(\"folder/module\")`";
const CODE: &str = "scripts are checked before they run, so they cannot load code; use a function";
const PRINTING: &str = "scripts have no output; use `log(key, …)` for players, and scenarios to see what happens";
const METATABLES: &str = "use functions and plain tables; keep state in counters, zones and pieces";
const COROUTINES: &str = "no coroutine is needed: `choose` returns when the seat has answered";

/// Why there is no global or library function with this name, and what to use instead.
pub fn why(name: &str) -> Option<&'static str> {
    Some(match name {
        "os" | "tick" | "time" | "wait" | "task" => CLOCK,
        "math.random" | "math.randomseed" | "math.noise" | "random" => CHANCE,
        "io" | "debug" => FILES,
        "require" | "package" | "dofile" | "loadfile" => MODULES,
        "load" | "loadstring" | "string.dump" => CODE,
        "print" | "warn" => PRINTING,
        "setmetatable" | "getmetatable" | "rawget" | "rawset" | "rawequal" | "getfenv" | "setfenv" | "_G" => METATABLES,
        "coroutine" => COROUTINES,
        _ => return None,
    })
}
