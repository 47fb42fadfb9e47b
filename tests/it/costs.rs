//! Small packs that are costly to check: each hits a budget, or is checked in linear time.
//!
//! `PRINCIPES_COSTS=FOLDER` writes all of them to a folder at full size; `.ci/costs` measures them there.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::common::{self, costly};
use principes_content::{LoadOptions, check};
use principes_findings::Code;
use principes_findings::budget::*;
use principes_model::Checked;
use principes_model::rulebook::{LivePart, parse};
use principes_scenarios::{Allowance, Past};
use principes_source::{MemoryPack, PackSource, folder};

fn write(root: &Path, files: costly::Files) {
    for (path, content) in files {
        let target = root.join(&path);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::write(target, costly::bytes(&path, content)).unwrap();
    }
}

/// The findings about a shape of some size.
fn checked(shape: &costly::Shape, size: usize, deadline: Deadline) -> Checked {
    let pack = costly::files(shape, size)
        .into_iter()
        .fold(MemoryPack::new(shape.0), |pack, (path, content)| pack.with(&path, costly::bytes(&path, content)));
    let packs: [Arc<dyn PackSource>; 2] = [folder(common::root().join("tests/hostile/arena")), Arc::new(pack)];
    check(&packs, &LoadOptions { search: Vec::new(), deadline, ..LoadOptions::default() })
}

fn shape(name: &str) -> &'static costly::Shape {
    costly::shapes().find(|shape| shape.0 == name).unwrap()
}

#[test]
fn costly_packs_can_be_written() {
    let names: BTreeSet<&str> = costly::shapes().map(|shape| shape.0).collect();
    assert_eq!(names.len(), costly::shapes().count(), "two shapes have the same name");
    let Some(folder) = std::env::var_os("PRINCIPES_COSTS").filter(|folder| !folder.is_empty()) else { return };
    for shape in costly::shapes() {
        write(&Path::new(&folder).join(shape.0), costly::files(shape, shape.1));
    }
}

#[test]
fn what_is_beyond_a_budget_is_told_with_its_number_and_place() {
    for (name, code, number) in [
        ("numbers", Code::BudgetExceeded, "200000 are allowed"),
        ("messages", Code::BudgetExceeded, "200000 are allowed"),
        ("patches-field", Code::BudgetExceeded, "200000 are allowed"),
        ("requires", Code::BudgetExceeded, "2501 other packs; at most 100 are allowed"),
        ("counters-cards", Code::TooManyEntities, "at most 250000 are allowed"),
        ("looks-arcs", Code::BudgetExceeded, "the pictures, fonts and paths of the looks are longer than 64 MiB"),
        ("looks-curves", Code::UnsafePicture, "it has more than 4000 parts; an arc counts as 12"),
        ("patches-add", Code::BudgetExceeded, "lists of at most 2000 items"),
        ("pins-where", Code::BudgetExceeded, "more than 20000000 entities"),
    ] {
        // Shapes that are read completely before they are refused are smaller here.
        let size = match name {
            "counters-cards" => 20,
            "patches-add" => 2_100,
            "pins-where" => 1_000,
            name => shape(name).1,
        };
        let findings = checked(shape(name), size, Deadline::NONE).findings;
        let told = findings.iter().find(|finding| finding.code == code);
        let told = told.unwrap_or_else(|| panic!("{name}: {findings:?}"));
        assert!(told.message.contains(number), "{name}: {}", told.message);
        assert!(told.help.is_some() && told.file.starts_with(name), "{name}: {}", told.file);
    }
    let findings = checked(shape("patches-field"), MOST_PATCHES + 1, Deadline::NONE).findings;
    assert!(findings.iter().any(|finding| finding.message.contains("more than 5000 patches")), "{findings:?}");
    let findings = checked(shape("findings-files"), 500, Deadline::NONE).findings;
    assert!(findings.len() <= MOST_FINDINGS + 1, "{}", findings.len());
    assert!(findings.iter().any(|finding| finding.message.contains("more than 2000 findings")));
    let findings = checked(shape("near-names"), 460, Deadline::NONE).findings;
    assert!(findings.iter().any(|finding| finding.message.contains("more than 200000 names")), "{findings:?}");
}

