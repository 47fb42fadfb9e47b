//! Packs that are legal but odd: a check has nothing to say about them. And answers to warnings.

mod common;

use std::sync::Arc;

use common::{Files, base};
use principes_content::{LoadOptions, Stage, check};
use principes_findings::{Finding, print_human};
use principes_source::{MemoryPack, PackSource};

fn pack(id: &str, files: &Files) -> Arc<dyn PackSource> {
    let pack = files.iter().fold(MemoryPack::new(id), |pack, (path, text)| pack.with(path, text.as_str()));
    Arc::new(pack)
}

/// What a check finds in the game with other files, and in an extension if there is one.
fn found(files: &[(&'static str, &str)]) -> Vec<Finding> {
    let (mut game, mut more) = (base(), Files::new());
    for (path, text) in files {
        match path.strip_prefix("more/") {
            Some(path) => drop(more.insert(path, (*text).to_owned())),
            None => drop(game.insert(path, (*text).to_owned())),
        }
    }
    let mut packs = vec![pack("toy", &game)];
    if !more.is_empty() {
        let manifest = r#"{"format": 1, "api": 1, "id": "more", "version": "0.1.0", "title": "More", "kind": "extension",
            "requires": {"toy": "^0.1"}}"#;
        more.entry("pack.json").or_insert_with(|| manifest.to_owned());
        packs.push(pack("more", &more));
    }
    let options = LoadOptions { search: Vec::new(), until: Stage::Scripts, ..LoadOptions::default() };
    check(&packs, &options).findings
}

/// A script that the first phase runs.
fn main_with(before: &str, body: &str) -> String {
    format!(
        "local M = {{}}\n{before}\nfunction M.play()\n  add(counter.gold, query(\"tax.income\", 1, faction.red), \
         faction.red)\n{body}\nend\nreturn M\n"
    )
}

/// A script, and messages of the log.
fn logs(before: &str, body: &str, keys: &[&str]) -> Vec<(&'static str, String)> {
    let messages: Vec<String> = keys.iter().map(|key| format!("\"{key}\": \"Something happens.\"")).collect();
    vec![
        ("scripts/main.lua", main_with(before, body)),
        ("locale/en/more.json", format!("{{\"messages\": {{{}}}}}", messages.join(", "))),
    ]
}

fn one(path: &'static str, text: &str) -> Vec<(&'static str, String)> {
    vec![(path, text.to_owned())]
}

fn script(before: &str, body: &str) -> Vec<(&'static str, String)> {
    one("scripts/main.lua", &main_with(before, body))
}

/// What happens if something is true of the chosen word.
fn of_word(condition: &str) -> String {
    format!(
        "local word = choose(faction.red, \"pay\", {{ \"coins\", \"goods\" }})\n\
         if {condition} then add(counter.gold, 1, faction.red) end"
    )
}

/// The packs: what is odd about each, and its files.
fn odd() -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let won = ["log.won-red", "log.won-blue"];
    vec![
        ("a part of a word in a variable", script("local PART = \"go\"", "add(counter[PART .. \"ld\"], 1, faction.red)")),
        ("a part of a text is compared", script("", &of_word("string.sub(word, 1, 1) == \"c\""))),
        ("a text is written backwards", script("", &of_word("string.reverse(word) == \"sdoog\""))),
        ("a text is changed", script("", &of_word("string.gsub(word, \"o\", \"0\") == \"g00ds\""))),
        ("a joined text is compared", script("", &of_word("word .. \"!\" == \"coins!\""))),
        ("parts of a text are compared", script("", &of_word("string.split(word, \"o\")[1] == \"c\""))),
        (
            "letters are compared",
            script(
                "",
                "for letter in string.gmatch(idof(faction.red), \"%a\") do\n\
                 if letter == \"q\" then add(counter.gold, 1, faction.red) end\nend",
            ),
        ),
        ("keys that are joined", logs("", "log(\"won-\" .. idof(faction.red))", &won)),
        ("keys with a beginning in a variable", logs("local BEGIN = \"won-\"", "log(BEGIN .. idof(faction.red))", &won)),
        ("keys with a beginning without a hyphen", logs("local WHAT = \"won\"", "log(WHAT .. \"-\" .. idof(faction.red))", &won)),
        ("keys from a format", logs("", "log(string.format(\"won-%s\", idof(faction.red)))", &won)),
        ("keys that are joined at the end", logs("", "log(idof(faction.red) .. \"-won\")", &["log.red-won", "log.blue-won"])),
        ("keys from a table of ends", logs("local ENDS = { red = \"-red\" }", "log(\"won\" .. ENDS[idof(faction.red)])", &won)),
        (
            "words that only one script knows",
            script("local last\nlocal function mode(n) return n > 1 and \"zenith\" or \"quorum\" end", "local a, b = mode(1), mode(2)\nif a == b then end_turn = nil end")
                .into_iter().map(|(path, text)| (path, text.replace("local last\n", "").replace("end_turn = nil", "return"))).collect(),
        ),
        ("a text that is repeated", script("", "local line = (\"xyzzy\"):rep(3)\nif #line == 0 then return end")),
        ("an internal key", script("", "local seen = {}\nseen[\"plughhh\"] = 1\nfor _, n in pairs(seen) do if n > 1 then return end end")),
        (
            "a choice as a statement",
            script("local function pick(n) local x\n if n > 1 then x = get(counter.gold, faction.red) else x = 0 end\n return x end", "if pick(2) > 5 then return end"),
        ),
        ("and-or with a number", script("local function pick(n) return n > 1 and 3 or 4 end", "if pick(2) > 5 then return end")),
        (
            "a pack without texts",
            vec![
                ("pack.json", r#"{"format": 1, "api": 1, "id": "toy", "version": "0.1.0", "title": "Toy", "languages": [],
                    "kind": "game", "seats": {"min": 1, "max": 2}}"#.to_owned()),
                ("locale/en/base.json", r#"{"messages": {"outcome.peace": "Peace."}}"#.to_owned()),
                ("locale/en/props.json", r#"{"messages": {}}"#.to_owned()),
            ],
        ),
        ("an extension of numbers", one("more/patches.json", r#"{"patches": [{"of": "counters", "id": "gold", "set": {"start": 3}}]}"#)),
        ("an extension that is a library", one("more/scripts/lib.lua", "local M = {}\n---@public\nfunction M.twice(n) return 2 * n end\nreturn M\n")),
        (
            "an extension that declares points",
            one("more/points.json", r#"{"points": [{"id": "more.paid", "kind": "effect", "doc": "A seat paid.", "args": ["seat"]}]}"#),
        ),
        (
            "an extension whose point passes a zone",
            one("more/points.json", r#"{"points": [{"id": "more.paid", "kind": "effect", "doc": "A seat paid.", "args": ["zone"]}]}"#),
        ),
        (
            "an extension with a rule that no player sees",
            vec![
                ("more/rules.json", r#"{"rules": [{"id": "dear", "params": {"least": 2}, "hooks": {"tax.income": {"least": "least"}}}]}"#.to_owned()),
            ],
        ),
        ("a function for other packs", script("---@public\n---@param n integer\nfunction M.half(n) return math.floor(n / 2) end", "")),
        (
            "a function for other packs that is assigned",
            script("--- Half of it.\n---@public\nM.half = function(n) return math.floor(n / 2) end", ""),
        ),
        (
            "a param that only its hook reads",
            vec![
                ("cards.json", r#"{"cards": [{"id": "luck", "type": "event", "zone": "deck", "params": {"gold": 2, "weight": 7},
                    "hooks": {"card.play": "cards.luck"}}]}"#.to_owned()),
                ("scripts/cards.lua", "local M = {}\nfunction M.luck(self, seat)\n  add(counter.gold, math.min(self.gold, self.weight), seat)\nend\nreturn M\n".to_owned()),
            ],
        ),
        ("whole numbers as a spreadsheet writes them", one("counters.json", r#"{"counters": [{"id": "gold", "scope": "faction", "max": 66.0, "start": 2e0}]}"#)),
        ("numbers with an exponent", one("spaces.json", r#"{"spaces": [{"id": "ford", "kind": "land", "at": [0.0, 1e1], "adjacent": ["moor"]},
            {"id": "moor", "kind": "land", "at": [1, -0.0], "adjacent": ["ford"]}]}"#)),
        ("empty families", one("nothing.json", r#"{"cards": [], "rules": [], "variants": []}"#)),
        ("many families in one file", one("all.json", r#"{"zones": [{"id": "box", "scope": "game", "shown": false}], "rules": [], "pins": [{"id": "one", "of": "cards", "count": 1}]}"#)),
        ("a counter that nobody sees", one("hidden.json", r#"{"counters": [{"id": "seen", "scope": "game", "shown": false, "max": 1}]}"#)),
        ("line ends of another system", one("scripts/peace.lua", "local M = {}\r\n\r\nfunction M.stop()\r\n\tdraw_game(\"peace\")\r\nend\r\n\r\nreturn M\r\n")),
        ("content in one line", one("decisions.json", "{\"decisions\":[{\"id\":\"pay\",\"options\":[\"coins\",\"goods\"]}]}")),
        ("keys in another order", one("counters.json", "{\"counters\":\r\n\t[{\"start\": 2,\t\"max\": 66, \"scope\": \"faction\", \"id\": \"gold\"}]}\r\n")),
        ("functions in a table", script("local DO = { red = function(n) return n + 1 end, blue = function(n) return n end }", "if DO[idof(faction.red)](1) > 5 then return end")),
        ("a module that is written out", one("scripts/peace.lua", "local function stop() draw_game(\"peace\") end\nreturn { stop = stop }\n")),
        ("functions that call each other", script("local odd\nlocal function even(n) return n == 0 or odd(n - 1) end\nfunction odd(n) return n ~= 0 and even(n - 1) end", "if even(4) then return end")),
        ("a local that hides another", script("", "local gold = 1\nfor _ = 1, 2 do local gold = gold + 1\n if gold > 5 then return end end")),
        ("loops in loops of phases", one("phases.json", r#"{"phases": [{"id": "outer", "repeat": 2, "phases": [{"id": "play", "run": "main.play"},
            {"id": "stop", "run": "peace.stop"}]}]}"#).into_iter().chain(one("locale/en/outer.json", r#"{"messages": {"phase.outer": "Round"}}"#)).collect()),
        ("an answered warning", one("rules.json", r#"{"rules": [{"id": "rich", "params": {"gold": 1, "later": 3}, "hooks": {"tax.income": "tax.rich"},
            "allow": {"P0609": "The next edition needs it."}}]}"#)),
    ]
}

#[track_caller]
fn silent(title: &str, found: &[Finding]) {
    assert!(found.is_empty(), "{title}:\n{}", print_human(found, false));
}

#[test]
fn nothing_is_said_about_odd_but_legal_packs() {
    let all = odd();
    assert!(all.len() >= 30, "{}", all.len());
    let mut wrong = Vec::new();
    for (title, files) in &all {
        let files: Vec<(&'static str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let found = found(&files);
        if !found.is_empty() {
            wrong.push(format!("{title}:\n{}", print_human(&found, false)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), all.len(), wrong.join("\n"));
    silent("the game itself", &found(&[]));
}

fn codes(found: &[Finding]) -> Vec<&str> {
    found.iter().map(|finding| finding.code.as_str()).collect()
}

const IDLE: &str = r#""params": {"gold": 1, "later": 3}, "hooks": {"tax.income": "tax.rich"}"#;

fn rules(more: &str) -> String {
    format!(r#"{{"rules": [{{"id": "rich", {IDLE}{more}}}]}}"#)
}

fn manifest(allow: &str) -> String {
    format!(
        r#"{{"format": 1, "api": 1, "id": "toy", "version": "0.1.0", "title": "Toy", "languages": ["en"], "kind": "game",
        "seats": {{"min": 1, "max": 2}}, "allow": [{allow}]}}"#
    )
}

/// Advice names constants as scripts spell them.
#[test]
fn advice_spells_ids_as_constants() {
    let tower = r#"{"kinds": [{"id": "stone.tower-keep", "class": "building", "occupies": true}]}"#;
    let spaces = r#"{"spaces": [
        {"id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"], "pieces": [{"kind": "knight", "faction": "red", "count": 1}]},
        {"id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"]}]}"#;
    let names = r#"{"messages": {"kind.stone.tower-keep": "Keep"}}"#;
    let found = found(&[("keep.json", tower), ("spaces.json", spaces), ("locale/en/keep.json", names)]);
    assert_eq!(codes(&found), ["P0422"], "{found:?}");
    let help = found[0].help.as_deref().unwrap_or_default();
    assert!(help.contains("place(kind.stone_tower_keep, …)"), "{help}");
}

#[test]
fn an_option_may_say_what_it_does() {
    let script = main_with("", &of_word("word == \"coins\""));
    let with = |key: &str| {
        let messages = format!(r#"{{"messages": {{"option.{key}": "You pay."}}}}"#);
        found(&[("scripts/main.lua", &script), ("locale/en/more.json", &messages)])
    };
    silent("the help of an option", &with("coins.help"));
    assert_eq!(codes(&with("corns.help")), ["P0602"]);
    assert_eq!(codes(&with("coins.hepl")), ["P0602"]);
}

#[test]
fn warnings_are_answered_where_they_stand() {
    assert_eq!(codes(&found(&[("rules.json", &rules(""))])), ["P0609"]);
    silent("in the entity", &found(&[("rules.json", &rules(r#", "allow": {"P0609": "later"}"#))]));
    for at in ["rules/rich", "rules.json"] {
        let manifest = manifest(&format!(r#"{{"code": "P0609", "at": "{at}", "reason": "later"}}"#));
        silent(at, &found(&[("rules.json", &rules("")), ("pack.json", &manifest)]));
    }
    let unused = |comment: &str| main_with(comment, "");
    let function = "function M.never() end";
    assert_eq!(codes(&found(&[("scripts/main.lua", &unused(function))])), ["P0315"]);
    for comment in [
        format!("-- allow P0315: for the console\n{function}"),
        format!("{function} -- allow P0315: for the console"),
        format!("-- allow P0315: for the console\n\n--- Does nothing.\n{function}"),
    ] {
        silent(&comment, &found(&[("scripts/main.lua", &unused(&comment))]));
    }
    let message = ("locale/en/more.json", r#"{"messages": {"word.harbor": "harbor"}}"#);
    assert_eq!(codes(&found(&[message])), ["P0602"]);
    let answered = manifest(r#"{"code": "P0602", "at": "messages/word.harbor", "reason": "maps show it"}"#);
    silent("a message", &found(&[message, ("pack.json", &answered)]));
}

#[test]
fn answers_that_answer_nothing_are_warnings() {
    let good = rules("").replace(", \"later\": 3", "");
    let with = |allow: &str| good.replace("}]}", &format!(", \"allow\": {allow}}}]}}"));
    assert_eq!(codes(&found(&[("rules.json", &with(r#"{"P0609": "later"}"#))])), ["P0901"]);
    assert_eq!(codes(&found(&[("rules.json", &with(r#"{"P0704": "only when scenarios run"}"#))])), [""; 0]);
    let comment = main_with("-- allow P0315: for the console", "");
    assert_eq!(codes(&found(&[("scripts/main.lua", &comment)])), ["P0901"]);
    // An answer for one place says nothing about another.
    let elsewhere = main_with("-- allow P0315: for the console\nlocal N = 1\nfunction M.never() return N end", "");
    assert_eq!(codes(&found(&[("scripts/main.lua", &elsewhere)])), ["P0901", "P0315"]);
    let manifest = manifest(r#"{"code": "P0602", "at": "locale/en/base.json", "reason": "maps show it"}"#);
    assert_eq!(codes(&found(&[("pack.json", &manifest)])), ["P0901"]);
    // While something is broken, nobody knows whether the answer is needed.
    let broken = with(r#"{"P0609": "later"}"#).replace("tax.rich", "tax.rcih");
    assert_eq!(codes(&found(&[("rules.json", &broken)])), ["P0302"]);
}

#[test]
fn errors_and_unknown_codes_cannot_be_answered() {
    let of_rule = |allow: &str| found(&[("rules.json", &rules(&format!(", \"allow\": {allow}")))]);
    for allow in [r#"{"P0202": "it comes"}"#, r#"{"P9999": "what"}"#, r#"{"P0901": "no"}"#] {
        assert_eq!(codes(&of_rule(allow)), ["P0902"], "{allow}");
    }
    assert_eq!(codes(&of_rule(r#"{"P0609": " "}"#))[0], "P0106");
    let comment = main_with("-- allow P0315\nfunction M.never() end", "");
    assert_eq!(codes(&found(&[("scripts/main.lua", &comment)])), ["P0902"]);
    let manifest = manifest(r#"{"code": "P0602", "at": "cards/harbor", "reason": "maps show it"}"#);
    assert_eq!(codes(&found(&[("pack.json", &manifest)])), ["P0902"]);
    // Answered or not, an error is an error.
    let broken = rules(r#", "allow": {"P0609": "later"}"#).replace("tax.rich", "tax.rcih");
    assert!(codes(&found(&[("rules.json", &broken)])).contains(&"P0302"));
}

/// Scenarios are read last, so that they alone are left out if there are too many; and what is missing then is no
/// mistake of the pack.
#[test]
fn a_used_up_budget_is_the_only_finding() {
    let many = |family: &str| format!("{{\"{family}\": [[{}]]}}", vec!["0"; 190_000].join(","));
    let scenarios = many("scenarios");
    let files = ["a1", "a2", "a3", "a4"];
    let files = files.map(|name| (&*format!("{name}.scenarios.json").leak(), scenarios.as_str()));
    let of_scenarios = found(&files);
    let other: Vec<&Finding> =
        of_scenarios.iter().filter(|finding| !finding.file.ends_with(".scenarios.json")).collect();
    assert!(other.is_empty() && !of_scenarios.is_empty(), "{}", print_human(&of_scenarios, false));
    // Files of entities come in the order of their names.
    let pins = many("pins");
    let files = ["a1.json", "a2.json", "a3.json", "a4.json"].map(|path| (path, pins.as_str()));
    let found = found(&files);
    assert!(found.iter().any(|finding| finding.code.as_str() == "P0015"), "{}", print_human(&found, false));
    assert!(!found.iter().any(|finding| finding.code.stage() >= Stage::Links), "{}", print_human(&found, false));
}
