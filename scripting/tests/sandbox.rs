//! A pack is untrusted: what it cannot access, which limits it cannot exceed, and the errors for these.
#![allow(clippy::unwrap_used)]

mod fixture;

use fixture::*;
use principes_core::ids::Value;
use principes_core::scripts::{ScriptErrorKind, Scripts, Step};
use principes_scripting::Live;

#[test]
fn names_beyond_the_api_do_not_exist() {
    for name in [
        "os",
        "io",
        "debug",
        "package",
        "require",
        "load",
        "loadstring",
        "loadfile",
        "dofile",
        "getfenv",
        "setfenv",
        "collectgarbage",
        "gcinfo",
        "newproxy",
        "print",
        "rawset",
        "rawget",
        "rawequal",
        "rawlen",
        "setmetatable",
        "getmetatable",
        "coroutine",
        "buffer",
        "bit32",
        "vector",
        "utf8",
        "xpcall",
        "_G",
        "_VERSION",
        "typeof",
        "host",
        "newcclosure",
    ] {
        let found = error(&format!("function M.run() local x = {name} return x end"));
        assert!(found.message.starts_with(&format!("unknown name `{name}`")), "{name}: {found:?}");
    }
}

#[test]
fn library_functions_beyond_the_list_do_not_exist() {
    for name in [
        "math.random",
        "math.randomseed",
        "math.sin",
        "math.pow",
        "math.noise",
        "string.dump",
        "string.pack",
        "table.move",
        "table.create",
        "table.clone",
        "table.clear",
        "table.freeze",
        "table.foreach",
    ] {
        let found = error(&format!("function M.run() local f = {name} end"));
        assert!(found.message.starts_with(&format!("unknown name `{name}`")), "{name}: {found:?}");
        let (library, function) = name.split_once('.').unwrap();
        assert_eq!(shows(&format!("{library}['{function}']")), "nil", "{name}");
    }
}

#[test]
fn direct_calls_of_builtins_do_not_bypass_the_environment() {
    for call in
        ["getmetatable('')", "setmetatable({}, {})", "rawset({}, 1, 2)", "math.sin(1)", "typeof(1)", "math.sqrt(4)"]
    {
        let found = error(&format!("function M.run() return {call} end"));
        assert_eq!(found.kind, ScriptErrorKind::Runtime, "{call}: {found:?}");
    }
}

#[test]
fn nothing_shared_can_be_written() {
    for write in [
        "get = nil",
        "math.max = nil",
        "string.rep = nil",
        "table.insert(string, 1)",
        "faction.red = 1",
        "space['nowhere'] = 1",
        "import('main').extra = 1",
        "import('main').list[1] = 2",
        "battle.space = nil",
        "import('main').run = nil",
    ] {
        let found = error(&format!("M.list = {{ 1 }} function M.run() {write} end"));
        assert!(found.message.contains("readonly") || found.message.contains("read-only"), "{write}: {found:?}");
    }
    assert_eq!(error("function M.run() x = 1 end").message, "unknown name `x`");
    let found =
        error("function M.act(self) self.gold = 5 end function M.run(seat) perform(top(zone.deck), 'act', seat) end");
    assert!(found.message.contains("readonly"), "{found:?}");
}

#[test]
fn bytecode_is_refused() {
    for start in ["\u{6}", "\u{0}", "\u{1b}Lua"] {
        let faults = host_with("", &[source("evil", &format!("{start}\u{1}\u{2}abc"))]).err().unwrap();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].file.as_deref(), Some("scripts/evil.lua"));
    }
}

#[test]
fn nothing_shows_an_address() {
    assert_eq!(shows("{}"), "table");
    assert_eq!(shows("get"), "function");
    assert_eq!(shows("faction.blue_house"), "blue-house");
    assert_eq!(shows("12"), "12");
    assert_eq!(shows("nil"), "nil");
    for format in ["string.format('%s', {})", "string.format('%*', get)", "('%s'):format({})", "`{ {} }`"] {
        let found = error(&format!("function M.run() return {format} end"));
        assert!(found.message.contains("cannot write a"), "{format}: {found:?}");
    }
}

