//! What scripts can see and do through the API.
#![allow(clippy::unwrap_used)]

mod fixture;

use fixture::*;
use principes_core::Event;
use principes_core::ids::*;
use principes_core::scripts::{CallLine, ScriptErrorKind, Scripts, Step};
use principes_scripting::Live;

fn committed(path: &str, generated: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(path);
    if std::env::var_os("PRINCIPES_GENERATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, generated).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(stored == generated, "{} is stale: run .ci/generate", path.display());
}

#[test]
fn committed_documents_match_the_api_table() {
    committed("api.md", &principes_scripting::api::markdown());
    committed("principes.d.lua", &principes_scripting::api::lua_stub());
}

#[test]
fn errors_have_a_suggestion_and_a_trace() {
    // Found without running the script.
    let wrong = error("function M.run(seat) add(counter.gold, 1, seat_) end");
    assert_eq!((wrong.suggestion.as_deref(), wrong.line, wrong.trace.len()), (Some("seats"), Some(1), 0));
    let wrong = error(
        "function M.pay(seat)
            local got = query('incom', 1, seat) return got
         end
         function M.run(seat) local got = M.pay(seat) return got end",
    );
    assert_eq!(wrong.suggestion.as_deref(), Some("income"));
    let calls: Vec<_> =
        wrong.trace.iter().map(|call| (call.function.as_deref(), call.file.as_str(), call.line)).collect();
    assert_eq!(
        calls,
        [(Some("pay"), "scripts/main.lua", CallLine::Exact(2)), (Some("run"), "scripts/main.lua", CallLine::Exact(4))]
    );
    assert_eq!((wrong.file.as_deref(), wrong.line), (Some("scripts/main.lua"), Some(2)));
    // A query of the kernel does not run in a coroutine.
    let host = host("function M.income(self, value) return value + prop({}, 1) end");
    let mut table = table(&host);
    table.put_card(CardId(0), ZoneId(3), false, false);
    let point = host.catalog().point("income").unwrap();
    let wrong = host.query(point, 1, &[Value::Faction(RED)], &mut table).unwrap_err();
    assert_eq!(wrong.trace.len(), 1, "{wrong:?}");
    assert_eq!((wrong.trace[0].function.as_deref(), wrong.trace[0].line), (Some("income"), CallLine::Exact(1)));
    let wrong = error("function M.run() space.wets() end");
    assert_eq!(wrong.suggestion.as_deref(), Some("west"), "{wrong:?}");
}

#[test]
fn verbs_fit_the_fast_path() {
    use principes_scripting::api::Ty;
    for entry in principes_scripting::api::entries() {
        assert!(entry.params.len() <= 7, "{}: see MOST_ARGS", entry.name);
        for param in entry.params {
            if let Ty::Fields(fields) = param.ty {
                assert!(fields.len() <= 14, "{}: see MOST_FIELDS", entry.name);
            }
        }
    }
}

#[test]
fn every_function_is_described_and_bound() {
    for entry in principes_scripting::api::entries() {
        assert!(entry.doc.ends_with('.') && !entry.example.is_empty(), "{}", entry.name);
        assert_eq!(shows(&format!("type({})", entry.name)), "function", "{}", entry.name);
    }
    assert!(principes_scripting::api::json().contains("\"move_units\""));
}

#[test]
fn the_library_matches_its_table() {
    use principes_scripting::api::LIBRARY;
    for function in LIBRARY {
        assert_eq!(shows(&format!("type({})", function.name)), "function", "{}", function.name);
    }
    for library in ["math", "string", "table"] {
        let all = shows(&format!(
            "(function() local n = 0 for _, f in pairs({library}) do if type(f) == 'function' then n = n + 1 end end return n end)()"
        ));
        let listed = LIBRARY.iter().filter(|function| function.name.starts_with(&format!("{library}.")));
        assert_eq!(all, listed.count().to_string(), "{library}");
    }
}

#[test]
fn the_slow_path_of_a_function_gives_the_same_result() {
    let calls = [
        "get(counter.gold, seat)",
        "bank(counter.gold)",
        "controller(space.west)",
        "#neighbors(space.middle)",
        "distance(space.west, space.far_east)",
        "at(pieces{at = space.west}[1])",
        "owner(pieces{at = space.west}[1])",
        "#occupants(space.west)",
        "size(zone.deck)",
        "size(zone.deck, nil, { type = 'court', might = 7 })",
        "#cards(zone.deck)",
        "top(zone.deck)",
        "idof(zoneof(top(zone.deck)))",
        "#spaces()",
        "#spaces({ prop = 'might' })",
        "count({ at = space.west })",
        "#seats()",
        "playing(seat)",
        "over()",
        "query('income', 1, seat)",
        "add(counter.gold, 2, seat)",
        "place(kind.knight, seat, space.middle)",
        "draw(zone.deck, nil, zone.hand, seat)",
    ];
    for call in calls {
        // This many arguments are never read in place, and nil at the end is the same as no argument.
        let open = call.strip_suffix(')').unwrap();
        let comma = if open.ends_with('(') { "" } else { ", " };
        let long = format!("{open}{comma}nil, nil, nil, nil, nil, nil, nil, nil)");
        assert_eq!(shows(call), shows(&long), "{call}");
    }
}

#[test]
fn rows_are_straight_and_have_no_gaps() {
    let with = |spaces: &str| {
        shows(&format!(
            "(function() for _, at in ipairs({{{spaces}}}) do place(kind.knight, seat, at) end
             return row(space.west, seat) .. row(space.middle, seat) .. row(space.far_east, faction.blue_house) end)()"
        ))
    };
    assert_eq!(with(""), "101");
    assert_eq!(with("space.middle"), "221");
    assert_eq!(shows("#spaces{first_of = 'might'} .. #spaces{first_of = 'swords'}"), "30");
}

