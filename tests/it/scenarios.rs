//! The scenarios of every pack against their stored transcripts, by the same runner and the same files as
//! `principes test`; a changed transcript is shown and accepted with `cargo insta review` or `principes test --accept`.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common;
use principes_findings::Finding;
use principes_model::Loaded;
use principes_scenarios::{Bundle, Renamed, ScenarioFile, ScenarioPart, ScenarioReport, ScenarioResult, Verdict};
use principes_schemas::Family;
use principes_source::{MemoryPack, folder};

#[test]
fn all_scenarios_of_all_packs_pass_and_every_hook_is_reached() {
    let mut faults = Vec::new();
    for path in common::pack_folders() {
        let loaded = common::load(&[folder(path)]);
        let report = principes_scenarios::run_all(&loaded, None, false).unwrap_or_else(|faults| panic!("{faults:?}"));
        let pack = principes_scenarios::pack_under_test(&loaded);
        let has_hooks = loaded.packs.len() > 1 || !report.declared.is_empty();
        assert!(has_hooks, "{pack}: a game without hooks does nothing");
        let unreached = report.unreached().map(|hook| principes_scenarios::hook_name(&loaded.catalog, hook));
        faults.extend(unreached.map(|hook| format!("{pack}: no scenario runs {hook}")));
        let orphans = principes_scenarios::findings::orphans(&loaded, &Renamed::default());
        faults.extend(orphans.iter().map(|orphan| format!("{}: {}", orphan.file, orphan.message)));
        let folder =
            loaded.packs.iter().find_map(|info| info.folder.clone().filter(|_| info.manifest.id.as_str() == pack));
        let files = principes_scenarios::scenario_files(&loaded, pack);
        compare_with_insta(&folder.unwrap(), &files, &report, &mut faults);
    }
    assert!(faults.is_empty(), "{} scenarios fail:\n{}", faults.len(), faults.join("\n"));
}

/// Lets `insta` judge each .snap file as a whole. A scenario that failed keeps its snapshot.
fn compare_with_insta(folder: &Path, files: &[ScenarioFile], report: &ScenarioReport, faults: &mut Vec<String>) {
    let mut bundles: BTreeMap<PathBuf, (Bundle, bool)> = BTreeMap::new();
    for (result, file) in report.results.iter().zip(files) {
        let stored = folder.join(file.snapshot_path());
        let (bundle, all_same) = bundles.entry(stored).or_insert_with(|| (Bundle::default(), true));
        let shown = match result.failures.is_empty() {
            true => Some(result.transcript.clone()),
            false => file.stored.clone(),
        };
        bundle.sections.extend(shown.map(|text| (result.id.clone(), text)));
        faults.extend(result.failures.iter().map(ToString::to_string));
        if result.failures.is_empty() && !result.passed() {
            *all_same = false;
            let what = match result.snapshot {
                Verdict::New => "the scenario has no snapshot".to_owned(),
                _ => format!("the transcript differs from the stored one\n{}", result.diff),
            };
            faults.push(format!("{}: scenario `{}`: {what}", result.snapshot_file, result.id));
        }
    }
    for (stored, (bundle, all_same)) in bundles {
        // All differences are reported at the end, not only the first; `insta` has written each beside its snapshot.
        let same = insta_accepts(&stored, &bundle.body());
        // An extra section is a difference only to `insta`; it is reported as an orphan.
        assert!(!same || all_same, "{}: two verdicts about one snapshot", stored.display());
        assert!(same || !faults.is_empty(), "{}: two verdicts about one snapshot", stored.display());
    }
}