#[test]
fn endless_loops_end() {
    for text in [
        "function M.run() while true do end end",
        "function M.run() repeat local x = 1 until false end",
        "function M.run() for i = 1, math.huge do end end",
        "function M.run() while true do pcall(function() while true do end end) end end",
        "function M.run() pcall(function() while true do end end) end",
        "function M.run() string.find(string.rep('a', 60), string.rep('a?', 60) .. string.rep('a', 60)) end",
        "function M.run() local t = {} for i = 1, 1e9 do table.insert(t, 1, i) if #t > 1000 then t = {} end end end",
        "function M.run() for i = 1, 1e9 do string.find(string.rep('a', 8000), string.rep('a', 1000) .. 'b', 1, true) end end",
        "function M.run() for i = 1, 1e9 do string.rep('a', 8000) end end",
        "function M.run() choose(faction.red, 'pick', function() while true do end end) end",
    ] {
        let found = error(text);
        assert_eq!(found.kind, ScriptErrorKind::Steps, "{text}: {found:?}");
    }
}

#[test]
fn endless_recursion_ends() {
    for call in ["f()", "1 + f()", "get(f())"] {
        let found = error(&format!("function M.run() local function f() return {call} end return f() end"));
        assert!(found.message.contains("stack overflow") || found.kind == ScriptErrorKind::Steps, "{call}: {found:?}");
    }
    let found = error(
        "function M.act(self, owner) perform(self.card, 'act', owner) end function M.run(s) perform(top(zone.deck), 'act', s) end",
    );
    assert!(found.message.contains("64 levels"), "{found:?}");
}

#[test]
fn memory_is_limited_and_the_host_survives() {
    let host = host(
        "function M.run()
           local t = {} while true do t = { t, {}, {}, {}, {}, {}, {}, {} } end end
         function M.other() return 1 end
         function M.options() local t = {} while true do pcall(function() for i = 1, 9999 do t = { t, 1, 2, 3, 4, 5, 6 } end end) end end",
    );
    let mut table = table(&host);
    for _ in 0..3 {
        let found = host.start(&mut Live::default(), 1, flow(RUN), &[], &mut table).unwrap_err();
        assert_eq!(found.kind, ScriptErrorKind::Memory, "{found:?}");
        assert_eq!(found.file.as_deref(), Some("scripts/main.lua"), "{found:?}");
        let step = host.start(&mut Live::default(), 2, flow(OTHER), &[], &mut table).unwrap();
        assert!(matches!(step, Step::Done));
        let found = host.options(OPTIONS, &[], &mut table).unwrap_err();
        assert_eq!(found.kind, ScriptErrorKind::Memory, "{found:?}");
    }
}

#[test]
fn using_much_memory_costs_steps() {
    let join =
        "function M.run() local s = string.rep('x', 8000) local n = 0 while true do n = n + 1 local t = s .. n end end";
    let compare = "function M.run() local s = string.rep('x', 8000)
      local a, b = s .. 'a', s .. 'b' while true do local t = a < b end end";
    let gather = "function M.run() local t = {} while true do t[#t + 1] = string.rep('x', 8000) .. #t end end";
    for text in [join, compare, gather] {
        let host = host(text);
        for _ in 0..2 {
            let found = run(&host).unwrap_err();
            assert_eq!(found.kind, ScriptErrorKind::Steps, "{text}: {found:?}");
        }
    }
}

#[test]
fn errors_in_errors_cost_steps() {
    for text in [
        "function M.run() while true do pcall(error, 'x') end end",
        "function M.run() local function f() pcall(f) return f() end f() end",
        "function M.act(self, owner) pcall(perform, self.card, 'act', owner) perform(self.card, 'act', owner) end
         function M.run(s) while true do pcall(perform, top(zone.deck), 'act', s) end end",
    ] {
        let found = error(text);
        assert_eq!(found.kind, ScriptErrorKind::Steps, "{text}: {found:?}");
    }
}

