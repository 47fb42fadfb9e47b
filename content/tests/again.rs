//! Checking again after an edit: results are reused, and are the same as those of a first check.

use std::sync::Arc;

use principes_content::{LoadOptions, check};
use principes_findings::Finding;
use principes_findings::print_human;
use principes_model::{Checked, Loaded};
use principes_scenarios::{Allowance, Past, ScenarioReport, run_all};
use principes_source::MemoryPack;
use principes_source::PackSource;

/// Files of a game with two cards, a rule and a scenario for each.
const FILES: [(&str, &str); 11] = [
    (
        "pack.json",
        r#"{"format": 1, "id": "p", "version": "1.0.0", "api": 1, "title": "P", "kind": "game", "seats": {"min": 1, "max": 2}, "languages": ["en"]}"#,
    ),
    (
        "factions.json",
        r#"{"factions": [{"id": "red", "playable": true, "group": "power", "color": "red"},
        {"id": "blue", "playable": true, "group": "power", "color": "blue"}]}"#,
    ),
    ("counters.json", r#"{"counters": [{"id": "gold", "scope": "faction"}]}"#),
    (
        "props.json",
        r#"{"props": [{"id": "farm.legs", "of": "cards", "type": "number", "doc": "How many legs it has."}]}"#,
    ),
    ("zones.json", r#"{"zones": [{"id": "deck", "scope": "game"}]}"#),
    (
        "points.json",
        r#"{"points": [{"id": "card.play", "kind": "effect", "args": ["seat"], "doc": "A card is played."}]}"#,
    ),
    (
        "cards.json",
        r#"{"cards": [
        {"id": "ox", "type": "farm", "zone": "deck", "hooks": {"card.play": "farm.ox"}, "params": {"gold": 2}, "props": {"legs": 4}},
        {"id": "hen", "type": "farm", "zone": "deck", "hooks": {"card.play": "yard.hen"}, "params": {"gold": 1}}]}"#,
    ),
    ("rules.json", r#"{"rules": [{"id": "market", "hooks": {"card.play": "market.sell"}, "params": {"gold": 1}}]}"#),
    ("phases.json", r#"{"phases": [{"id": "setup", "run": "flow.setup"}]}"#),
    (
        "locale/en/p.json",
        r#"{"messages": {"log.ploughed": "The ox has ploughed for {1}.", "log.laid": "An egg.", "faction.red": "Red",
        "card.ox.title": "Ox", "card.ox.text": "{gold}", "card.hen.title": "Hen", "card.hen.text": "{gold}"}}"#,
    ),
    (
        "scenarios/p.json",
        r#"{"scenarios": [
        {"id": "ox", "title": "An ox", "run": {"perform": "ox", "point": "card.play", "seat": "red"}},
        {"id": "hen", "title": "A hen", "run": {"perform": "hen", "point": "card.play", "seat": "red"}},
        {"id": "market", "title": "A sale", "run": {"hook": "flow.fair", "args": ["faction:red"]}}]}"#,
    ),
];
const SCRIPTS: [(&str, &str); 4] = [
    (
        "scripts/flow.lua",
        "local M = {}\nfunction M.setup() end\nfunction M.fair(seat) trigger(\"card.play\", seat) end\nreturn M\n",
    ),
    (
        "scripts/farm.lua",
        "local M = {}\nfunction M.ox(self, seat)\n  add(counter.gold, self.gold, seat)\n  log(\"ploughed\", seat)\nend\nreturn M\n",
    ),
    (
        "scripts/yard.lua",
        "local M = {}\nfunction M.hen(self, seat)\n  add(counter.gold, self.gold, seat)\n  log(\"laid\")\nend\nreturn M\n",
    ),
    (
        "scripts/market.lua",
        "local M = {}\nfunction M.sell(self, _, seat)\n  add(counter.gold, self.gold * param(design.hen, \"gold\"), seat)\nend\nreturn M\n",
    ),
];