fn insta_accepts(stored: &Path, text: &str) -> bool {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(stored.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = stored.file_stem().unwrap().to_string_lossy().into_owned();
    catch_unwind(AssertUnwindSafe(|| settings.bind(|| insta::assert_snapshot!(name, text)))).is_ok()
}

/// Several packs may add to one permission, so every value above 0 grants it. Here, a last hook doubles them all.
#[test]
fn permissions_may_be_more_than_one() {
    let mut examined = 0;
    for game in common::whole_games() {
        let permissions: serde_json::Map<String, serde_json::Value> = game
            .loaded
            .entities
            .iter()
            .filter(|entity| {
                entity.family == Family::Points
                    && ["allowed", "free"].map(Some).contains(&entity.json["value"].as_str())
            })
            .map(|entity| (entity.id.clone(), serde_json::json!({ "times": 2, "priority": i16::MAX })))
            .collect();
        if permissions.is_empty() {
            continue;
        }
        examined += permissions.len();
        let rule = serde_json::json!({ "rules": [{ "id": "twofold", "hooks": permissions, "provenance": { "designed": "a test" } }] });
        let report =
            principes_scenarios::run_all(&with_file(&game.loaded, "twofold.json", &rule.to_string()), None, false);
        let report = report.unwrap_or_else(|faults| panic!("{faults:?}"));
        let failed: Vec<&String> =
            report.results.iter().filter(|result| !result.passed()).map(|result| &result.id).collect();
        assert!(failed.is_empty(), "{}: {failed:?}", game.name);
    }
    assert!(examined >= 12, "{examined} permissions");
}

/// The last of these packs with one more file.
fn with_file(loaded: &Loaded, path: &str, text: &str) -> Loaded {
    let source = folder(loaded.packs.last().and_then(|info| info.folder.clone()).expect("a folder"));
    let copy = source.list().unwrap().into_iter().fold(MemoryPack::new("copy"), |copy, file| {
        let content = source.read(&file).unwrap();
        copy.with(&file, content)
    });
    common::load(&[Arc::new(copy.with(path, text))])
}

/// `insta`, which `cargo insta` shows and accepts with, and our own comparison must never disagree.
#[test]
fn both_roads_judge_a_changed_snapshot_alike() {
    let shown = "one\n  two\n\nthree";
    let document = |text: &str| {
        let sections = [("a", "A"), ("it", text)].map(|(id, text)| (id.to_owned(), text.to_owned()));
        Bundle { sections: sections.into() }.document("it.scenarios.json")
    };
    for (stored, same) in [
        (document(shown), true),
        (format!("{}\n\n", document(shown)), true),
        (document(shown).replace('\n', "\r\n"), true),
        (document("one\n two\n\nthree"), false),
        (document("one\n  two\nthree"), false),
        (document("one\n  two\n\nthree\nfour"), false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it.scenarios.snap");
        std::fs::write(&path, &stored).unwrap();
        let wanted = Bundle::read(&document(shown)).unwrap();
        assert_eq!(insta_accepts(&path, &wanted.body()), same, "{stored:?}");
        let section = &Bundle::read(&stored).unwrap().sections["it"];
        assert_eq!(principes_scenarios::is_same(section, shown), same, "{stored:?}");
    }
}

/// A pack on disk with the scenarios `a` and `b` in one file, and what is stored of them.
fn on_disk(titles: [&str; 2]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let [a, b] = titles;
    let scenarios =
        format!(r#"{{"scenarios": [{{"id": "b", "title": "{b}", {PAY}}}, {{"id": "a", "title": "{a}", {PAY}}}]}}"#);
    let source = common::toy(&[("purse.scenarios.json", &scenarios)]);
    for path in source.list().unwrap() {
        let file = place.path().join(&path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, source.read(&path).unwrap()).unwrap();
    }
    place
}

#[test]
fn accepting_rewrites_only_the_sections_that_changed() {
    let place = on_disk(["First", "Second"]);
    let snap = place.path().join("purse.scenarios.snap");
    let run = |filter: Option<&str>, accept: bool| {
        principes_scenarios::run_all(&common::load(&[folder(place.path())]), filter, accept).unwrap()
    };
    assert!(run(None, true).passed());
    let stored = std::fs::read_to_string(&snap).unwrap();
    assert!(stored.starts_with("---\nsource: purse.scenarios.json\n---\n=== a\nFirst\n"), "{stored}");
    assert!(stored.contains("\n\n=== b\nSecond\n"), "{stored}");
    // If nothing changed, nothing is written, not even to tidy up.
    let odd = format!("{stored}\n\n");
    std::fs::write(&snap, &odd).unwrap();
    assert!(run(None, true).passed());
    assert_eq!(std::fs::read_to_string(&snap).unwrap(), odd);
    // Both differ, and one is accepted. A section without a scenario is removed.
    let both = stored.replace("First", "1st").replace("Second", "2nd") + "\n=== gone\nGone\n";
    std::fs::write(&snap, &both).unwrap();
    let changed = run(None, false);
    assert!(changed.results.iter().all(|result| result.snapshot == Verdict::Changed));
    assert!(changed.results.iter().all(|result| result.diff.matches("===").count() == 0), "its own section only");
    let orphans = principes_scenarios::findings::orphans(&common::load(&[folder(place.path())]), &Renamed::default());
    assert_eq!(orphans.iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>(), ["P0706"]);
    run(Some("First"), true);
    assert_eq!(std::fs::read_to_string(&snap).unwrap(), stored.replace("Second", "2nd"));
    let files: Vec<_> = std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!files.iter().any(|file| file.to_string_lossy().ends_with(".tmp")), "{files:?}");
}

/// A Windows checkout may end lines with a carriage return and a line feed.
#[test]
fn line_ends_do_not_matter() {
    let place = on_disk(["First", "Second"]);
    let run =
        |accept: bool| principes_scenarios::run_all(&common::load(&[folder(place.path())]), None, accept).unwrap();
    let stored = run(true);
    let typo = place.path().join("typo.json");
    std::fs::write(&typo, "{\n  \"zones\": [\n    {\"id\": \"box\", \"scop\": \"game\"}\n  ]\n}\n").unwrap();
    let found = || {
        let findings = principes_content::check(&[folder(place.path())], &common::options()).findings;
        let place = |finding: &Finding| (finding.span.line, finding.span.column, finding.message.clone());
        findings.iter().map(place).collect::<Vec<_>>()
    };
    let typos = found();
    assert!(typos.iter().any(|(line, column, _)| (*line, *column) == (3, 19)), "{typos:?}");
    for path in folder(place.path()).list().unwrap() {
        let file = place.path().join(&path);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace('\n', "\r\n")).unwrap();
    }
    assert_eq!(found(), typos);
    std::fs::remove_file(typo).unwrap();
    let again = run(false);
    let transcripts =
        |report: &ScenarioReport| report.results.iter().map(|result| result.transcript.clone()).collect::<Vec<_>>();
    assert_eq!(transcripts(&again), transcripts(&stored));
    assert!(again.passed());
}

// The runner itself ------------------------------------------------------------------------------------------------

/// A pack with one scenario: `body` is its JSON without id and title.
fn pack_with(body: &str) -> Loaded {
    let scenario = format!(r#"{{"scenarios": [{{"id": "it", "title": "It", {body}}}]}}"#);
    common::load(&[common::toy(&[("scenarios/it.json", &scenario)])])
}

fn result_of(body: &str) -> ScenarioResult {
    let report =
        principes_scenarios::run_all(&pack_with(body), None, false).unwrap_or_else(|faults| panic!("{faults:?}"));
    ScenarioResult::clone(&report.results[0])
}

/// The failures of a scenario: which part, and its message.
fn failures_of(body: &str) -> Vec<(ScenarioPart, String)> {
    result_of(body).failures.into_iter().map(|failure| (failure.part, failure.message)).collect()
}

fn the_failure(body: &str) -> (ScenarioPart, String) {
    let failures = failures_of(body);
    assert_eq!(failures.len(), 1, "{failures:?}");
    failures.into_iter().next().unwrap()
}

const PAY: &str = r#""run": {"hook": "toy.pay", "args": ["faction:red"]}"#;

#[test]
fn a_transcript_tells_the_whole_run() {
    let result = result_of(&format!(
        r#"{PAY}, "rules": ["TOY-01"], "given": [{{"counter": "purse", "of": "red", "set": 5}},
            {{"place": "guard", "faction": "blue", "at": "hill"}}], "dice": [4], "when": [{{"seat": "red", "choose": "pay 5"}}],
            "then": [{{"counter": "purse", "of": "red", "is": 4}}, {{"control": "hill", "is": "blue"}}, {{"logged": "paid"}},
            {{"pending": null}}]"#
    ));
    assert_eq!(result.failures, vec![]);
    assert_eq!(result.snapshot, Verdict::New);
    insta::assert_snapshot!(result.transcript, @r#"
    It
    rules: TOY-01
    given
      purse of red is 5
      1 guard of blue on hill
    run toy.pay faction:red
    red is asked pick: What?
      [pay 5] [keep]
    > pay 5
      purse of red 5 -> 4
      "Red pays."
      a die with 6 faces: 4
      "A 4."
    changed
      purse of red 5 -> 4
    then
      purse of red is 4
      blue controls hill
      `paid` was said
      nobody is asked
    "#);
}

#[test]
fn without_run_the_flow_begins_at_its_beginning() {
    let body = r#""when": [{"seat": "red", "choose": "left"}, {"seat": "red", "choose": "left"},
        {"seat": "blue", "decision": "pick", "choose": "right"}], "then": [{"outcome": "right", "winner": "blue"}]"#;
    assert_eq!(failures_of(body), vec![]);
}

#[test]
fn a_phase_begins_in_the_turn_that_its_counter_shows() {
    let body = r#""given": [{"counter": "round", "set": 5}], "run": {"phase": "turns"},
        "when": [{"expect": {"counter": "round", "is": 5}}, {"seat": "red", "choose": "left"}, {"seat": "blue", "choose": "left"}],
        "then": [{"error": "all phases have ended"}]"#;
    assert_eq!(failures_of(body), vec![]);
}

#[test]
fn a_card_is_performed_and_answers_are_taken_back() {
    let body = r#""given": [{"card": "windfall", "to": "hand", "of": "blue"}],
        "run": {"perform": "windfall", "point": "card.play", "seat": "blue"},
        "when": [{"call": "toy.pay", "args": ["faction:blue"]}, {"seat": "blue", "choose": "pay 3"},
            {"expect": {"counter": "purse", "of": "blue", "is": 2}}, {"undo": 1}, {"seat": "blue", "choose": "keep"}],
        "then": [{"counter": "purse", "of": "blue", "is": 3}, {"card": "windfall", "in": "hand", "of": "blue"}, {"zone": "deck", "is": 1}]"#;
    assert_eq!(failures_of(body), vec![]);
}

#[test]
fn an_unknown_option_lists_what_is_offered() {
    let (part, message) = the_failure(&format!(r#"{PAY}, "when": [{{"seat": "red", "choose": "kep"}}]"#));
    assert_eq!(part, ScenarioPart::When(0));
    assert_eq!(message, "`kep` is not an option; did you mean `keep`? The options are [pay 3] [keep]");
    let (_, message) = the_failure(&format!(r#"{PAY}, "when": [{{"seat": "red", "choose": "none"}}]"#));
    assert_eq!(message, "`none` is not an option. The options are [pay 3] [keep]");
}

/// A decision declares the options that it may offer.
#[test]
fn an_option_that_its_decision_does_not_list_is_a_failure() {
    let choose = r#""when": [{"seat": "red", "choose": "keep"}]"#;
    let scenario = format!(r#"{{"scenarios": [{{"id": "it", "title": "It", {PAY}, {choose}}}]}}"#);
    let failures = |options: &str| {
        let decisions = format!(r#"{{"decisions": [{{"id": "pick", "options": [{options}]}}]}}"#);
        let pack = common::toy(&[("decisions.json", &decisions), ("scenarios/it.json", &scenario)]);
        let loaded = principes_content::check(&[pack], &common::options()).loaded.unwrap();
        let report = principes_scenarios::run_all(&loaded, None, false).unwrap();
        report.results[0].failures.iter().map(|failure| failure.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(failures(r#""left", "right", "pay", "keep""#), Vec::<String>::new());
    let message = "`keep` is offered, but not listed in the `options` of the decision `pick`";
    assert_eq!(failures(r#""left", "right", "pay""#), [message]);
}

#[test]
fn a_seat_that_is_not_asked_is_told_who_is() {
    let (part, message) = the_failure(&format!(r#"{PAY}, "when": [{{"seat": "blue", "choose": "keep"}}]"#));
    assert_eq!(part, ScenarioPart::When(0));
    assert_eq!(message, "`blue` has no decision; `red` has the decision `pick`: [pay 3] [keep]");
}

#[test]
fn steps_that_are_left_over_fail() {
    let keep = r#"{"seat": "red", "choose": "keep"}"#;
    let (part, message) = the_failure(&format!(r#"{PAY}, "when": [{keep}, {keep}]"#));
    assert_eq!(part, ScenarioPart::When(1));
    assert_eq!(message, "`red` has no decision; no seat has a decision");
}

#[test]
fn dice_that_are_left_over_fail() {
    let (part, message) =
        the_failure(&format!(r#"{PAY}, "dice": [2, 3], "when": [{{"seat": "red", "choose": "keep"}}]"#));
    assert_eq!((part, message.as_str()), (ScenarioPart::Dice, "1 of 2 fixed dice were not rolled"));
}

#[test]
fn expectations_that_do_not_hold_say_what_is() {
    let keep = r#""when": [{"seat": "red", "choose": "keep"}]"#;
    for (expect, is) in [
        (r#"{"counter": "purse", "of": "red", "is": 4}"#, "it is 3"),
        (r#"{"control": "hill", "is": null}"#, "red does"),
        (r#"{"pieces": {"kind": "guard", "on": "pool"}, "is": 1}"#, "there are 2"),
        (r#"{"zone": "deck", "is": 1}"#, "there are 2: windfall, windfall"),
        (r#"{"card": "windfall", "in": "hand", "of": "red"}"#, "from the top are: none"),
        (r#"{"pending": {"seat": "red"}}"#, "no seat has a decision"),
        (r#"{"offered": "keep"}"#, "the options are none"),
        (r#"{"refused": "kepe"}"#, "unknown word or id `kepe`"),
        (r#"{"refused": "pay pures"}"#, "unknown word or id `pures` (did you mean `purse`?)"),
        (r#"{"logged": "paid"}"#, "the log has [rolled]"),
        (r#"{"outcome": "right"}"#, "the game is not over"),
        (r#"{"error": "planned"}"#, "no script failed"),
    ] {
        let (part, message) = the_failure(&format!(r#"{PAY}, {keep}, "then": [{expect}]"#));
        assert_eq!(part, ScenarioPart::Then(0), "{expect}");
        assert!(message.starts_with("expected: ") && message.contains(is), "{expect}: {message}");
    }
    let refused = format!(r#"{PAY}, "when": [{{"expect": {{"refused": "keep"}}}}]"#);
    assert!(the_failure(&refused).1.contains("the options are [pay 3] [keep]"));
}

#[test]
fn a_script_that_fails_must_be_expected() {
    let run = r#""run": {"hook": "toy.fail"}"#;
    assert_eq!(failures_of(&format!(r#"{run}, "then": [{{"error": "as planned"}}]"#)), vec![]);
    let (part, message) = the_failure(run);
    assert_eq!(part, ScenarioPart::Run);
    assert!(message.contains("scripts/toy.lua:") && message.contains("as planned"), "{message}");
}

/// Expectations after a run that broke off unexpectedly are not reported.
#[test]
fn an_unexpected_failure_is_told_alone() {
    let wrong = r#"{"counter": "purse", "of": "red", "is": 8}"#;
    let (run, dice) = (r#""run": {"hook": "toy.fail"}"#, r#""dice": [2]"#);
    let expects = r#"{"error": "another one"}"#;
    for (then, part) in [
        (wrong.to_owned(), ScenarioPart::Run),
        (format!("{wrong}, {expects}, {wrong}"), ScenarioPart::Then(1)),
        (format!("{expects}, {wrong}"), ScenarioPart::Then(0)),
    ] {
        let (failed, message) = the_failure(&format!(r#"{run}, {dice}, "then": [{then}]"#));
        assert_eq!(failed, part, "{then}: {message}");
        assert!(message.contains("as planned"), "{then}: {message}");
    }
}

#[test]
fn a_script_that_fails_in_many_scenarios_is_told_once() {
    let scenario = |id: &str, hook: &str| format!(r#"{{"id": "{id}", "title": "It", "run": {{"hook": "{hook}"}}}}"#);
    let (a, b, c) = (scenario("a", "toy.fail"), scenario("b", "toy.fail"), scenario("c", "toy.fail"));
    let other = scenario("other", "toy.nothing");
    let file = format!(r#"{{"scenarios": [{a}, {other}, {b}, {c}]}}"#);
    let script =
        common::toy_file("scripts/toy.lua").replace("return M", "function M.nothing() error(\"no\") end\nreturn M");
    let loaded = common::load(&[common::toy(&[("scenarios/it.json", &file), ("scripts/toy.lua", &script)])]);
    let report = principes_scenarios::run_all(&loaded, None, false).unwrap();
    let shown =
        principes_scenarios::findings::of_report(&loaded, &principes_scenarios::BrokenParts::default(), &[], &report);
    let failures: Vec<(&str, Option<&str>)> =
        shown.findings.iter().map(|it| (it.message.split('`').nth(1).unwrap(), it.help.as_deref())).collect();
    assert_eq!(failures, [("a", Some("2 other scenarios fail here")), ("other", None)]);
}

#[test]
fn a_rule_is_performed() {
    let rules = r#"{"rules": [{"id": "gift", "params": {"gain": 2}, "hooks": {"card.play": "toy.play"}}]}"#;
    let scenario = |rule: &str| {
        format!(
            r#"{{"scenarios": [{{"id": "it", "title": "It",
                "run": {{"perform": "{rule}", "point": "card.play", "seat": "red"}}}}]}}"#
        )
    };
    let played = |rule: &str| {
        let pack = common::toy(&[("rules.json", rules), ("scenarios/it.json", &scenario(rule))]);
        principes_content::check(&[pack], &common::options())
    };
    let loaded = played("gift").loaded.expect("a rule may be named");
    assert_eq!(principes_scenarios::run_all(&loaded, None, false).unwrap().results[0].failures, vec![]);
    let mut wrong = played("gitf").findings;
    wrong.retain(|finding| finding.is_error());
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert_eq!((wrong[0].code.as_str(), wrong[0].help.as_deref()), ("P0202", Some("did you mean `gift`?")));
}

#[test]
fn no_hook_hears_of_an_edit() {
    let rules = r#"{"rules": [{"id": "watch", "hooks": {"control.changed": "toy.watch"}}]}"#;
    let scenario = format!(
        r#"{{"scenarios": [{{"id": "it", "title": "It", {PAY}, "given": [{{"place": "guard", "faction": "blue", "at": "hill"}}],
            "when": [{{"edit": {{"place": "guard", "faction": "blue", "at": "dale"}}}}, {{"seat": "red", "choose": "keep"}}],
            "then": [{{"control": "dale", "is": "blue"}}, {{"counter": "purse", "of": "blue", "is": 1}}]}}]}}"#
    );
    let loaded = common::load(&[common::toy(&[("rules.json", rules), ("scenarios/it.json", &scenario)])]);
    let report = principes_scenarios::run_all(&loaded, None, false).unwrap();
    assert_eq!(report.results[0].failures, vec![]);
}

#[test]
fn edits_that_cannot_be_made_say_why() {
    for (edit, why) in [
        (r#"{"place": "guard", "faction": "blue", "at": "hill", "count": 3}"#, "the pool has only 2 `guard` of `blue`"),
        (r#"{"counter": "purse", "set": 1}"#, "in `of`"),
        (r#"{"counter": "purse", "of": "red", "set": 99}"#, "must be from 0 to 9"),
        (r#"{"card": "windfall", "to": "hand"}"#, "in `of`"),
    ] {
        let (part, message) = the_failure(&format!(r#"{PAY}, "given": [{edit}]"#));
        assert_eq!(part, ScenarioPart::Given(0), "{edit}");
        assert!(message.contains(why), "{edit}: {message}");
    }
}

#[test]
fn hooks_that_no_scenario_reaches_are_listed() {
    let loaded = pack_with(PAY);
    let report = principes_scenarios::run_all(&loaded, None, false).unwrap();
    let names = |hooks: &mut dyn Iterator<Item = principes_core::HookId>| -> Vec<String> {
        hooks.map(|hook| principes_scenarios::hook_name(&loaded.catalog, hook)).collect()
    };
    assert_eq!(names(&mut report.reached.iter().copied()), ["toy.setup"]);
    assert_eq!(names(&mut report.unreached()), ["windfall · card.play (toy.play)", "toy.turn"]);
    assert!((report.coverage() - 100.0 / 3.0).abs() < 0.01);
}
