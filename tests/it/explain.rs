//! The examples of `principes explain` are correct: the wrong one causes its code and no other, the right one causes no
//! finding.
//!
//! They are checked as printed.

use std::collections::BTreeSet;

use crate::common::broken::Example;
use crate::common::program::{Place, json};
use principes_content::{LoadOptions, check};
use principes_core::bots::{self, Players, RandomBot};
use principes_core::{AnswerError, Game, GameConfig};
use principes_core::{FactionId, StartError};
use principes_findings::{EXPLANATIONS, Explanation};
use principes_scripting::LuaHost;

/// The codes that `check` finds without playing anything.
fn checked(example: &Example) -> Vec<(String, String)> {
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    let checked = check(&example.sources(), &options);
    let mut found: Vec<(String, String)> =
        checked.findings.iter().map(|finding| (finding.code.to_string(), finding.message.clone())).collect();
    // Some errors appear only at run time.
    if let Some(loaded) = checked.loaded {
        let host = loaded.host().expect("the scripts were loaded before");
        let config = GameConfig { seats: vec![FactionId::at(0), FactionId::at(1)], seed: 1, options: Vec::new() };
        let fault = match Game::new(loaded.catalog.clone(), host, config) {
            Ok(mut game) => {
                let mut players: Players<LuaHost> = Vec::new();
                for seat in [FactionId::at(0), FactionId::at(1)] {
                    players.push((seat, Box::new(RandomBot::new(1))));
                }
                loop {
                    match bots::step(&mut game, &mut players) {
                        Ok(true) => {}
                        Err(AnswerError::Script(error)) => break Some(error),
                        _ => break None,
                    }
                }
            }
            Err(StartError::Script(error)) => Some(error),
            Err(other) => panic!("{other}"),
        };
        found.extend(fault.map(|error| {
            let finding = loaded.script_finding(&error);
            (finding.code.to_string(), finding.message)
        }));
    }
    found
}

/// The codes that `principes check` finds in files on the disk, scenarios and games included.
fn played(example: &Example) -> Vec<(String, String)> {
    let place = Place::new();
    example.write(place.path());
    let report = json(&place.run(&["check", ".", "--until", "play", "--format", "json"]));
    let findings = report["findings"].as_array().expect("findings").iter();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    findings.map(|finding| (word(&finding["code"]), word(&finding["message"]))).collect()
}

fn findings(entry: &Explanation, printed: &str) -> Vec<(String, String)> {
    let example = Example::printed(printed);
    // Scenarios and games need the whole program; the rest is faster without it.
    if entry.code >= "P0700" { played(&example) } else { checked(&example) }
}

fn shown() -> impl Iterator<Item = &'static Explanation> {
    EXPLANATIONS.iter().filter(|entry| !entry.broken.is_empty())
}

#[test]
fn wrong_examples_have_their_fault_and_no_other() {
    let mut wrong = Vec::new();
    for entry in shown() {
        let found = findings(entry, &entry.broken);
        let codes: BTreeSet<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
        // The game fails with every seed.
        let once = found.len() == 1 || entry.code >= "P0700";
        if codes != BTreeSet::from([entry.code]) || !once {
            wrong.push(format!("{}: {found:?}", entry.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn right_examples_have_no_fault() {
    let mut wrong = Vec::new();
    for entry in shown() {
        let found = findings(entry, &entry.fixed);
        if !found.is_empty() {
            wrong.push(format!("{}: {found:?}", entry.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