/// An edit: the file, the old text, and the new text.
type Edit = (&'static str, &'static str, &'static str);

/// The game with some files changed.
fn checked(edits: &[Edit], options: &LoadOptions) -> Checked {
    let pack = FILES.iter().chain(&SCRIPTS).fold(MemoryPack::new("p"), |pack, (file, text)| {
        let changes = edits.iter().filter(|(edited, ..)| edited == file);
        let text = changes.fold((*text).to_owned(), |text, (_, old, new)| {
            assert!(text.contains(old), "{file} has no {old}");
            text.replace(old, new)
        });
        pack.with(file, text)
    });
    check(&[Arc::new(pack)], options)
}

fn fresh() -> LoadOptions {
    LoadOptions { search: Vec::new(), ..LoadOptions::default() }
}

fn game(edits: &[Edit]) -> Loaded {
    let checked = checked(edits, &fresh());
    checked.loaded.unwrap_or_else(|| panic!("{:?}", checked.findings))
}

/// Which scenarios are run again if the game is changed like this. The results must be those of a first run.
fn run_again(edits: &[Edit]) -> usize {
    let results = |report: Result<ScenarioReport, Vec<Finding>>| -> Vec<(String, String)> {
        let results = report.unwrap_or_else(|findings| panic!("{findings:?}")).results;
        assert!(results.iter().all(|result| result.failures.is_empty()), "{results:?}");
        results.iter().map(|result| (result.id.clone(), result.transcript.clone())).collect()
    };
    let mut past = Past::default();
    let first = game(&[]);
    let plan = past.plan(&first);
    assert_eq!(plan.to_run(), 3);
    results(plan.run(&first, &mut past, Allowance::ALL));
    assert_eq!(past.plan(&first).to_run(), 0, "nothing is new");
    let second = game(edits);
    let plan = past.plan(&second);
    let again = plan.to_run();
    let found = results(plan.run(&second, &mut past, Allowance::ALL));
    assert_eq!(found, results(run_all(&second, None, false)), "{edits:?}");
    // And back again.
    let back = results(past.plan(&first).run(&first, &mut past, Allowance::ALL));
    assert_eq!(back, results(run_all(&first, None, false)), "back from {edits:?}");
    again
}

#[test]
fn what_nobody_plays_with_runs_nothing_again() {
    assert_eq!(run_again(&[("cards.json", "\"id\": \"ox\"", "\n\n\"id\":   \"ox\"")]), 0, "blanks");
    assert_eq!(
        run_again(&[("cards.json", "\"id\": \"ox\"", "\"notes\": \"Too dear?\", \"id\": \"ox\"")]),
        0,
        "a remark"
    );
    assert_eq!(run_again(&[("locale/en/p.json", "\"{gold}\"", "\"Gain {gold}.\"")]), 0, "a text of cards");
}

#[test]
fn a_number_of_a_card_runs_what_has_read_it() {
    assert_eq!(
        run_again(&[("cards.json", "{\"gold\": 2}", "{\"gold\": 3}")]),
        2,
        "its own hook, and the one that reads params of other cards"
    );
    assert_eq!(run_again(&[("rules.json", "{\"gold\": 1}", "{\"gold\": 3}")]), 1);
}

#[test]
fn a_sentence_runs_what_quotes_it() {
    assert_eq!(run_again(&[("locale/en/p.json", "has ploughed", "ploughs")]), 1);
    assert_eq!(run_again(&[("locale/en/p.json", "\"Red\"", "\"The Reds\"")]), 1, "a name in a sentence");
}

#[test]
fn a_script_runs_what_has_run_it() {
    assert_eq!(run_again(&[("scripts/farm.lua", "self.gold", "self.gold + 1")]), 1);
    assert_eq!(run_again(&[("scripts/flow.lua", "end", "local a = 1 end")]), 3, "the setup of all");
}

#[test]
fn anything_else_runs_everything() {
    assert_eq!(run_again(&[("cards.json", "\"legs\": 4", "\"legs\": 3")]), 3);
    assert_eq!(run_again(&[("counters.json", "\"scope\"", "\"start\": 5, \"scope\"")]), 3);
    assert_eq!(run_again(&[("pack.json", "1.0.0", "1.0.1")]), 3);
    assert_eq!(
        run_again(&[("pack.json", "\"max\": 2", "\"max\": 1")]),
        3,
        "fewer seats, where the scenario names none"
    );
}

#[test]
fn a_scenario_that_changes_runs_again() {
    assert_eq!(run_again(&[("scenarios/p.json", "A hen", "The hen")]), 1);
}

/// Many checks with one cache find the same as checks without a cache, even if the scripts are unchanged and only the
/// content is new.
#[test]
fn what_is_known_of_files_changes_no_finding() {
    let edits: [&[Edit]; 15] = [
        &[],
        &[("counters.json", "gold", "coins")],
        &[("points.json", "\"args\": [\"seat\"], ", "")],
        &[("scripts/yard.lua", "add", "ad")],
        &[("scripts/yard.lua", "add", "ad"), ("counters.json", "gold", "coins")],
        &[("cards.json", "yard.hen", "yard.hne"), ("cards.json", "\"cards\"", "\n\"cards\"")],
        &[("cards.json", "yard.hen", "yard.hne")],
        &[("locale/en/p.json", "{1}", "{1} and {2}")],
        // Only other files mention it.
        &[("zones.json", "deck", "pile")],
        &[("cards.json", "\"id\": \"hen\"", "\"id\": \"cock\"")],
        &[("cards.json", "\"id\": \"hen\"", "\"id\": \"ox\"")],
        &[("scripts/yard.lua", "M.hen", "M.cock")],
        &[("scripts/flow.lua", "M.fair", "M.market")],
        &[("scenarios/p.json", "flow.fair", "flow.fare"), ("scenarios/p.json", "\"id\": \"ox\"", "\n\"id\": \"ox\"")],
        &[("locale/en/p.json", "log.laid", "log.lain")],
    ];
    let kept = fresh();
    for edit in edits.iter().chain(edits.iter().rev()) {
        let (found, wanted) = (checked(edit, &kept).findings, checked(edit, &fresh()).findings);
        assert_eq!(print_human(&found, false), print_human(&wanted, false), "{edit:?}");
        assert_eq!(edit.is_empty(), !found.iter().any(Finding::is_error), "{edit:?}: {found:?}");
    }
}

/// A pack that changes a game does not affect the cached results for the game's own files.
#[test]
fn a_patch_changes_nothing_for_packs_without_it() {
    let game = FILES.iter().chain(&SCRIPTS).fold(MemoryPack::new("p"), |pack, (file, text)| pack.with(file, *text));
    let patch = |field: &str| {
        let manifest = r#"{"format": 1, "id": "q", "version": "1.0.0", "api": 1, "title": "Q", "kind": "extension", "requires": {"p": "*"}, "languages": ["en"]}"#;
        let patches = format!(r#"{{"patches": [{{"of": "cards", "id": "ox", "set": {{{field}}}}}]}}"#);
        MemoryPack::new("q").with("pack.json", manifest).with("patches.json", patches)
    };
    let given = |field: Option<&str>| -> Vec<Arc<dyn PackSource>> {
        let patch = field.map(|field| Arc::new(patch(field)) as Arc<dyn PackSource>);
        [Arc::new(game.clone()) as Arc<dyn PackSource>].into_iter().chain(patch).collect()
    };
    let kept = fresh();
    let tries = [
        (None, false),
        (Some(r#""params": {"gold": 3}"#), false),
        (Some(r#""zone": "pile""#), true),
        (Some(r#""hooks": {"card.play": "farm.cow"}"#), true),
        (None, false),
    ];
    for (field, fails) in tries {
        let (found, wanted) = (check(&given(field), &kept), check(&given(field), &fresh()));
        assert_eq!(print_human(&found.findings, false), print_human(&wanted.findings, false), "{field:?}");
        let errors = found.findings.iter().filter(|finding| finding.is_error()).count();
        assert_eq!(errors > 0, fails, "{field:?}: {:?}", found.findings);
        let cards = |checked: &Checked| checked.loaded.as_ref().map(|loaded| format!("{:?}", loaded.catalog.designs));
        assert_eq!(cards(&found), cards(&wanted), "{field:?}");
    }
}