/// The folder of a pack is not part of the game.
#[test]
fn a_caught_error_names_the_module_and_no_file() {
    for (raised, told) in [
        ("local x x.y = 1", "main:2: attempt to index nil with 'y'"),
        ("error('told')", "main:2: told"),
        ("get(counter.gold)", "main:2: get: "),
    ] {
        let caught = format!(
            "\nfunction M.run() local _, raised = pcall(function() {raised} end) error('caught ' .. tostring(raised), 0) end"
        );
        let found = error(&caught);
        assert!(found.message.starts_with(&format!("caught {told}")), "{found:?}");
        assert!(!found.message.contains(".lua"), "{found:?}");
        assert_eq!((found.file.as_deref(), found.line), (Some("scripts/main.lua"), Some(2)), "{found:?}");
    }
}

#[test]
fn a_location_in_a_message_is_believed_only_if_it_is_in_the_trace() {
    let found = error("\nfunction M.run() error('scripts/other.lua:7: not me', 0) end");
    assert_eq!((found.file.as_deref(), found.line), (Some("scripts/main.lua"), Some(2)), "{found:?}");
    assert_eq!(found.message, "scripts/other.lua:7: not me");
}

#[test]
fn messages_are_fit_for_people() {
    for (raised, found) in [
        ("{}", "the script raised a table as its error; raise a string instead"),
        ("function() end", "the script raised a function as its error; raise a string instead"),
        (r"'\27[2J'", r"\u{1b}[2J"),
    ] {
        assert_eq!(error(&format!("function M.run() error({raised}) end")).message, found);
    }
    let long = error("function M.run() error(string.rep('x', 8000)) end").message;
    assert_eq!(long.chars().count(), 501);
}

#[test]
fn long_strings_are_refused() {
    for text in
        ["string.rep('x', 1e9)", "('x'):rep(1e9)", "string.upper(string.rep('x', 8000) .. string.rep('x', 8000))"]
    {
        let found = error(&format!("function M.run() return {text} end"));
        assert!(found.message.contains("8192"), "{text}: {found:?}");
        assert_eq!(found.line, Some(1), "{found:?}");
    }
}