#[test]
fn edits_and_expectations_of_scenarios_count_as_steps() {
    for (name, part) in [
        ("scenarios-place", "`given` entry"),
        ("scenarios-remove", "`given` entry"),
        ("scenarios-clear", "`given` entry"),
        ("scenarios-sees", "`then` entry"),
        ("scenarios-calls", "`when` step"),
    ] {
        let checked = checked(shape(name), 8, Deadline::NONE);
        let loaded = checked.loaded.unwrap_or_else(|| panic!("{name}: {:?}", checked.findings));
        let allowance = Allowance { deadline: Deadline::NONE, steps: 100_000 };
        let plan = Past::default().plan(&loaded);
        let report = plan.run(&loaded, &mut Past::default(), allowance).unwrap();
        let last = report.results[0].failures.last().unwrap_or_else(|| panic!("{name}: nothing fails"));
        assert_eq!(
            last.message, "the scenario took more than 100000 steps; make it shorter, or its game smaller",
            "{name}"
        );
        assert!(last.part.to_string().contains(part), "{name}: {}", last.part);
        let late = Allowance { deadline: Deadline::over(), steps: u64::MAX };
        let plan = Past::default().plan(&loaded);
        let report = plan.run(&loaded, &mut Past::default(), late).unwrap();
        assert!(report.results.is_empty() && report.stopped.is_some(), "{name}");
    }
    let checked = checked(shape("scenarios-many"), 40, Deadline::NONE);
    let loaded = checked.loaded.unwrap();
    let allowance = Allowance { deadline: Deadline::NONE, steps: 100_000 };
    let report = Past::default().plan(&loaded).run(&loaded, &mut Past::default(), allowance).unwrap();
    let stopped = report.stopped.unwrap();
    assert!(report.results.len() < 40, "{}", report.results.len());
    assert!(stopped.message.contains("all scenarios together took more than 100000 steps"), "{}", stopped.message);
}

#[test]
fn sections_that_belong_to_no_scenario_are_counted_before_they_are_findings() {
    let checked = checked(shape("snapshots-sections"), 3 * MOST_FINDINGS, Deadline::NONE);
    let loaded = checked.loaded.unwrap_or_else(|| panic!("{:?}", checked.findings));
    assert_eq!(principes_scenarios::orphans(&loaded, "snapshots-sections").len(), MOST_FINDINGS);
}

#[test]
fn the_scenarios_of_the_base_game_take_few_of_the_allowed_steps() {
    let checked = check(&[folder(common::root().join("content/principes"))], &LoadOptions::default());
    let loaded = checked.loaded.unwrap_or_else(|| panic!("{:?}", checked.findings));
    let allowance = Allowance { deadline: Deadline::NONE, steps: MOST_SCENARIO_STEPS / 10 };
    let report = Past::default().plan(&loaded).run(&loaded, &mut Past::default(), allowance).unwrap();
    assert!(report.stopped.is_none(), "a tenth of the steps is used up");
    assert_eq!(report.results.len(), loaded.scenarios.len());
}

#[test]
fn every_shape_is_checked_without_a_budget_at_a_small_size() {
    for shape in costly::shapes() {
        let findings = checked(shape, shape.1.min(40), Deadline::NONE).findings;
        let beyond: Vec<_> = findings.iter().filter(|finding| finding.code == Code::BudgetExceeded).collect();
        assert!(beyond.is_empty() || shape.0 == "slips" || shape.0 == "languages", "{}: {beyond:?}", shape.0);
    }
}

#[test]
fn a_check_that_is_late_says_what_it_left_out() {
    let findings = checked(shape("counters-cards"), 10, Deadline::over()).findings;
    let late = findings.iter().find(|finding| finding.code == Code::BudgetExceeded).unwrap();
    assert!(late.message.contains("took longer than") && late.message.contains("left out"), "{}", late.message);
    assert!(late.help.as_deref().is_some_and(|help| help.contains("on a busy machine, try again")));
}

/// A number as documents write it: 20,000.
fn written(number: u64) -> String {
    let digits = number.to_string();
    let parts = digits.as_bytes().rchunks(3).rev().map(|part| String::from_utf8_lossy(part).into_owned());
    parts.collect::<Vec<_>>().join(",")
}

#[test]
fn the_budgets_of_the_page_are_those_of_the_code() {
    let page = std::fs::read_to_string(common::root().join("SECURITY.md")).unwrap();
    for (name, number) in [
        ("MOST_LIVE_PARTS", MOST_LIVE_PARTS as u64),
        ("MOST_EXHIBITS", MOST_EXHIBITS as u64),
        ("MOST_VALUES_IN_FILE", MOST_VALUES_IN_FILE as u64),
        ("MOST_VALUES", MOST_VALUES as u64),
        ("MOST_ENTITIES", MOST_ENTITIES as u64),
        ("MOST_PATCHES", MOST_PATCHES as u64),
        ("MOST_MESSAGES", MOST_MESSAGES as u64),
        ("MOST_IN_SERIES", principes_schemas::MOST_IN_SERIES as u64),
        ("MOST_KEYS_TRIED", MOST_KEYS_TRIED as u64),
        ("MOST_NAMED_PACKS", MOST_NAMED_PACKS as u64),
        ("MOST_CELLS", MOST_CELLS as u64),
        ("MOST_ITEMS", MOST_ITEMS as u64),
        ("MOST_PINNED", MOST_PINNED as u64),
        ("MOST_FINDINGS", MOST_FINDINGS as u64),
        ("MOST_LOOKS", MOST_LOOKS),
        ("MOST_PLAY_STEPS", MOST_PLAY_STEPS),
        ("MOST_COMPARISONS", MOST_COMPARISONS as u64),
        ("MOST_SCENARIO_STEPS", MOST_SCENARIO_STEPS),
        ("MOST_SECONDS", if cfg!(debug_assertions) { 15 } else { MOST_SECONDS }),
    ] {
        let cells = format!("| {} | `{name}` |", written(number));
        assert!(page.contains(&cells), "SECURITY.md has no row with {cells}");
    }
    for (name, bytes) in [("MOST_TEXT", MOST_TEXT), ("MOST_DRAWN", MOST_DRAWN)] {
        assert!(page.contains(&format!("| {} MiB | `{name}` |", bytes >> 20)), "{name}");
    }
    assert!(page.contains(&format!("| {} KiB | `MOST_RULES` |", MOST_RULES >> 10)), "MOST_RULES");
}