#[test]
fn spaces_are_found_by_their_room_for_pieces() {
    let with = |knights: usize| {
        shows(&format!(
            "(function() for _ = 1, {knights} do move(pieces{{kind = kind.knight, on = 'pool'}}[1], space.middle) end
             local roomy = spaces{{fewer = 'unit', than = 'might'}}
             return #roomy .. (roomy[1] and idof(roomy[1]) or '') .. #spaces{{fewer = kind.knight, than = 'might'}} end)()"
        ))
    };
    assert_eq!([with(0), with(1), with(2)], ["1middle1", "1middle1", "00"]);
    assert_eq!(shows("#spaces{fewer = 'building', than = 'might'} .. #spaces{fewer = 'unit', than = 'swords'}"), "20");
    assert_eq!(shows("#spaces{uncontrolled_by = seat} .. idof(spaces{uncontrolled_by = seat}[1])"), "2middle");
    assert_eq!(
        shows("#spaces{beside = space.middle} .. idof(spaces{beside = space.middle, controller = seat}[1])"),
        "2west"
    );
    let all = "kind = 'land', controller = seat, prop = 'might', neutral = false, empty = false, without = kind.castle, \
               first_of = 'might', uncontrolled_by = faction.blue_house, fewer = 'building', than = 'might', \
               beside = space.middle";
    assert_eq!(shows(&format!("#spaces{{{all}, home = seat}} .. #spaces{{{all}, home = faction.blue_house}}")), "10");
}

#[test]
fn bytes_are_counted_from_both_ends() {
    let bytes = |from: i32, to: i32| format!("string.byte(string.rep('a', 300), {from}, {to})");
    let many = |from, to| shows(&format!("#{{{}}}", bytes(from, to)));
    assert_eq!([many(-3, -1), many(101, -1), many(-200, 300)], ["3", "200", "200"]);
    assert!(error(&bytes(-201, -1)).message.contains("string.byte: up to 200 characters"));
}

#[test]
fn pieces_are_found_by_distance() {
    let from = |space: &str| {
        let near =
            |steps: i32| format!("count{{near = space.{space}, steps = {steps}, kind = kind.knight, on = 'map'}}");
        shows(&[-1, 0, 1, 2].map(near).join(" .. "))
    };
    assert_eq!([from("west"), from("middle"), from("far_east")], ["1112", "0022", "1112"]);
    assert_eq!(
        shows("#pieces{near = space.west, steps = 9} .. count{near = space.west, steps = 9, on = 'pool'}"),
        "20"
    );
}

