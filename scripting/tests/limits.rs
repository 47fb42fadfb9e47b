//! Steps bound time: slow operations cost steps by their size, and every machine counts the same.
#![allow(clippy::unwrap_used)]

mod fixture;

use fixture::*;
use principes_core::scripts::ScriptErrorKind;

/// The steps of a hook.
fn steps(body: &str) -> u64 {
    let host = host(&format!("function M.run(seat) {body} end"));
    if let Err(told) = run(&host) {
        panic!("{body:.200}: {told:?}");
    }
    let first = host.steps_used();
    let again = self::host(&format!("local unused = {{ 'garbage' }} function M.run(seat) {body} end"));
    run(&again).unwrap();
    assert_eq!(first, again.steps_used(), "{body:.200}: another machine");
    first
}

/// Each of these is slow without a loop iteration or call, so it must cost at least this many steps.
#[test]
fn code_without_loops_and_calls_costs_steps_by_its_length() {
    let many = |part: &str, times: usize| part.repeat(times);
    for (body, least) in [
        (format!("local x = 0 {}", many("x = x + 1 ", 1000)), 60),
        (format!("local x = {}0", many("1 + ", 100)), 4),
        (format!("local x = {{ {} }}", many("{}, ", 1000)), 140),
        (format!("local x = 1 if x == 2 then {} end", many("x = x + 1 ", 1000)), 0),
        (format!("local x = 1 if x == 1 then {} end", many("x = x + 1 ", 1000)), 60),
        (format!("local x = 1 if x == 2 then {} end", many("elseif x == 3 then ", 100)), 4),
        (format!("for i = 1, 10 do {} end", many("local f = function() end ", 100)), 140),
        (format!("local n = 0 while n < 10{} do n = n + 1 end", many(" + 0", 100)), 40),
        (format!("local n = 0 repeat n = n + 1 until n >= 10{}", many(" + 0", 100)), 40),
        (format!("local n = 0 while n < 0{} do end", many(" + 0", 100)), 3),
        (format!("local a = 'a' {}", many("local b = a < 'b' ", 100)), 8),
        (format!("do {} end", many("do local x = {} end ", 100)), 14),
        (format!("local function f() {} end for i = 1, 10 do f() end", many("local x = {} ", 100)), 140),
        (format!("local t = {{}} {}", many("t.a, t.b = 1, 2 ", 100)), 10),
        (format!("local x = {}1{}", many("(", 30), many(")", 30)), 0),
    ] {
        let found = steps(&body);
        assert!(found >= least && found <= 40 + 3 * least, "{body:.200}: {found} steps");
    }
}

/// The compiler may inline short functions and unroll short loops. The cost must not change.
#[test]
fn inlined_code_costs_the_same() {
    let work = "local a = {} a = {} a = {} a = {} ";
    let mut chain = format!("local function f0() {work} end ");
    for at in 1..5 {
        chain += &format!("local function f{at}() {} end ", format!("f{}() ", at - 1).repeat(8));
    }
    let hundred = |part: &str| part.repeat(100);
    for (body, least) in [
        (format!("{chain} f4()"), 8_u64.pow(4) * 4 / 7),
        ("for i = 1, 3 do for j = 1, 3 do end end".to_owned(), 12),
        ("local last = 3 for i = 1, last do for j = 1, last do end end".to_owned(), 12),
        (format!("local function f(n) for i = 1, n do {work} end end f(4) f(5) f(6)"), 15),
        (format!("local f = function() {work} end local g = f {}", hundred("g() ")), 50),
        (format!("local t = {{ f = function() {work} end }} {}", hundred("t.f() ")), 50),
        (hundred(&format!("do (function() {work} end)() end ")), 50),
        (hundred(&format!("repeat {work} until true ")), 50),
        (hundred(&format!("for i = 1, 2 do {work} break end ")), 50),
        (hundred(&format!("while true do {work} break end ")), 50),
        (hundred("local a = math.max(1, 2) < math.max(1, 3) "), 15),
    ] {
        let found = steps(&body);
        assert!(found >= least, "{body:.200}: {found} steps, not {least}");
    }
    // A call that is not inlined is charged for the code around it.
    let paid = format!("local t = {{}} function t.f() end {}", hundred("t.f() local a = {} a = {} "));
    assert!(steps(&paid) <= 210, "{}", steps(&paid));
}

