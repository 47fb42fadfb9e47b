//! Where a script's failure is reported.

use std::sync::Arc;

use principes_content::{LoadOptions, load};
use principes_findings::Finding;
use principes_scenarios::{BrokenParts, findings::of_report, run_all};
use principes_source::{MemoryPack, PackSource};

/// A function that fails in a helper.
const FAILS: &str = "local M = {}
function M.helper(n)
  error(\"no \" .. n)
end
function M.start()
  M.helper(3)
end
return M
";

/// The findings about a scenario that calls a function that fails in a helper.
fn findings(then: &str) -> Vec<Finding> {
    findings_of(FAILS, then)
}

/// The findings about a scenario that calls `main.start` of a script.
fn findings_of(script: &str, then: &str) -> Vec<Finding> {
    let scenario = format!(
        r#"{{"scenarios": [{{"id": "fails", "title": "Fails", "given": [], "run": {{"hook": "main.start"}}, "then": [{then}]}}]}}"#
    );
    let pack = MemoryPack::new("p")
        .with("pack.json", r#"{"format": 1, "id": "p", "version": "1.0.0", "api": 1, "title": "P", "kind": "game", "seats": {"min": 1, "max": 1}}"#)
        .with("factions.json", r#"{"factions": [{"id": "red", "playable": true, "group": "power", "color": "red"}]}"#)
        .with("phases.json", r#"{"phases": [{"id": "quiet", "run": "setup.nothing"}]}"#)
        .with("scripts/setup.lua", "local M = {}\nfunction M.nothing()\nend\nreturn M\n")
        .with("scripts/main.lua", script)
        .with("scenarios/a.json", scenario);
    let packs: Vec<Arc<dyn PackSource>> = vec![Arc::new(pack)];
    let game = load(&packs, &LoadOptions { search: Vec::new(), ..LoadOptions::default() }).expect("a sound pack");
    of_report(&game, &BrokenParts::default(), &[], &run_all(&game, None, false).expect("sound scripts")).findings
}

/// The line of a script that fails, and the line and words of the first label.
fn innermost_caller(script: &str) -> (usize, usize, String) {
    let found = findings_of(script, "");
    let [finding] = found.as_slice() else { panic!("one finding: {found:#?}") };
    let [label, ..] = finding.labels.as_slice() else { panic!("a label: {finding:#?}") };
    (finding.span.line, label.span.line, label.message.clone())
}

#[test]
fn a_failure_is_told_at_the_script_with_its_callers() {
    let found = findings("");
    let [finding] = found.as_slice() else { panic!("one finding: {found:#?}") };
    assert_eq!((finding.code.as_str(), finding.file.as_str(), finding.span.line), ("P0701", "p/scripts/main.lua", 3));
    let labels: Vec<_> = finding.labels.iter().map(|label| (label.file.as_str(), label.span.line)).collect();
    assert_eq!(labels, [("p/scripts/main.lua", 6), ("p/scenarios/a.json", 1)], "{finding:#?}");
    assert_eq!(finding.labels[0].message, "`helper` was called here");
}

#[test]
fn small_helpers_that_the_compiler_inlines_have_callers_too() {
    let script = "local M = {}
local function deeper(n)
  error(\"no \" .. n)
end
local function middle(n)
  deeper(n)
end
function M.start()
  middle(3)
end
return M
";
    let found = findings_of(script, "");
    let [finding] = found.as_slice() else { panic!("one finding: {found:#?}") };
    let labels: Vec<_> = finding.labels.iter().map(|label| (label.span.line, label.message.as_str())).collect();
    assert_eq!(
        (finding.span.line, labels.get(..2)),
        (3, Some([(6, "`deeper` was called here"), (9, "`middle` was called here")].as_slice())),
        "{finding:#?}"
    );
}

#[test]
fn a_helper_that_is_called_twice_has_its_function_as_caller() {
    let script = "local M = {}
local function deeper(n)
  error(\"no \" .. n)
end
function M.start()
  deeper(3)
  deeper(4)
end
return M
";
    assert_eq!(innermost_caller(script), (3, 5, "`deeper` was called in this function".to_owned()));
}

#[test]
fn anonymous_functions_are_callers_too() {
    let script = "local function deeper(n)
  error(\"no \" .. n)
end
local M = {}
M.start = function()
  deeper(3)
end
return M
";
    assert_eq!(innermost_caller(script), (2, 6, "`deeper` was called here".to_owned()));
}

#[test]
fn an_expectation_that_does_not_hold_is_told_at_the_scenario() {
    let found = findings(r#"{"error": "another story"}"#);
    let [finding] = found.as_slice() else { panic!("one finding: {found:#?}") };
    assert_eq!((finding.file.as_str(), finding.pointer.as_str()), ("p/scenarios/a.json", "/scenarios/0/then/0/error"));
    assert_eq!(finding.labels.len(), 1, "the line that failed: {finding:#?}");
}