#[test]
fn verbs_read_the_table() {
    assert_eq!(shows("get(counter.gold, seat)"), "3");
    assert_eq!(shows("bank(counter.gold)"), "14");
    assert_eq!(shows("get(counter.round)"), "3");
    assert_eq!(shows("controller(space.west)"), "red");
    assert_eq!(shows("home(space['far-east'])"), "blue-house");
    assert_eq!(shows("#neighbors(space.middle)"), "2");
    assert_eq!(shows("distance(space.west, space.far_east)"), "2");
    assert_eq!(shows("#within(space.west, 1) .. #within(space.west, -1) .. #within(space.west, 9)"), "213");
    assert_eq!(shows("spaces{neutral = true, prop = 'might'}[1]"), "middle");
    assert_eq!(shows("#spaces()"), "3");
    assert_eq!(shows("count{kind = kind.knight, owner = seat, on = 'pool'}"), "1");
    assert_eq!(shows("at(pieces{at = space.west}[1])"), "west");
    assert_eq!(shows("stat(kind.knight, 'swords')"), "2");
    assert_eq!(shows("size(zone.deck)"), "2");
    assert_eq!(shows("#spaces{without = 'unit'} + #spaces{without = kind.knight}"), "2");
    assert_eq!(shows("#spaces{without = 'building'}"), "3");
    assert_eq!(shows("size(zone.deck, nil, { type = 'court', might = 7 })"), "2");
    assert_eq!(shows("size(zone.deck, nil, { might = 8 }) + #cards(zone.deck, nil, { type = 'unit' })"), "0");
    assert_eq!(shows("cards(zone.deck, nil, { might = 7 })[1] == top(zone.deck)"), "true");
    assert_eq!(shows("prop(top(zone.deck), 'type')"), "court");
    assert_eq!(shows("prop(pieces{at = space.west}[1], 'faction')"), "red");
    assert_eq!(shows("prop(space.middle, 'home')"), "nil");
    assert_eq!(shows("prop(top(zone.deck), 'might')"), "7");
    assert_eq!(shows("prop(space.west, 'swords')"), "nil");
    assert_eq!(shows("has(space.far_east, 'might')"), "false");
    assert_eq!(shows("param(design.spark, 'gold')"), "2");
    assert_eq!(shows("idof(top(zone.deck))"), "spark");
    assert_eq!(shows("zoneof(top(zone.deck)) == zone.deck"), "true");
    assert_eq!(shows("#seats()"), "2");
    assert_eq!(shows("playing(faction.gray)"), "false");
    assert_eq!(shows("#occupants(space.west)"), "1");
    assert_eq!(shows("sorted({ 'b', 3, 'a', 1 })[3]"), "a");
    assert_eq!(shows("contains(seats(), seat)"), "true");
    assert_eq!(shows("filter({ 1, 2, 3 }, function(n) return n > 1 end)[2]"), "3");
    assert_eq!(shows("over()"), "false");
}

#[test]
fn verbs_change_the_table() {
    passes(
        "function M.run(seat)
            assert(add(counter.gold, 50, seat) == 14 and get(counter.gold, seat) == 17)
            local free = 0
            assert(add(counter.gold, -free, seat) == 0 and query('income', -free, seat) == 0 and tostring(-free) == '0')
            assert(transfer(counter.gold, 5, seat, faction.blue_house) == 5)
            set(counter.gold, 1, seat) assert(get(counter.gold, seat) == 1)
            local piece = place(kind.castle, nil, space.middle)
            assert(kindof(piece) == kind.castle and owner(piece) == nil and place(kind.castle, nil, space.west) == nil)
            move(piece, space.west) assert(at(piece) == space.west)
            give(piece, seat) assert(owner(piece) == seat and at(piece) == space.west)
            give(piece) assert(owner(piece) == nil)
            remove(piece) assert(at(piece) == nil)
            local card = draw(zone.deck, nil, zone.hand, seat)
            assert(card == top(zone.hand, seat) and size(zone.deck) == 1)
            put(card, zone.deck, nil, 'top') assert(top(zone.deck) == card)
            shuffle(zone.deck) reveal(card) log('happened', seat, card, 3)
            local n = roll(6) assert(n >= 1 and n <= 6)
            set_order({ faction.blue_house, seat }) assert(seats()[1] == faction.blue_house)
            set_active(seat) assert(active() == seat) set_active(nil) assert(active() == nil)
            eliminate(faction.blue_house) assert(not playing(faction.blue_house) and not led(faction.blue_house))
            win(seat, 'won') assert(over())
        end",
    );
}