#[test]
fn strings_are_limited_and_cost_steps_by_their_length() {
    for made in [
        "s .. 'x'",
        "s .. s .. 'x'",
        "`{s}x`",
        "s:upper()",
        "s:reverse()",
        "s:sub(2)",
        "s:gsub('a', 'b')",
        "s:gsub('zz', '')",
        "s:match('.*')",
        "('%s'):format(s)",
        "table.concat({ s, s })",
        "string.rep('ab', 2000)",
        "select(2, pcall(error, s, 0))",
    ] {
        let price = |length: usize| {
            steps(&format!("local s = string.rep('a', {length}) for i = 1, 10 do local t = {made} end"))
        };
        let (short, long) = (price(32), price(3200));
        assert!(made.contains("pcall") || made.contains("2000") || long >= short + 500, "{made}: {short} and {long}");
    }
    for body in [
        "local s = string.rep('a', 8000) return s .. s",
        "local s = 'a' while true do s = s .. s end",
        "local s = string.rep('a', 8000) return `{s}{s}`",
        "local s = string.rep('a', 8000) return s:gsub('a', 'bb')",
        "local s = string.rep('a', 1000) return s:gsub('a', s)",
        "local s = string.rep('a', 1000) return s:gsub('a', '%0%0%0%0%0%0%0%0%0')",
        "local s = string.rep('a', 8000) return ('%s%s'):format(s, s)",
        "local s = string.rep('a', 8000) return table.concat({ s, s })",
        "local s = string.rep('a', 8000) return table.concat({ 1, 2, 3 }, s, 1, 3)",
        "return string.rep('a', 8193)",
    ] {
        let told = error(&format!("function M.run() {body} end"));
        assert!(told.message.contains("strings may have up to 8192 characters"), "{body}: {told:?}");
        assert_eq!(told.line, Some(1), "{body}: {told:?}");
    }
    for literal in
        [format!("'{}'", "a".repeat(8193)), format!("[[{}]]", " ".repeat(70)), format!("'{}'", "1".repeat(70))]
    {
        let faults = host_with(&format!("local s = {literal} function M.run() end"), &[]).err().unwrap_or_default();
        assert!(faults.iter().any(|fault| fault.message.contains("8192")), "{literal:.80}: {faults:?}");
    }
    let told = error("function M.run() local s = 'a' s ..= s end");
    assert!(told.message.contains("scripts cannot use ..="), "{told:?}");
}

/// Luau converts a string to a number wherever it needs one.
#[test]
fn long_numerals_are_refused() {
    for body in [
        "local s = string.rep('1', 33)",
        "local s = string.rep(' ', 33) .. '1'",
        "local s = '0x' .. string.rep('f', 80)",
        "local s = 'nan(' .. string.rep('a', 80) .. ')'",
        "local s = '-' for i = 1, 80 do s = s .. 5 end",
        "local s = '1e' for i = 1, 80 do s = s .. 0 end",
        "local s = ('x'):rep(80):gsub('x', '7')",
        "local s = table.concat({ string.rep('1', 30), string.rep('1', 30) })",
        "local s = ('x' .. string.rep('1', 31) .. '1'):sub(2) .. '1'",
        "local s = ('y ' .. string.rep('1', 100)):match('%d+')",
    ] {
        let told = error(&format!("function M.run() {body} end"));
        assert!(told.message.contains("begin with a number of up to 32"), "{body}: {told:?}");
    }
    passes(
        "function M.run() local s = string.rep('word 1 ', 100) assert(#s == 700 and '0x10' + 1 == 17) s = '1st' .. s end",
    );
}

/// A table from which many elements were removed is slow to walk.
#[test]
fn empty_slots_of_tables_cost_steps() {
    let price = |walk: &str| {
        let text = |turns| {
            format!(
                "local t = {{}} for i = 1, 20000 do t[i] = i end for i = 1, 20000 do t[i] = nil end
                 for i = 1, {turns} do {walk} end"
            )
        };
        steps(&text(20)) - steps(&text(10))
    };
    for walk in [
        "next(t)",
        "for k in pairs(t) do end",
        "for k in t do end",
        "local w = pairs for k in w(t) do end",
        "pcall(next, t)",
    ] {
        let ten = price(walk);
        assert!(ten >= 10 * 20000 / 64, "{walk}: {ten}");
    }
    assert!(price("for _, v in ipairs(t) do end") < 100);
    let small =
        "local t = { 1, 2, 3 } for i = 1, 10 do for k in t do end for k in pairs(t) do end local a = next(t) end";
    assert!(steps(small) < 160, "{}", steps(small));
}

