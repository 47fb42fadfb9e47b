//! A table of typical mistakes, each planted in the base game and in a small extension: what `check` reports, alone and
//! together with another mistake, and edits that cause no finding.
//!
//! The table is in `tests/mistakes/*.txt`; `table.rs` describes its form.

mod planted;
mod snapshots;
mod table;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use crate::common::program;
use parking_lot::Mutex;
use planted::{Home, Planted};
use principes_app::workers::{self, WorkerError};
use principes_author::check::{Findings, Reach, check_table};
use principes_content::{LoadOptions, Stage};
use principes_findings::Finding;
use principes_scenarios::Past;
use principes_source::PackSource as _;
use table::{Entry, Expected, Planting, read_table};

/// The number of additional findings that may be consequences of a mistake.
const MOST_CONSEQUENCES: usize = 3;

/// The number of kinds of mistakes in the base game that may have consequences.
const MOST_WITH_CONSEQUENCES: usize = 1;

/// The cache of all checks, so that unchanged files are read once.
static KNOWN: LazyLock<Known> = LazyLock::new(Known::new);

/// Known results of files and scenarios, for the next check of the same pack.
struct Known {
    options: LoadOptions,
    pasts: [Mutex<Vec<Past>>; 2],
}

impl Known {
    fn new() -> Self {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let options = LoadOptions { search: vec![root.join("content"), root.join("mods")], ..LoadOptions::default() };
        Known { options, pasts: Default::default() }
    }

    fn check(&self, home: Home, pack: Planted) -> Findings {
        let reach = Reach { until: Stage::Scenarios, together: false };
        let pasts = &self.pasts[home as usize];
        let past = pasts.lock().pop().unwrap_or_default();
        let mut found = Findings { past, ..Findings::default() };
        let checked = check_table(&[Arc::new(pack)], reach, &self.options, &mut found);
        checked.unwrap_or_else(|error| panic!("{error}"));
        pasts.lock().push(std::mem::take(&mut found.past));
        found
    }
}

/// A mistake with which every other one is combined: where it is planted in each pack, its code and its line.
fn companion(home: Home) -> (Planting, Expected) {
    let text = match home {
        Home::Base => "base bots/bots.lua\n-return M\n+function M.lost() «lgo»(1) end\n+\n+return M\n",
        Home::Small => "small idle.lua\n+local M = {}\n+\n+function M.lost() «lgo»(1) end\n+\n+return M\n",
    };
    let entry = Entry::read(&format!("# companion\ncode P0310\n{text}"), "companion");
    let (_, planting) = entry.plantings.into_iter().next().expect("one");
    (planting, Expected { code: entry.code })
}

/// What is wrong with the findings about a single mistake.
fn judge(entry: &Entry, home: Home, planting: &Planting, found: &[Finding], others: &[&Expected]) -> Vec<String> {
    let mut wrong = Vec::new();
    let is_it = |finding: &&Finding| finding.code.as_str() == entry.code && planting.is_at(home, finding);
    let Some(at) = found.iter().position(|finding| is_it(&finding)) else {
        wrong.push(format!("no {} at {}", entry.code, planting.place(home)));
        return wrong;
    };
    let finding = &found[at];
    let notes = finding.labels.iter().map(|label| label.message.as_str());
    let words = [finding.message.as_str(), finding.help.as_deref().unwrap_or_default()];
    let words = words.into_iter().chain(notes).collect::<Vec<_>>().join("\n");
    wrong.extend(
        entry.says.iter().filter(|said| !words.contains(said.as_str())).map(|said| format!("it does not say {said:?}")),
    );
    if finding.severity != finding.code.severity() {
        wrong.push("another severity".to_owned());
    }
    let is_other = |finding: &Finding| others.iter().any(|other| other.code == finding.code.as_str());
    let before = found[..at].iter().filter(|finding| !is_other(finding));
    wrong.extend(before.map(|other| format!("{} at {}:{} comes first", other.code, other.file, other.span.line)));
    if found.len() > 1 + others.len() + MOST_CONSEQUENCES {
        wrong.push(format!("{} findings", found.len()));
    }
    wrong
}