#[test]
fn every_machine_counts_the_same_steps() {
    let text = "function M.run(seat)
        local n = 0
        for i = 1, 500 do for _, s in ipairs(spaces()) do n = n + #idof(s) end end
        table.sort({ 3, 1, 2 }, function(a, b) return a < b end)
        (string.gsub)(string.rep('ab', 50), 'a', function(x) return x .. n end)
    end";
    let text = text.replace("\n        (string", ";(string");
    let counts: Vec<u64> = (0..3)
        .map(|_| {
            let host = host(&text);
            run(&host).unwrap();
            let first = host.steps_used();
            run(&host).unwrap();
            assert_eq!(first, host.steps_used());
            first
        })
        .collect();
    assert!(counts[0] > 1000, "{counts:?}");
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

#[test]
fn the_budget_is_full_again_for_every_call() {
    let host = host("function M.run() for i = 1, 600000 do end end");
    for _ in 0..3 {
        assert!(matches!(run(&host), Ok(Step::Done)));
    }
}

#[test]
fn caught_errors_have_the_same_messages() {
    assert_eq!(
        shows("select(2, pcall(function() get(counter.gold, space.west) end))"),
        "get: counter `gold` needs a playable faction as owner, found a space `west`"
    );
    passes("function M.run() local ok, e = pcall(error, { 1 }) assert(not ok and e[1] == 1) end");
    passes(
        "function M.run() local ok, a, b = pcall(function(x) return x, 2 end, 1) assert(ok and a == 1 and b == 2) end",
    );
}

#[test]
fn arithmetic_on_handles_makes_no_other_handles() {
    let found = error("function M.run() return controller(space.west + 1000) end");
    assert!(found.message.contains("1st argument (space) must be a space"), "{found:?}");
    let found = error("function M.run(seat) add(counter.gold, 0.5, seat) end");
    assert_eq!(found.message, "add: 2nd argument (amount) must be a whole number, found 0.5");
    for n in ["0/0", "1/0", "2^40", "-2^31 - 1"] {
        let found = error(&format!("function M.run(seat) add(counter.gold, {n}, seat) end"));
        assert!(found.message.contains("must be a whole number"), "{n}: {found:?}");
    }
}

#[test]
fn modules_keep_nothing_between_calls() {
    let kept = [
        "local seen = 0 function M.run() seen = seen + 1 end",
        "local seen = 0 function M.run() seen += 1 end",
        "local seen = {} function M.run(s) seen[s] = true end",
        "local seen = {} function M.run(s) seen.a.b = true end",
        "local seen = {} local function note(s) table.insert(seen, s) end function M.run(s) note(s) end",
        "local seen = {} function M.run(s) if s then local x x, seen[1] = 1, 2 end end",
        "local a, seen = 1, nil function M.run(s) for i = 1, 2 do seen = { a = i } end end",
        "do local seen = {} function M.run(s) filter({ 1 }, function(x) table.sort(seen) end) end end",
    ];
    for text in kept {
        let faults = host_with(text, &[]).err().unwrap_or_default();
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
        assert!(faults[0].message.starts_with("`seen` belongs to the module"), "{text}: {faults:?}");
        assert_eq!((faults[0].file.as_deref(), faults[0].line), (Some("scripts/main.lua"), Some(1)));
    }
    let aliased = [
        "local seen = {} function M.run() local t = seen t.x = 1 end",
        "local seen = { { 1 } } local function first() return seen[1] end function M.run() local t = first() t[1] = 2 end",
        "M.inner = { list = {} } function M.run() table.insert(import('main').inner.list, 1) end",
        "local t = { a = function() return {} end, b = {} } function M.run() local b = t.b b.x = 1 end",
        "local s = `{ 'x' }` local seen = {} function M.run() local t = seen t.x = s end",
    ];
    for text in aliased {
        let found = error(text);
        assert!(found.message.contains("readonly") || found.message.contains("read-only"), "{text}: {found:?}");
    }
    let early = [
        ("local function box() local n = 0 return function() n = n + 1 return n end end local tick = box()", "box"),
        ("local tick = (function() local n = 0 return function() n = n + 1 end end)()", "a function"),
        ("local list = sorted({ 1 })", "sorted"),
        ("local list = table.pack(1)", "table.pack"),
        ("local a = string.gsub('a', 'a', function() return 'b' end)", "string.gsub"),
        ("local insert = table.insert insert({}, 1)", "insert"),
        ("function M.make() return {} end local t = M.make()", "M.make"),
        ("function M.make() return {} end local t = M:make()", "make"),
        ("local f = import local m = f('main')", "f"),
        ("local function g() return {} end local t = g{}", "g"),
        ("local function g() return {} end local t = `{ g() }`", "g"),
        ("pcall(function() end)", "pcall"),
    ];
    for (text, name) in early {
        let faults = host_with(&format!("{text} function M.run() end"), &[]).err().unwrap_or_default();
        assert!(
            faults
                .first()
                .is_some_and(|fault| fault.message.replace('`', "").starts_with(&format!("{name} is called while"))),
            "{text}: {faults:?}"
        );
    }
    let fine = [
        "local wide = string.rep('a', 3) table.insert(M, wide) local n = math.max(1, #wide) function M.run() end",
        "local t = { list = { 1, 2 }, f = function() local u = {} u.x = 1 return u end } t.more = { 3 } function M.run() return t.f() end",
        "local seen = {} seen.a = 1 seen = { b = 2 } table.insert(seen, 1) function M.run() return seen.b end",
        "local seen = 1 function M.run(seen) seen = 2 end",
        "local seen = 1 function M.run() local seen = {} seen.x = 2 table.insert(seen, 1) return { seen = 1 } end",
        "local seen = 1 function M.run() for seen = 1, 2 do seen = 3 end for _, seen in ipairs({}) do seen = 3 end end",
        "local seen = 1 local function f(_) end function M.run() f{ seen = 2, x = function() local seen seen = 1 end } return seen == 2 end",
        "local seen function M.other() return seen() end seen = function() return 1 end function M.run() end",
        "function M.run() -- seen = 1\n local s = 'seen = 1' local t = [[ seen = 1 ]] local x = {} x[ [[a]] ] = 1 end",
        "local seen = 1 function M.run() if seen == 1 then local seen = 2 seen = 3 elseif seen ~= 2 then repeat local seen seen = 3 until true end end",
    ];
    for text in fine {
        let faults = host_with(text, &[]).err().unwrap_or_default();
        assert!(faults.is_empty(), "{text}: {faults:?}");
    }
}

#[test]
fn no_table_is_a_key() {
    for text in [
        "local t = { [{}] = 1 } for k in pairs(t) do end",
        "local t = { [get] = 1 } for k in pairs(t) do end",
        "next({ [{}] = 1 })",
        "local t, k = {}, {} t[k] = 1",
        "local t, k = {}, {} t.one, t[k] = 1, 2",
        "local t = { 1 } t[1 and {}] = 2",
        "local t, type = {}, function() return 'number' end local k = {} t[k] = 1",
        "local t = {} for i, k in ipairs({ {} }) do t[k] = i end",
        "local t = {} for k in pairs({ 1 }) do k = {} t[k] = 1 end",
        "local t = {} t[if t then t else 1] = 1",
        "local t = {} t[function() end] = 1",
        "local t = { [1] = { [{}] = 1 } }",
        "local t = {} t[{}] += 1",
    ] {
        let found = error(&format!("function M.run() {text} end"));
        assert!(found.message.contains("the order of such keys is random"), "{text}: {found:?}");
        assert_eq!(found.line, Some(1), "{text}: {found:?}");
    }
    let found = error(
        "function M.run() local t, k = {}, {} pcall(function() t[k] = 1 end) assert(next(t) == nil) error('none', 0) end",
    );
    assert_eq!(found.message, "none");
    passes(
        "local WORDS = { [kind.knight] = 1, ['two'] = 2, [3] = 3, [true] = 4 }
         function M.run(seat) local t, k = {}, 'a' t[k] = 1 t[seat] = 2 t[k .. 'b'] = 3 t[#t + 1] = 4 t[not k] = 5 t[k] += 1
         for i = 1, 2 do t[i] = i end for x in pairs(t) do t[x] = 0 end assert(t.a == 0 and t.ab == 0 and WORDS.two == 2) end",
    );
}

/// Refused code is refused in every spelling that Luau accepts, and the compiled code is the code that was checked.
#[test]
fn the_checked_code_is_the_code_that_runs() {
    for (text, why) in [
        ("function M.run() -- note\r stash = 1\nend", "a carriage return without a line feed"),
        ("local n = 0 function M.run() -- note\r n = n + 1\nend", "a carriage return without a line feed"),
        ("function M.run(t) -- note\r for k in t do end\nend", "a carriage return without a line feed"),
        ("function M.run() -- note \0\nend", "a control character"),
        ("local function __keep(t) return t end function M.run() end", "`__keep` starts with two underscores"),
        ("function M.run(__key) end", "`__key` starts with two underscores"),
        ("local t = __keep({}) function M.run() end", "unknown name `__keep`"),
        (
            "local word = string.gmatch('a b', '%a') function M.run() return word() end",
            "`string.gmatch` is called while",
        ),
        ("local t: typeof(get) = 1 function M.run() end", "scripts cannot use type annotations"),
        ("function M.run() type function f() end end", "scripts may not use type functions"),
    ] {
        let faults = host_with(text, &[]).err().unwrap_or_default();
        assert!(faults.first().is_some_and(|fault| fault.message.starts_with(why)), "{text:?}: {faults:?}");
    }
    passes(
        "local words = {}\r\nfor word in string.gmatch('a b', '%a') do words[word] = true end -- note\r\nfunction M.run()\r\n  assert(words.a)\r\nend",
    );
    let found = error("local t = assert{ 1 } local u = assert --[[ note ]] { t } function M.run() u[1] = 2 end");
    assert!(found.message.contains("`u` belongs to the module"), "{found:?}");
    let found = error("local t = assert --[[ note ]] { 1 } function M.run() local u = t u[1] = 2 end");
    assert!(found.message.contains("readonly") || found.message.contains("read-only"), "{found:?}");
}

#[test]
fn loops_walk_only_ordered_tables() {
    for head in ["k in next, t", "k in pairs(t), t"] {
        let text = format!("function M.run(t, x) for {head} do end end");
        let faults = host_with(&text, &[]).err().unwrap_or_default();
        assert!(
            faults.first().is_some_and(|fault| fault.message.starts_with("a loop with `in`")),
            "{text}: {faults:?}"
        );
    }
    passes("function M.run() for k, v in pairs({ a = 1, [2] = 3, [faction.red] = 4 }) do end for w in ('a b'):gmatch('%a') do end
      for w in string.gmatch('a', 'a') do end local t = { n = { 1 } } for i in ipairs(t.n) do end end");
    // A plain list is walked from 1 to its end, other tables as with `pairs`. Anything else is an error.
    passes(
        "function M.run(seat) local seen = ''
            for at, n in { 5, 6, 7 } do seen = seen .. at .. n end
            local list = {} for n = 1, 40 do table.insert(list, n) end
            local last = 0 for at, n in list do assert(at == n and n == last + 1) last = n end
            local map = { a = 1, [seat] = 2, b = 3 } local keys, pairs_keys = '', ''
            for key in map do keys = keys .. tostring(key) end
            for key in pairs(map) do pairs_keys = pairs_keys .. tostring(key) end
            assert(seen == '152637' and last == 40 and keys == pairs_keys)
         end",
    );
    assert!(error("function M.run(seat) for x in seat do end end").message.contains("iterate"));
    let by_address = error("function M.run() for key in { [{}] = 1 } do end end").message;
    assert_eq!(by_address, "a table cannot be a key: the order of such keys is random; use handles or keywords");
}

#[test]
fn methods_of_strings_are_the_bounded_ones() {
    assert_eq!(shows("('abc'):upper()"), "ABC");
    assert_eq!(shows("#('ab'):rep(3)"), "6");
}

/// A call does not pay for what suspended scripts of other games hold.
#[test]
fn steps_do_not_depend_on_what_other_scripts_hold() {
    let host = host(
        "function M.run()
           for i = 1, 30000 do local garbage = { i } end end
         function M.other(seat)
           local held = {}
           for i = 1, 30000 do held[i] = i end
           choose(seat, 'pick', { 1, 2 })
           return #held end",
    );
    run(&host).unwrap();
    let alone = host.steps_used();
    let (mut live, mut table) = (Live::default(), table(&host));
    for frame in 0..12 {
        let step = host.start(&mut live, frame, flow(OTHER), &[Value::Faction(RED)], &mut table);
        assert!(matches!(step, Ok(Step::Ask(_))), "{step:?}");
        run(&host).unwrap();
        assert_eq!(host.steps_used(), alone, "beside {frame} others");
    }
}

#[test]
fn numbers_are_parsed_and_formatted_alike_on_every_system() {
    for (call, wanted) in [
        (
            "string.format('%f|%.2f|%5.1f|%-6.1f|%06.1f|%+.0f', 1.5, 0.125, -2.25, 1, -1.5, 2.5)",
            "1.500000|0.12| -2.2|1.0   |-001.5|+2",
        ),
        (
            "string.format('%e|%.0E|%g|%g|%G|%.3g|%g', 12345.678, 5, 0.0001, 0.00001, 1e20, 1234.5, 100000)",
            "1.234568e+04|5E+00|0.0001|1e-05|1E+20|1.23e+03|100000",
        ),
        ("string.format('%d%% of %s, %x, %*', 50, 'it', 255, 7)", "50% of it, ff, 7"),
        ("string.format('%.1f', '2.5')", "2.5"),
        ("string.format('|%5s|%-3d|', 'a', 4)", "|    a|4  |"),
        ("tonumber(' 12.5e1 ')", "125"),
        ("tonumber('-0x1F')", "-31"),
        ("tonumber('.5')", "0.5"),
        ("tonumber('ff', 16)", "255"),
        ("tonumber('0x1p4')", "nil"),
        ("tonumber('nan')", "nil"),
        ("tonumber('inf')", "nil"),
        ("tonumber('-Infinity')", "nil"),
        ("tonumber('nan(1)')", "nil"),
        ("tonumber('1e')", "nil"),
        ("tonumber('')", "nil"),
        ("0/0", "NaN"),
        ("-0", "0"),
        ("string.format('%.17g', 2 ^ 0.5)", "1.4142135623730951"),
        ("string.format('%.17g', 10 ^ -5)", "9.9999999999999991e-06"),
        ("string.format('%.17g', 1.0000001 ^ 12345678.9)", "3.4368928742452223"),
        ("-2 ^ 2 .. ' ' .. 2 ^ 3 ^ 2 .. ' ' .. (1 + 1) ^ -1", "-4 512 0.5"),
        ("2 --[[ ^ ]] ^ --[[ ^ ]] 53", "9007199254740992"),
        ("'3' ^ '2'", "9"),
        ("0 ^ 0", "1"),
        ("(-8) ^ (1 / 3)", "NaN"),
    ] {
        assert_eq!(shows(call), wanted, "{call}");
    }
    for (call, wanted) in [
        ("string.format('%f', 0/0)", "finite"),
        ("string.format('%5g', -math.huge)", "finite"),
        ("string.format('%d', 0/0)", "writes numbers up to"),
        ("string.format('%x', 1e300)", "writes numbers up to"),
        ("string.format('%c', 256)", "writes numbers up to"),
        ("string.format('%#f', 1)", "not a number format"),
        ("string.format('%.100f', 1)", "not a number format"),
        ("string.format('%a', 1)", "invalid option"),
        ("string.format('%f')", "missing argument"),
        ("string.format('%f', 'x')", "number expected"),
        ("nil ^ 2", "attempt to perform arithmetic (pow) on nil and number"),
        ("{} ^ {}", "attempt to perform arithmetic (pow) on table"),
    ] {
        let found = error(&format!("function M.run() return {call} end"));
        assert!(found.message.contains(wanted), "{call}: {found:?}");
    }
}

/// Where Luau itself reads a string as a number, the C library does it. On every system where this test passes, it reads
/// numerals as we do.
#[test]
fn strings_in_arithmetic_are_the_numbers_that_they_say() {
    let numerals = [
        "0",
        "1",
        "-7",
        "+3",
        " 12 ",
        "007",
        ".5",
        "5.",
        "1e3",
        "1E-3",
        "0.1",
        "0.30000000000000004",
        "123456789012345678",
        "9007199254740993",
        "1.7976931348623157e308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062328e-324",
        "8.41e21",
        "9.5367431640625e-7",
        "1e400",
        "-1e-400",
        "0x1F",
        "-0xff",
    ];
    for numeral in numerals {
        let ours = format!("local n, s = tonumber('{numeral}'), '{numeral}'");
        passes(&format!("function M.run() {ours} assert(s + 0 == n and s * 1 == n and -(-s) == n and s / 1 == n) end"));
    }
    for other in ["", " ", "x", "1 2", "1e", "0x", "--1", "1_000", "0b1", "e5", "."] {
        passes(&format!("function M.run() assert(not pcall(function() return '{other}' + 0 end)) end"));
    }
}

#[test]
fn examining_a_large_world_costs_steps_by_its_size() {
    let steps = |copies: usize, call: &str| {
        let mut large = catalog().into_parts();
        let more = std::iter::repeat_n(large.pieces[0], copies);
        large.pieces = large.pieces.iter().cloned().chain(more).collect::<Vec<_>>().into();
        let large = large.build().unwrap();
        let text = format!("local M = {{}} function M.run() {call} end\n{REST}");
        let host = principes_scripting::LuaHost::new(std::sync::Arc::new(large), &[source("main", &text)]).unwrap();
        run(&host).unwrap();
        host.steps_used()
    };
    for call in ["pieces{}", "count{on = 'map'}", "the_piece{owner = faction.red}", "spaces{empty = true}"] {
        let (few, many) = (steps(0, call), steps(6400, call));
        assert!(few < 100 && many >= few + 200, "{call}: {few} and {many}");
        assert_eq!(many, steps(6400, call), "{call}");
    }
}

#[test]
fn compiled_code_is_checked_again_where_a_name_is_missing() {
    let text = format!("local M = {{}} function M.run() add(counter.gold, 1, faction.red) end {REST}");
    let sources = [source("main", &text)];
    let host = |gold: &str| {
        let mut parts = catalog().into_parts();
        parts.counters[0].id = gold.to_owned();
        let catalog = parts.build().unwrap();
        principes_scripting::LuaHost::new(std::sync::Arc::new(catalog), &sources).map(|_| ())
    };
    assert_eq!(host("gold"), Ok(()));
    let errors = host("golden").unwrap_err();
    assert_eq!((errors.len(), errors[0].line), (1, Some(1)), "{errors:?}");
    assert_eq!(host("gold"), Ok(()));
}
