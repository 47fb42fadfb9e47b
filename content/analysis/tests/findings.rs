//! What the analysis finds in scripts alone, and where it is silent.

use std::sync::Arc;

use principes_analysis::{Facts, Script, ScriptFile, check};
use principes_findings::Code;
use principes_findings::budget::Deadline;

/// The codes and messages for a module.
fn found(text: &str, facts: &Facts) -> Vec<(Code, String)> {
    let text: Arc<str> = text.into();
    let known = Arc::new(Script::new(Arc::clone(&text)));
    let script = ScriptFile { module: "m".into(), path: "m.lua".into(), file: "m.lua".into(), text, known };
    check(&[script], facts, Deadline::NONE)
        .findings
        .into_iter()
        .map(|finding| (finding.code, finding.message))
        .collect()
}

fn codes(body: &str, facts: &Facts) -> Vec<Code> {
    let text = format!("local M = {{}}\n{body}\nreturn M\n");
    found(&text, facts).into_iter().map(|(code, _)| code).collect()
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
    // Names that are worked out hide what is in the table.
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