/// Values and keys of a JSON text.
fn values(json: &serde_json::Value) -> usize {
    use serde_json::Value;
    1 + match json {
        Value::Array(list) => list.iter().map(values).sum(),
        Value::Object(object) => object.values().map(|value| 1 + values(value)).sum(),
        _ => 0,
    }
}

/// The live parts of a rulebook that are counted.
fn live_parts(text: &str, is_counted: impl Fn(&LivePart) -> bool) -> usize {
    let mut count = 0;
    parse(text).each_live(&mut |placed| count += usize::from(is_counted(&placed.part)));
    count
}

#[test]
fn the_shares_of_the_page_are_those_of_the_base_game() {
    let base = folder(common::root().join("content/principes"));
    let files = base.list().unwrap().into_iter().filter(|path| path.ends_with(".json"));
    let files: Vec<(usize, serde_json::Value)> = files
        .map(|path| base.read(&path).unwrap())
        .map(|bytes| (bytes.len(), serde_json::from_slice(&bytes).unwrap()))
        .collect();
    let sizes: Vec<usize> = files.iter().map(|(_, json)| values(json)).collect();
    let of = |is_counted: &dyn Fn(&str) -> bool| -> usize {
        let families = files.iter().filter_map(|(_, json)| json.as_object()).flatten();
        let counted = families.filter(|(family, _)| is_counted(family)).map(|(_, list)| match list {
            serde_json::Value::Array(list) => list.len(),
            serde_json::Value::Object(object) => object.len(),
            _ => 0,
        });
        counted.sum()
    };
    let known = |family: &str| principes_schemas::Family::with_key(family).is_some();
    let books = base.list().unwrap().into_iter().filter(|path| path.ends_with(".md"));
    let books: Vec<String> = books.map(|path| String::from_utf8(base.read(&path).unwrap()).unwrap()).collect();
    let longest = |length: &dyn Fn(&str) -> usize| books.iter().map(|book| length(book)).max().unwrap();
    let is_exhibit =
        |part: &LivePart| part.stands_alone() && !matches!(part, LivePart::Help(_) | LivePart::Explains(_));
    let checked = check(&[base], &LoadOptions { search: Vec::new(), ..LoadOptions::default() });
    let page = std::fs::read_to_string(common::root().join("SECURITY.md")).unwrap();
    for (name, used, most) in [
        ("MOST_TEXT", files.iter().map(|(bytes, _)| bytes).sum(), MOST_TEXT),
        ("MOST_RULES", longest(&str::len), MOST_RULES),
        ("MOST_LIVE_PARTS", longest(&|book| live_parts(book, |_| true)), MOST_LIVE_PARTS),
        ("MOST_EXHIBITS", longest(&|book| live_parts(book, is_exhibit)), MOST_EXHIBITS),
        ("MOST_VALUES_IN_FILE", sizes.iter().copied().max().unwrap(), MOST_VALUES_IN_FILE),
        ("MOST_VALUES", sizes.iter().sum(), MOST_VALUES),
        ("MOST_ENTITIES", of(&|family| known(family) && family != "messages"), MOST_ENTITIES),
        ("MOST_PATCHES", of(&|family| family == "patches"), MOST_PATCHES),
        ("MOST_MESSAGES", of(&|family| family == "messages"), MOST_MESSAGES),
        ("MOST_FINDINGS", checked.findings.len(), MOST_FINDINGS),
    ] {
        let row = page.lines().find(|line| line.contains(&format!("`{name}`"))).unwrap();
        let share = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap().trim();
        let told: f64 = share.strip_suffix(" %").unwrap().parse().unwrap();
        let is = 100.0 * used as f64 / most as f64;
        // A few more cards are no reason to edit the page.
        assert!(
            (told - is).abs() <= 1.0,
            "SECURITY.md says that the base game uses {share} of {name}; it uses {is:.1} %"
        );
    }
}