#[test]
fn arguments_are_checked() {
    let cases = [
        ("get(faction.red)", "get: 1st argument (counter) must be a counter, found the faction `red`"),
        ("add(counter.gold)", "add: 2nd argument (amount) must be a whole number, found nothing"),
        ("controller(space.west, 2)", "controller(space): too many arguments"),
        ("seats(1)", "seats(): too many arguments"),
        ("controller({})", "controller: 1st argument (space) must be a space, found a table"),
        ("space.wets", "unknown space `wets`; did you mean `west`?"),
        ("space['wets']", "unknown space `wets`; did you mean `west`?"),
        ("gett(1)", "unknown name `gett`; did you mean `get`?"),
        ("spaces{controler = seat}", "spaces: unknown field `controler`; did you mean `controller`?"),
        ("spaces{home = space.west}", "spaces: field `home` must be a faction, found the space `west`"),
        (
            "spaces{fewer = 'unit'}",
            "spaces: `fewer` and `than` go together: fewer pieces of a kind or class than a prop of the space says",
        ),
        ("count{near = space.west}", "count: `near` and `steps` go together: a space, and the number of steps from it"),
        ("pieces{steps = 2}", "pieces: `near` and `steps` go together: a space, and the number of steps from it"),
        (
            "spaces{than = 'might'}",
            "spaces: `fewer` and `than` go together: fewer pieces of a kind or class than a prop of the space says",
        ),
        (
            "spaces{without = space.west}",
            "spaces: field `without` must be a kind of piece or a class, found the space `west`",
        ),
        ("cards(zone.deck, nil, { mihgt = 7 })", "cards: unknown prop `mihgt`; did you mean `might`?"),
        (
            "cards(zone.deck, nil, { might = {} })",
            "cards: the value of a prop must be a handle, a whole number or a keyword, found a table",
        ),
        ("kindof(space.west)", "kindof: 1st argument (piece) must be a piece, found the space `west`"),
        ("prop(space.west, 'might', 1)", "prop(entity, name): too many arguments"),
        ("seats(1)", "seats(): too many arguments"),
        ("prop(space.west, 'migth')", "prop: unknown prop `migth`; did you mean `might`?"),
        ("param(design.spark, 'glod')", "param: `spark` has no param `glod`; did you mean `gold`?"),
        ("cards(zone.hand)", "cards: zone `hand` belongs to a seat: pass that seat as the owner, found nothing"),
        ("cards(zone.deck, seat)", "cards: zone `deck` belongs to the game: omit the owner, found the faction `red`"),
        ("query('incom', 1)", "query: unknown hook point `incom`; did you mean `income`?"),
        ("query('act', 1)", "query: `act` is an effect point; use trigger or perform"),
        ("trigger('income', seat)", "trigger: `income` is a query point; use query"),
        ("query('income', 1, seat, seat)", "query: `income` takes (seat), found 2 arguments"),
        ("choose(seat, 'pik', {})", "choose: unknown decision `pik`; did you mean `pick`?"),
        ("choose(seat, 'pick', { 'pss' })", "choose: unknown keyword \"pss\"; did you mean `pass`?"),
        ("choose(seat, 'pick', { { 1, 2 } })", "choose: an option in a table starts with its verb: {verb, a, b, c}"),
        (
            "choose(seat, 'pick', { { 'pass', nil, 3 } })",
            "choose: a value of an option must be a handle, a whole number or a keyword, found nothing",
        ),
        ("choose(seat, 'pick', { { 'pass', 1, 2, 3, 4, 5 } })", "choose: an option has up to four values, found 5"),
        (
            "choose(seat, 'pick', { { 'pass', { 1, {} } } })",
            "choose: a value of an option must be a handle, a whole number or a keyword, found a table",
        ),
        ("choose(seat, 'pick', { { 'pass', 1, 2, { 3 }, 4, 5 } })", "choose: an option has up to four values, found 5"),
        ("choose(seat, 'pick', { 1 }, { abuot = {} })", "choose: unknown field `abuot`; did you mean `about`?"),
        (
            "choose(faction.gray, 'pick', {})",
            "choose: 1st argument (seat) must be a seat (a playable faction), found the faction `gray`",
        ),
        ("set_order({ seat })", "set_order: the turn order must list every playing seat exactly once"),
        ("battle_at{ space = space.west, defender = seat }", "battle_at: missing field `attacker`"),
        (
            "battle_at{ space = space.west, attacker = space.west }",
            "battle_at: field `attacker` must be a faction, found the space `west`",
        ),
        ("battle_at{ spcae = space.west }", "battle_at: unknown field `spcae`; did you mean `space`?"),
        ("battle.space()", "battle.space: no battle is under way"),
        ("import('mian')", "import: unknown module `mian`; did you mean `main`?"),
        ("set(counter.gold, 100, seat)", "set: counter `gold` must be from 0 to 99, found 100"),
    ];
    for (call, message) in cases {
        let found = error(&format!("\nfunction M.run(seat)\n  local x = {call}\nend"));
        assert_eq!(found.message, message, "{call}");
        assert_eq!((found.file.as_deref(), found.line), (Some("scripts/main.lua"), Some(3)), "{call}: {found:?}");
        // Errors that the text alone shows are found while modules load.
        assert!(found.hook == Some(RUN) || call == "space.wets" || call == "gett(1)", "{call}: {found:?}");
    }
}