/// Passing values on costs steps by their number, which must not grow from call to call.
#[test]
fn functions_take_and_return_few_values() {
    let numbers = vec!["1"; 200].join(", ");
    for body in [
        format!("local function more(n) if n == 0 then return 1 end return {numbers}, more(n - 1) end more(3)"),
        format!("local function more(n, ...) if n == 0 then return end more(n - 1, {numbers}, ...) end more(3)"),
        format!(
            "local function many(...) return ... end local function more() return {numbers} end many({numbers}, more())"
        ),
        format!(
            "local t = {{}} for i = 1, 150 do t[i] = i end local function f(...) return ... end f({numbers}, unpack(t))"
        ),
    ] {
        let told = error(&format!("function M.run() {body} end"));
        assert_eq!(told.message, "a function takes and returns up to 250 values here", "{body:.60}");
    }
    passes(
        "function M.run() local function f(...) return select('#', ...), ... end local n, a, b = f(1, nil) assert(n == 2 and a == 1)
         local function g() return 1, f(2) end local x, y, z = g() assert(x == 1 and y == 1 and z == 2) end",
    );
}

#[test]
fn sorting_costs_steps_by_what_is_compared() {
    let price = |count: usize| {
        steps(&format!("local t = {{}} for i = 1, {count} do t[i] = 'a' .. i end local from = 1 table.sort(t)"))
    };
    assert!(price(2000) >= 2 * price(1000) + 200);
}

/// The memory that a call holds and allocates, and the memory that is already in use, do not change the number of
/// steps.
#[test]
fn steps_depend_only_on_the_code() {
    let text = "function M.run()
                  local t = {} for i = 1, 20000 do t[i] = { i, 'a' .. i } end
                  for i = 1, 20000 do local s = 'b' .. i end
                end
                function M.other()
                  for i = 1, 50000 do local s = { 'b' .. i } end
                end";
    let host = host(text);
    run(&host).unwrap();
    let first = host.steps_used();
    for _ in 0..20 {
        let mut table = table(&host);
        principes_core::scripts::Scripts::start(
            &host,
            &mut principes_scripting::Live::default(),
            2,
            flow(OTHER),
            &[],
            &mut table,
        )
        .unwrap();
        run(&host).unwrap();
        assert_eq!(host.steps_used(), first);
    }
}

/// The most that a call can do within its steps, in many ways. None may take long. This is not timed here: run it by
/// hand with `--nocapture` after a change.
#[test]
fn running_out_of_steps_takes_little_time() {
    let long = "local s = string.rep('a', 8100) local a, b = s .. 'x', s .. 'y'";
    for body in [
        format!("{long} while true do {} end", "local c = a < b ".repeat(10)),
        "local t = {} while true do t[1] = {} t[2] = {} t[3] = {} t[4] = {} t[5] = {} t[6] = {} end".to_owned(),
        format!("local s = '{}' while true do {} end", "1".repeat(32), "local c = s + s ".repeat(12)),
        format!("while true do {} end", "local c = math.fmod(1e308, 3e-308) ".repeat(3)),
        "local t = {} for i = 1, 2e5 do t[i] = i end for i = 1, 2e5 do t[i] = nil end while true do next(t) end"
            .to_owned(),
        format!("{long} while true do pcall(error, a) end"),
        format!("{long} while true do local c = a .. 'b' end"),
        format!("{long} while true do local c = a:gsub('.', '%0') end"),
        format!("{long} return a:find(string.rep('a*', 30) .. 'b')"),
        format!("{long} return pcall(string.match, a, '.-.-.-.-.-.-b')"),
        format!("{long} return a:gsub(string.rep('a?', 2000) .. string.rep('a', 2000), '')"),
        "local t = {} while true do t = { t, {}, {}, {}, {}, {} } for i = 1, 9 do end if #t > 9e9 then return end end"
            .to_owned(),
    ] {
        let told = error(&format!("function M.run() {body} end"));
        assert!(matches!(told.kind, ScriptErrorKind::Steps | ScriptErrorKind::Memory), "{body:.100}: {told:?}");
    }
}