fn tell(found: &[Finding]) -> String {
    let line = |finding: &Finding| {
        format!(
            "\n      {} {}:{}:{} {} · {} · {}",
            finding.code,
            finding.file,
            finding.span.line,
            finding.span.column,
            finding.message,
            finding.help.as_deref().unwrap_or("-"),
            finding.note().unwrap_or_default()
        )
    };
    found.iter().take(8).map(line).collect()
}

/// Tries all entries, alone or beside another mistake. Returns what is wrong, and the mistakes in the base game that
/// have consequences.
fn trial(entries: &[Entry], beside: bool) -> (Vec<String>, Vec<String>) {
    let only = std::env::var("PRINCIPES_MISTAKE").ok();
    let mut jobs: Vec<Job<'_>> = entries
        .iter()
        .filter(|entry| only.as_ref().is_none_or(|only| entry.title.contains(only.as_str())))
        .flat_map(|entry| {
            entry.plantings.iter().map(move |(home, planting)| (entry, *home, planting, Vec::new(), None))
        })
        .collect();
    let trial = |(entry, home, planting, wrong, more): &mut Job<'_>| {
        let (companion, other) = companion(*home);
        let mut pack = Planted::new(*home);
        planting.plant(&mut pack);
        let is_beside = beside && !entry.blocks;
        if is_beside {
            companion.plant(&mut pack);
        }
        let result = KNOWN.check(*home, pack);
        let found = result.findings.as_slice();
        let others = [&other];
        let is_alone = found.len() <= 1 + usize::from(is_beside);
        *more = (*home == Home::Base && !is_alone).then(|| format!("{}{}", entry.title, tell(found)));
        let is_silent = entry.code == "none";
        let mut said = match is_silent {
            true => Vec::new(),
            false => judge(entry, *home, planting, found, &others[..usize::from(is_beside)]),
        };
        let is_it = |finding: &Finding| finding.code.as_str() == entry.code;
        let is_error = found.iter().any(|finding| is_it(finding) && finding.is_error());
        let is_error = is_error || is_beside || entry.fails.contains(home);
        let (fails, fails_strictly) = (is_error, is_beside || !is_silent);
        if (result.fails(false), result.fails(true)) != (fails, fails_strictly) {
            said.push("another exit code".to_owned());
        }
        if is_silent && found.len() > usize::from(is_beside) {
            said.push("it causes a finding".to_owned());
        }
        if is_beside
            && !found.iter().any(|finding| finding.code.as_str() == other.code && companion.is_at(*home, finding))
        {
            said.push("the other mistake is not found".to_owned());
        }
        if !said.is_empty() {
            wrong.push(format!("{} in {home:?}: {}{}", entry.title, said.join("; "), tell(found)));
        }
        Ok::<_, WorkerError>(())
    };
    workers::each(workers::cores(), &mut jobs, trial).unwrap();
    let mut all = (Vec::new(), Vec::new());
    for (.., wrong, more) in jobs {
        all.0.extend(wrong);
        all.1.extend(more);
    }
    all
}

/// A mistake in one pack, what is wrong with its findings, and its consequences.
type Job<'e> = (&'e Entry, Home, &'e Planting, Vec<String>, Option<String>);

#[track_caller]
fn pass(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} entries fail:\n{}", wrong.len(), wrong.join("\n"));
}

/// A part of the table, with entries of every file.
fn sample() -> Vec<Entry> {
    read_table().into_iter().step_by(9).collect()
}