#[test]
fn errors_have_a_location() {
    let found = error("\nlocal function deep() local x = nil; return x.y end\nfunction M.run() deep() end");
    assert_eq!((found.line, found.file.as_deref()), (Some(2), Some("scripts/main.lua")), "{found:?}");
    assert_eq!(found.message, "attempt to index nil with 'y'");
    let found = error("\nfunction M.run() error('own words') end");
    assert_eq!((found.line, found.message.as_str()), (Some(2), "own words"));
    let found = error("\n\nfunction M.run() contains(1, 2) end");
    assert_eq!(
        (found.line, found.message.as_str()),
        (Some(3), "contains: 1st argument (list) must be a list, found the number 1")
    );
    let found = error("\n\nfunction M.run() table.concat({ {} }) end");
    assert_eq!((found.line, found.file.as_deref()), (Some(3), Some("scripts/main.lua")), "{found:?}");
    let found = error(
        "function M.act()\n\n error('inner') end
         function M.run(seat) put(top(zone.deck), zone.in_play, seat) trigger('act', seat) end",
    );
    assert_eq!((found.line, found.hook), (Some(3), Some(ON_ACT)), "{found:?}");
    let found = error(
        "function M.income()\n\n error('inner') end
         function M.run(seat) put(top(zone.deck), zone.in_play, seat) query('income', 1, seat) end",
    );
    assert_eq!((found.line, found.hook, found.message.as_str()), (Some(3), Some(ON_INCOME), "inner"), "{found:?}");
}

#[test]
fn all_errors_of_all_modules_are_reported() {
    let faults = host_with(
        "local a = import('a')",
        &[
            source("a", "local x = = 1\nreturn {}"),
            source("b", "\nlocal y = space.nowhere\nreturn {}"),
            source("c", "return 5"),
            source("d", "local a = import('a') return {}"),
            source("e", "\n\nlocal s = seats()\nreturn {}"),
        ],
    )
    .err()
    .unwrap();
    let found: Vec<(&str, Option<u32>)> = faults.iter().map(|f| (f.file.as_deref().unwrap_or(""), f.line)).collect();
    let expected =
        [("scripts/a.lua", Some(1)), ("scripts/b.lua", Some(2)), ("scripts/c.lua", None), ("scripts/e.lua", Some(3))];
    assert_eq!(found, expected, "{faults:#?}");
}

