//! What the analysis finds in scripts alone, and what it does not report.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_analysis::{Facts, Script, ScriptFile, check};
use principes_findings::Code;
use principes_findings::budget::{Deadline, Effort};
use principes_schemas::{CounterScope, Holds};

fn script(text: &str) -> ScriptFile {
    let text: Arc<str> = text.into();
    let known = Arc::new(Script::new(Arc::clone(&text)));
    ScriptFile { pack: 0, module: "m".into(), path: "m.lua".into(), file: "m.lua".into(), text, known }
}

/// The codes and messages for a module.
fn found(text: &str, facts: &Facts) -> Vec<(Code, String)> {
    check(&[script(text)], facts, Effort::endless())
        .findings
        .into_iter()
        .map(|finding| (finding.code, finding.message))
        .collect()
}

fn codes(body: &str, facts: &Facts) -> Vec<Code> {
    let text = format!("local M = {{}}\n{body}\nreturn M\n");
    found(&text, facts).into_iter().map(|(code, _)| code).collect()
}

/// Facts in which these constants exist.
fn known(constants: &[(&'static str, &str)]) -> Facts {
    let mut facts = Facts::default();
    for (table, id) in constants {
        facts.constants.entry(table).or_default().insert((*id).to_owned(), (*id).to_owned());
    }
    facts
}

/// A counter of numbers that each faction has.
fn counter(id: &str) -> (String, (CounterScope, Option<Holds>)) {
    (id.to_owned(), (CounterScope::Faction, None))
}

#[test]
fn a_module_that_assigns_to_its_table_is_checked_like_any_other() {
    let facts = Facts::default();
    for (body, code) in [
        ("M.limit = 3\nfunction M.f() return M.liimt end", Code::UnknownName),
        ("M.limit = 3\nfunction M.g(seat) return seat end\nfunction M.f() return M.g() end", Code::UnmarkedOptional),
        ("M.f = function() return sets() end", Code::UnknownName),
    ] {
        assert_eq!(codes(body, &facts), [code], "{body}");
    }
    // A computed name hides the fields of the table.
    assert_eq!(codes("M.limit = 3\nfunction M.f(key) return M[key], M.liimt end", &facts), [] as [Code; 0]);
}

#[test]
fn a_word_must_be_found_somewhere_else() {
    let facts = Facts { words: ["people".to_owned(), "court-deck".to_owned()].into(), ..Facts::default() };
    let lone = [Code::LoneWord];
    for body in [
        "function M.f(track) return contains({ \"poeple\" }, track) end",
        "local LOSS = { poeple = 1 }\nfunction M.f(track) return LOSS[track] end",
        "function M.f(deck) return counter[\"cuort-\" .. deck] end",
    ] {
        assert_eq!(codes(body, &facts), lone, "{body}");
    }
    for body in [
        "function M.f(track) return contains({ \"people\" }, track) end",
        "local LOSS = { people = 1 }\nfunction M.f(track) return LOSS[track] end",
        "local A = { own = 1 }\nfunction M.f() return A.own end",
        "function M.f(deck) return counter[\"court-\" .. deck] end",
        "function M.f(deck) error(\"unknown\") end",
        "function M.f(text) return string.find(text, \"abc\") end",
    ] {
        assert_eq!(codes(body, &facts), [] as [Code; 0], "{body}");
    }
}

#[test]
fn a_value_that_may_be_nil_is_no_middle_of_and_or() {
    let facts = Facts::default();
    for (body, is_found) in [
        ("function M.f(a) local x = a and active() or 1 return x end", true),
        ("function M.f(a) return a and active() or seats()[1] end", true),
        ("function M.f(a, c) if a and active() or c then return 1 end return 2 end", false),
        ("function M.f(a, c) return not (a and active() or c) end", false),
        ("function M.f(a) return a and active() or nil end", false),
        ("function M.f(a) return a and 1 or 2 end", false),
    ] {
        assert_eq!(codes(body, &facts).contains(&Code::LostValue), is_found, "{body}");
    }
}

#[test]
fn who_is_asked_for_must_be_written() {
    let facts = Facts::default();
    assert_eq!(codes("function M.f() return playing() end", &facts), [Code::WrongArguments]);
    assert_eq!(codes("function M.f() return led() end", &facts), [Code::WrongArguments]);
    assert_eq!(codes("function M.f() return playing(active()) end", &facts), [] as [Code; 0]);
}

#[test]
fn options_of_functions_and_variables_are_declared() {
    let mut facts = Facts { decisions: ["pay".to_owned()].into(), ..Facts::default() };
    facts.holes.insert("decision.pay".to_owned(), 0);
    facts.words.extend(["coins", "goods", "gods"].map(str::to_owned));
    facts.vocabulary.options.insert("pay".to_owned(), ["coins".to_owned(), "goods".to_owned()].into());
    for body in [
        "function M.f(seat) return choose(seat, \"pay\", { \"coins\", \"gods\" }) end",
        "function M.f(seat) local list = { \"coins\", \"gods\" } return choose(seat, \"pay\", list) end",
        "function M.f(seat) return choose(seat, \"pay\", function() return { \"coins\", \"gods\" } end) end",
    ] {
        let undeclared =
            |body: &str| codes(body, &facts).into_iter().filter(|code| *code == Code::UndeclaredOption).count();
        assert_eq!((undeclared(body), undeclared(&body.replace("gods", "goods"))), (1, 0), "{body}");
    }
}

#[test]
fn what_a_value_offers_is_called_as_a_method() {
    let facts = Facts { words: ["word".to_owned()].into(), ..Facts::default() };
    let one = |code: Code| vec![code];
    for (expression, wanted) in [
        ("(\"word\"):upper()", vec![]),
        ("word.upper()", one(Code::WrongArguments)),
        ("word.sub(1, 2)", one(Code::WrongArguments)),
        ("word.find(\"word\")", one(Code::WrongArguments)),
        ("word:upper()", vec![]),
        ("word:sub(1, 2)", vec![]),
        ("word:rep()", one(Code::WrongArguments)),
        ("word.upper(word)", vec![]),
        ("string.upper(word)", vec![]),
        ("word:uper()", one(Code::UnknownName)),
        ("word.length", one(Code::UnknownName)),
        ("seat:add(1)", one(Code::WrongArgumentType)),
        ("M.two:plus(1)", one(Code::WrongArgumentType)),
        ("M:twice(2)", one(Code::WrongArguments)),
        ("M.twice(2)", vec![]),
    ] {
        let body = format!(
            "M.two = 2\nfunction M.twice(n) return n * 2 end\n\
             function M.f() local word, seat = idof(active()), active() return {expression}, word, seat end"
        );
        assert_eq!(codes(&body, &facts), wanted, "{expression}");
    }
}

#[test]
fn fields_where_a_list_belongs_are_a_missing_argument() {
    let mut facts = Facts { decisions: ["pay".to_owned()].into(), ..Facts::default() };
    facts.holes.insert("decision.pay".to_owned(), 0);
    facts.words.extend(["pay", "coins", "goods"].map(str::to_owned));
    let body = |args: &str| format!("function M.f(seat) return choose(seat, \"pay\", {args}) end");
    assert_eq!(codes(&body("{ about = { seat } }"), &facts), [Code::WrongArgumentType]);
    assert_eq!(codes(&body("{ \"coins\" }, { about = { seat } }"), &facts), [] as [Code; 0]);
}

#[test]
fn an_argument_left_out_shifts_those_behind_it() {
    let facts = Facts {
        counters: [counter("gold"), counter("power")].into(),
        ..known(&[("counter", "gold"), ("counter", "power")])
    };
    for (call, wanted) in [
        ("add(counter.gold, 1, active())", vec![]),
        ("add(1, active())", vec![Code::WrongArgumentType, Code::WrongArgumentType]),
        ("M.pay(active(), 1)", vec![]),
        ("M.pay(1)", vec![Code::WrongArguments, Code::WrongArgumentType]),
    ] {
        let body = format!(
            "function M.pay(seat, amount) return add(counter.gold, -amount, seat) end\n\
             function M.f() return {call} end"
        );
        assert_eq!(codes(&body, &facts), wanted, "{call}");
    }
}

#[test]
fn a_parameter_that_is_two_things_has_slipped_into_the_place_of_another() {
    let facts = Facts { counters: [counter("gold")].into(), ..known(&[("counter", "gold")]) };
    let body = |arguments: &str| {
        format!(
            "function M.f(seat, amount) local plays = playing(seat) add(counter.gold, {arguments})\n\
             return plays, amount end"
        )
    };
    assert_eq!(codes(&body("amount, seat"), &facts), [] as [Code; 0]);
    assert_eq!(codes(&body("seat"), &facts), [Code::WrongArguments]);
}

#[test]
fn each_function_of_a_dispatch_table_must_get_what_it_needs() {
    let facts = known(&[("counter", "gold")]);
    let facts =
        Facts { counters: [counter("gold")].into(), words: ["tax".to_owned(), "gift".to_owned()].into(), ..facts };
    for (call, wanted) in [
        ("PLAYS[way](active(), 2)", vec![]),
        ("PLAYS[way](active())", vec![Code::WrongArguments]),
        ("PLAYS.tax(active())", vec![Code::WrongArguments]),
        ("PLAYS.tacks(active(), 2)", vec![Code::UnknownScriptField]),
    ] {
        let body = format!(
            "local function tax(seat, n) return add(counter.gold, n, seat) end\n\
             local function gift(seat, n) return add(counter.gold, -n, seat) end\n\
             local PLAYS = {{ tax = tax, gift = gift }}\n\
             function M.f(way) return {call} end"
        );
        assert_eq!(codes(&body, &facts), wanted, "{call}");
    }
}

#[test]
fn confirm_asks_only_where_yes_and_no_are_declared() {
    let pay: BTreeSet<String> = ["pay".to_owned()].into();
    let mut facts = Facts { decisions: pay.clone(), words: pay, ..Facts::default() };
    facts.holes.insert("decision.pay".to_owned(), 0);
    let body = "function M.f(seat) return confirm(seat, \"pay\") end";
    for (declared, wanted) in [
        (vec!["yes", "no"], vec![]),
        (vec!["yes"], vec![Code::UndeclaredOption]),
        (vec!["coins", "goods"], vec![Code::UndeclaredOption]),
    ] {
        let declared = declared.into_iter().map(str::to_owned).collect();
        facts.vocabulary.options.insert("pay".to_owned(), declared);
        assert_eq!(codes(body, &facts), wanted);
    }
    facts.vocabulary.options.clear();
    assert_eq!(codes(body, &facts), [] as [Code; 0]);
}

/// Each loop is walked until its types are known, with all loops in it: 30 of them would take years.
#[test]
fn loops_in_loops_end_by_their_steps() {
    for (open, close) in [
        ("while M.more() do", "end"),
        ("for i = 1, 3 do", "end"),
        ("for key, value in pairs(M) do", "end"),
        ("repeat", "until M.more()"),
    ] {
        let nested = |depth: usize| {
            let level = |at| format!("local x{at} = nil {open} x{at} = {{ x{at} }} ");
            let levels: String = (0..depth).map(level).collect();
            let ends = format!(" {close}").repeat(depth);
            format!(
                "local M = {{}}\nfunction M.more() return true end\nfunction M.act() {levels}{ends} end\nreturn M\n"
            )
        };
        let checked = |depth, steps| {
            check(&[script(&nested(depth))], &Facts::default(), Effort::new(steps, Deadline::NONE)).findings
        };
        let late = checked(30, 100_000);
        let [finding] = &late[..] else { panic!("{open}: {late:?}") };
        assert_eq!(finding.code, Code::BudgetExceeded, "{open}");
        assert_eq!(
            finding.message,
            "the check of scripts took more than 100000 steps, so all that it would find is left out"
        );
        assert!(checked(3, 100_000).iter().all(|finding| finding.code != Code::BudgetExceeded), "{open}");
    }
}

/// A function with an optional parameter, and calls of it.
fn optional(calls: &str) -> Vec<Code> {
    let body = "---@param b? integer\nlocal function f(a, b) return a + (b or 0) end\nfunction M.g()\n";
    codes(&format!("{body}return {calls}\nend"), &Facts::default())
}

#[test]
fn an_optional_argument_that_one_call_alone_leaves_out_is_reported() {
    let four = "f(1, 2) + f(2, 3) + f(3, 4) + f(4, 5)";
    assert_eq!(optional(&format!("{four} + f(5)")), [Code::LoneOmission]);
    assert_eq!(optional(&format!("f(5) + {four} + f(5, f(6, 7))")), [Code::LoneOmission]);
    // Too few agree, several leave it out, or one says that it passes nothing.
    for calls in [
        "f(1, 2) + f(2, 3) + f(3, 4) + f(5)",
        &format!("{four} + f(5) + f(6)"),
        &format!("{four} + f(5) + f(6, nil)"),
        &format!("{four} + f(6, nil)"),
        four,
    ] {
        assert_eq!(optional(calls), Vec::<Code>::new(), "{calls}");
    }
    // What is wrong with the call is reported alone.
    assert_eq!(optional(&format!("{four} + f(lgo)")), [Code::UnknownName]);
    let put = |last: &str| {
        let call = "put(card, zone.deck, nil, \"top\")\n".repeat(4);
        codes(&format!("function M.g(card)\n{call}put(card, zone.deck{last})\nend"), &known(&[("zone", "deck")]))
    };
    assert_eq!(put(""), [Code::LoneOmission]);
    assert_eq!(put(", nil, \"top\""), Vec::<Code>::new());
}