#[test]
fn some_mistakes_are_found_alone_and_beside_another() {
    pass(&trial(&sample(), false).0);
    pass(&trial(&sample(), true).0);
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn every_mistake_alone_is_found_where_it_is_and_its_consequences_are_few() {
    let (wrong, more) = trial(&read_table(), false);
    eprintln!("{} mistakes in the base game have consequences:\n{}", more.len(), more.join("\n"));
    pass(&wrong);
    assert!(more.len() <= MOST_WITH_CONSEQUENCES, "{} have consequences:\n{}", more.len(), more.join("\n"));
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn every_mistake_is_found_beside_another() {
    pass(&trial(&read_table(), true).0);
}

/// Several places agree on another name than the declaration, so only the declaration is wrong.
#[test]
fn fixes_of_misspelled_declarations_undo_them() {
    let table = read_table();
    let mut tried = 0;
    for entry in table.iter().filter(|entry| entry.restores) {
        for (home, planting) in &entry.plantings {
            let mut pack = Planted::new(*home);
            planting.plant(&mut pack);
            assert!(!pack.changed().is_empty());
            let found = KNOWN.check(*home, pack).findings;
            let mut pack = Planted::new(*home);
            planting.plant(&mut pack);
            pack.fix(&found);
            assert_eq!(pack.changed(), Vec::<&str>::new(), "{} in {home:?}:{}", entry.title, tell(&found));
            tried += 1;
        }
    }
    assert!(tried >= 10, "{tried}");
}

/// A name that several places agree on, although nothing declares it, may be new.
#[test]
fn no_fix_changes_several_places_that_agree() {
    for (planted, count) in [
        ("court/cards.lua\n-counter.kingless, 1\n+counter.kinglss, 1", 1),
        ("court/cards.lua\n-counter.kingless, 1\n+counter.kinglss, get(counter.kinglss, seat)", 2),
        ("court/cards.lua\n-gain(counter.clergy, self.clergy\n+gain(counter.clergy, self.clregy + self.clregy", 2),
        ("court/cards.lua\n-pieces{kind = kind.footman,\n+pieces{kind = kind.fotman or kind.fotman,", 2),
    ] {
        let entry = Entry::read(&format!("# agree\ncode none\nbase {planted}\n"), "agree");
        let mut pack = Planted::new(Home::Base);
        entry.plantings[0].1.plant(&mut pack);
        let found = KNOWN.check(Home::Base, pack).findings;
        let fixes = found.iter().filter(|finding| finding.fix.is_some()).count();
        assert_eq!((found.len(), fixes), (count, usize::from(count == 1)), "{planted}:{}", tell(&found));
    }
}

/// Nothing is known about what an empty file declared, but scripts are checked.
#[test]
fn an_empty_file_hides_no_mistake_in_a_script() {
    for (empty, planted, code) in [
        (
            "court/cards.json",
            "court/cards.lua\n-set(counter.kingless, 1, seat)\n+set(counter.kinless, 1, seat)",
            "P0305",
        ),
        (
            "court/cards.json",
            "court/cards.lua\n-counter.clergy, self.clergy, seat\n+counter.clergy, lgo(), seat",
            "P0310",
        ),
        ("round/phases.json", "battle/cards.lua\n-counter.clergy, self\n+counter.cleryg, self", "P0305"),
        ("court/cards.en.json", "hand/hand.lua\n-zone.hand\n+zone.hnad", "P0305"),
    ] {
        let entry = Entry::read(&format!("# empty\ncode none\nbase {planted}\n"), "empty");
        let mut pack = Planted::new(Home::Base);
        pack.replace(empty, "", "");
        entry.plantings[0].1.plant(&mut pack);
        let found = KNOWN.check(Home::Base, pack).findings;
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["P0005", code], "{empty}, {planted}:{}", tell(&found));
    }
}

/// What a finding about a message explains is no finding about its stored text.
#[test]
fn changed_texts_are_a_consequence_of_what_is_said_about_their_messages() {
    let message = "tiles/cards.en.json\n-\"card.town-law.title\": \"Town Law\",\n+";
    for (to, codes) in [
        ("\"card.town-law.title\": \"Town Law\",\n+\"card.village-law.title\": \"Village Law\",", &["P0602"][..]),
        ("\"card.village-law.title\": \"Village Law\",", &["P0602", "P0601"]),
        ("\"card.town-law.title\": \"Town Laws\",", &["P0710"]),
        ("\"card.town-law.title\": \"Town Laws\",\n+\"card.village-law.title\": \"Village Law\",", &["P0602", "P0710"]),
    ] {
        let entry = Entry::read(&format!("# texts\ncode none\nbase {message}{to}\n"), "texts");
        let mut pack = Planted::new(Home::Base);
        entry.plantings[0].1.plant(&mut pack);
        let found = KNOWN.check(Home::Base, pack).findings;
        // Transcripts of scenarios name the card, too.
        let of_texts = found.iter().map(|finding| finding.code.as_str()).filter(|code| *code != "P0702");
        assert_eq!(of_texts.collect::<Vec<_>>(), codes, "{to}:{}", tell(&found));
        let is_held = found.iter().any(|finding| finding.note().is_some());
        assert_eq!(is_held, !codes.contains(&"P0710"), "{to}:{}", tell(&found));
    }
}

/// Keys of messages begin with `kind`, although findings say `kind of piece`.
#[test]
fn a_missing_name_of_a_kind_explains_its_stored_text() {
    let entry = "# texts\ncode none\nbase pieces/pieces.en.json\n-\"kind.knight\": \"Knight\",\n+\n";
    let mut pack = Planted::new(Home::Base);
    Entry::read(entry, "texts").plantings[0].1.plant(&mut pack);
    let found = KNOWN.check(Home::Base, pack).findings;
    let codes: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).filter(|code| *code != "P0702").collect();
    assert_eq!(codes, ["P0601"], "{}", tell(&found));
}