#[test]
fn unknown_names_are_found_without_running() {
    let text = "
function M.run(seat)
  local function never(n)
    for i, x in ipairs({ n, key = nme }) do
      repeat local y = i until y == x or z
    end
    return self.x, kind.knigt, stranger.x, math.rnd(1), battle.spaec(), get{ a = 1 }.b
  end
end
function M.other(...) local a = ... return a end
";
    let found: Vec<(Option<u32>, String)> =
        host_with(text, &[]).err().unwrap().into_iter().map(|f| (f.line, f.message)).collect();
    let expected = [
        (4, "unknown name `nme`"),
        (5, "unknown name `z`"),
        (7, "unknown name `self`"),
        (7, "unknown kind `knigt`; did you mean `knight`?"),
        (7, "unknown name `stranger`"),
        (7, "unknown name `math.rnd`"),
        (7, "unknown name `battle.spaec`; did you mean `space`?"),
    ];
    let found: Vec<(u32, &str)> = found.iter().map(|(line, text)| (line.unwrap(), text.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn missing_hooks_are_reported() {
    let sources = [source("main", "local M = {} function M.wiat() end M.run = 5 return M")];
    let faults = principes_scripting::LuaHost::new(std::sync::Arc::new(catalog()), &sources).err().unwrap();
    let found: Vec<&str> = faults.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(found[0], "module `main` has no function `wait`; did you mean `wiat`?");
    assert_eq!(found[1], "`main.run` must be a function, found 5");
    assert_eq!(found.len(), HOOKS.len());
}

#[test]
fn modules_may_import_each_other() {
    let host = host_with(
        "local a = import('a') function M.run() assert(a.twice(4) == 8 and a.ONE == 1) end",
        &[
            source(
                "a",
                "local b = import('b') local M = { ONE = 1 } function M.twice(n) return b.twice(n) end return M",
            ),
            source("b", "local a = import('a') local M = {} function M.twice(n) return n * 2 * a.ONE end return M"),
        ],
    )
    .unwrap();
    assert!(matches!(run(&host), Ok(Step::Done)));
    let faults = host_with(
        "",
        &[source("a", "local b = import('b') return {}"), source("b", "local n = import('a').ONE return {}")],
    )
    .err()
    .unwrap();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].message.contains("module `a` is still loading"), "{faults:?}");
}

#[test]
fn queries_go_through_live_cards_in_order() {
    let host = host(
        "function M.income(self, value, owner, seat)
            assert(self.id == 'spark' and self.owner == owner and zoneof(self.card) == zone.in_play)
            return value * 10 + self.gold
         end
         function M.run(seat)
            assert(query('income', 1, seat) == 1)
            put(top(zone.deck), zone.in_play, seat)
            assert(query('income', 1, seat) == 12)
            put(top(zone.deck), zone.in_play, faction.blue_house)
            assert(query('income', 1, seat) == 122)
            assert(query('income', true, seat) == 122)
         end",
    );
    assert!(matches!(run(&host), Ok(Step::Done)));
    let mut table = table(&host);
    let point = host.catalog().point("income").unwrap();
    assert_eq!(host.query(point, 5, &[Value::Faction(RED)], &mut table), Ok(5));
    table.put_card(CardId(0), ZoneId(3), true, false);
    assert_eq!(host.query(point, 5, &[Value::Faction(RED)], &mut table), Ok(52));
}

#[test]
fn query_hooks_must_return_whole_numbers() {
    for (value, got) in [("nil", "nothing"), ("0.5", "0.5"), ("'x'", "\"x\""), ("{}", "a table")] {
        let found = error(&format!(
            "function M.income() return {value} end
             function M.run(seat) put(top(zone.deck), zone.in_play, seat) query('income', 1, seat) end"
        ));
        assert_eq!(found.message, format!("a hook of `income` must return a whole number, found {got}"));
        assert_eq!(found.hook, Some(ON_INCOME));
    }
}

#[test]
fn queries_and_option_functions_may_only_read() {
    let acts = [
        "add(counter.gold, 1, seat)",
        "choose(seat, 'pick', { 'pass' })",
        "confirm(seat, 'pick')",
        "roll(6)",
        "place(kind.castle, nil, space.west)",
        "shuffle(zone.deck)",
        "log('happened')",
        "trigger('act', seat)",
        "perform(top(zone.deck), 'act', seat)",
        "win(seat, 'won')",
        "move_units{ mover = seat, pieces = {} }",
        "battle_at{ space = space.west, attacker = seat, defender = faction.blue_house }",
        "set_active(seat)",
        "pcall(add, counter.gold, 1, seat)",
        "draw(zone.deck, nil, zone.hand, seat)",
        "eliminate(seat)",
    ];
    for act in acts {
        for text in [
            format!(
                "function M.income(self, value, owner, seat) {act} return value end
                 function M.run(seat) put(top(zone.deck), zone.in_play, seat) query('income', 1, seat) end"
            ),
            format!("function M.run(seat) choose(seat, 'pick', function() {act} return {{ 'pass' }} end) end"),
        ] {
            let found = error(&text);
            assert_eq!(found.kind, ScriptErrorKind::Impure, "{act}: {found:?}");
        }
        let host = host(&format!("function M.options(seat) {act} return {{}} end"));
        let found = host.options(OPTIONS, &[Value::Faction(RED)], &mut table(&host)).unwrap_err();
        assert_eq!(found.kind, ScriptErrorKind::Impure, "{act}: {found:?}");
    }
}

#[test]
fn gains_and_losses_are_positive_and_can_be_logged() {
    passes(
        "function M.run(seat)
            assert(lose(counter.gold, 50, seat) == 3 and lose(counter.gold, 1, seat) == 0)
            assert(gain(counter.gold, 2, seat) == 2 and gain(counter.gold, 0, seat) == 0)
            assert(get(counter.gold, seat) == 2)
        end",
    );
    for verb in ["gain", "lose"] {
        let wrong = error(&format!("function M.run(seat) {verb}(counter.gold, -1, seat) end")).message;
        assert_eq!(wrong, format!("{verb}: 2nd argument (amount) must not be negative, found -1"));
    }
    let host = host("function M.run(seat) lose(counter.gold, 9, seat, 'happened') end");
    let mut table = table(&host);
    host.start(&mut Live::default(), 1, flow(RUN), &[Value::Faction(RED)], &mut table).unwrap();
    let found = table.events.iter().find_map(|event| match event {
        Event::Log { args, .. } => Some(args.as_slice().to_vec()),
        _ => None,
    });
    assert_eq!(found, Some(vec![Value::Faction(RED), Value::Int(3), Value::Counter(GOLD)]));
}

#[test]
fn the_piece_and_the_space_find_a_single_match() {
    assert_eq!(shows("the_piece{owner = seat, kind = kind.knight, on = 'map'} == pieces{at = space.west}[1]"), "true");
    assert_eq!(shows("the_piece{near = space.west, steps = 9, owner = faction.gray}"), "nil");
    assert_eq!(shows("the_space{controller = seat}"), "west");
    assert_eq!(shows("the_space{home = faction.gray}"), "nil");
}

#[test]
fn a_script_starts_a_movement_and_a_battle() {
    let host = host(
        "function M.run(seat)
            local march = move_units{ mover = seat, pieces = pieces{owner = seat, on = 'map'}, limits = { [kind.knight] = 1 } }
            assert(#march.ended == 1 and march.ended[1] == space.far_east)
            assert(march.moved[1].from == space.west and march.moved[1].to == space.far_east)
            assert(march.before[space.far_east] == faction.blue_house)
            local won = battle_at{ space = space.far_east, attacker = seat, defender = faction.blue_house }
            assert(won == 'attacker')
            assert(not battle.active())
            add(counter.gold, 7, seat)
        end
        function M.other()
            assert(battle.active() and battle.space() == space.far_east)
            assert(battle.faction('attacker') == faction.red and battle.player('defender') == faction.blue_house)
            assert(battle.side(faction.red) == 'attacker' and battle.side(faction.gray) == nil and battle.mover() == nil)
            battle.set_face('attacker', 'blank') battle.set_face('defender', 'sword')
            assert(battle.face('attacker') == 'blank' and battle.face_value('defender', 'swords') == 1)
            battle.flip('defender') assert(battle.face('defender') == 'blank')
            battle.add('attacker', 'swords', 3) battle.add('attacker', 'shields', 5)
            battle.count()
            assert(battle.total('attacker', 'swords') == 5 and battle.total('attacker', 'shields') == 5)
            assert(battle.damage('defender') == 5 and battle.damage('attacker') == 0)
            assert(#battle.units('defender') == 1 and #battle.toppled('defender') == 1 and #battle.standing('attacker') == 1)
            assert(battle.wounds('attacker') == 0 and battle.winner() == nil)
        end",
    );
    let mut game = game(&host);
    game.run_hook(flow(RUN), &[Value::Faction(RED)]).unwrap();
    answer(&mut game, RED, "move knight west");
    answer(&mut game, RED, "to far-east");
    answer(&mut game, RED, "done");
    assert_eq!(gold(&game, RED), 10);
    assert!(game.take_events().iter().any(|event| matches!(event, Event::BattleWon { winner: RED, .. })));
}

#[test]
fn an_error_leaves_the_table_as_it_was() {
    let host = host(
        "function M.wait()
            choose(faction.red, 'pick', { 1, 2 })
            add(counter.gold, 1, faction.red)
            if choose(faction.red, 'pick', { 1, 2 }) == 1 then
                add(counter.gold, 1, faction.red)
                local t = {}
                while true do t[#t + 1] = string.rep('x', 60000) .. #t end
            end
            choose(faction.red, 'wait', { 1, 2 })
         end",
    );
    let mut game = game(&host);
    answer(&mut game, RED, "1");
    let before = game.digest();
    let (_, _, one) = pending_keys(&game).remove(0);
    for _ in 0..2 {
        assert!(game.answer(RED, one).is_err());
        assert_eq!(game.digest(), before);
    }
    answer(&mut game, RED, "2");
    assert_eq!(gold(&game, RED), 4);
}

#[test]
fn a_change_needs_no_script() {
    use principes_core::catalog::{Change, ChangeFor};
    let with = |change: Change| {
        let mut parts = catalog().into_parts();
        let hook = &mut parts.hooks[ON_INCOME.index()];
        (hook.module, hook.function, hook.change) = (String::new(), String::new(), Some(change));
        let catalog = parts.build().unwrap();
        let text =
            format!("local M = {{}} function M.run(seat, n) error(tostring(query('income', n, seat)), 0) end\n{REST}");
        let host = principes_scripting::LuaHost::new(std::sync::Arc::new(catalog), &[source("main", &text)]).unwrap();
        let mut table = table(&host);
        table.put_card(CardId(0), ZoneId(3), false, false);
        let point = host.catalog().point("income").unwrap();
        [RED, BLUE].map(|seat| {
            let kernel = host.query(point, 5, &[Value::Faction(seat)], &mut table).unwrap();
            let args = [Value::Faction(seat), Value::Int(5)];
            let script = host.start(&mut Live::default(), 1, flow(RUN), &args, &mut table).unwrap_err().message;
            assert_eq!(kernel.to_string(), script);
            kernel
        })
    };
    let change = Change::default();
    assert_eq!(with(Change { add: 2, whom: ChangeFor::Owner, ..change }), [7, 5]);
    assert_eq!(with(Change { times: 3, add: -7, most: Some(6), ..change }), [6, 6]);
    assert_eq!(with(Change { set: Some(1), least: Some(4), ..change }), [4, 4]);
    assert_eq!(with(Change { add: i32::MAX, ..change }), [i32::MAX, i32::MAX]);
}