/// Much depends on these, but only the cause is reported.
#[test]
fn causes_that_many_things_depend_on_are_reported_alone() {
    for planted in [
        "table/zones.json\n-\"id\": \"hand\"\n+\"id\": «\"hnad\"",
        "map/polonia-minor.json\n-\"id\": \"cracovia\"\n+\"id\": «\"crakovia\"",
        "war/march.lua\n-return M\n+«ad(1)\n+return M",
    ] {
        let entry = Entry::read(&format!("# cause\ncode none\nbase {planted}\n"), "causes");
        let mut pack = Planted::new(Home::Base);
        entry.plantings[0].1.plant(&mut pack);
        let found = KNOWN.check(Home::Base, pack).findings;
        assert_eq!(found.len(), 1, "{planted}:{}", tell(&found));
    }
}

#[test]
fn the_program_ends_with_the_exit_code_of_what_it_found() {
    let table = read_table();
    let exit_codes = |title: &str| {
        let place = program::Place::new();
        let mut pack = Planted::new(Home::Small);
        let entry = table.iter().find(|entry| entry.title == title).unwrap();
        let (_, planting) = entry.plantings.iter().find(|(home, _)| *home == Home::Small).unwrap();
        planting.plant(&mut pack);
        for path in pack.list().unwrap() {
            let file = place.file("pack").join(&path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, pack.read(&path).unwrap()).unwrap();
        }
        let run = |more: &[&str]| program::code(&place.run(&[&["check", "pack"], more].concat()));
        (run(&[]), run(&["--deny", "warnings"]))
    };
    assert_eq!(exit_codes("a comment in a script"), (0, 0));
    assert_eq!(exit_codes("a file that nothing reads"), (0, 1));
    assert_eq!(exit_codes("a zone that does not exist"), (1, 1));
}

#[test]
fn the_table_is_wide() {
    let table = read_table();
    let titles: BTreeSet<&str> = table.iter().map(|entry| entry.title.as_str()).collect();
    assert_eq!(titles.len(), table.len(), "two entries have the same title");
    let (silent, mistakes): (Vec<&Entry>, Vec<&Entry>) = table.iter().partition(|entry| entry.code == "none");
    let both = |entry: &&Entry| entry.plantings.len() == 2;
    let whole = mistakes.iter().copied().filter(both).count();
    assert!(whole >= 100, "{whole} mistakes are planted in both packs");
    let base = mistakes.iter().filter(|entry| entry.plantings.iter().any(|(home, _)| *home == Home::Base)).count();
    assert!(base >= 125, "{base} mistakes are planted in the base game");
    assert!(silent.len() >= 20, "{} silent edits", silent.len());
}
