//! What changed between two versions of a game: both play games with the same seeds and players, and the difference of
//! every figure gets an interval. All intervals are right together in 95 of 100 comparisons, however many figures there
//! are. So a comparison of a version with itself finds nothing in at least 95 of 100 cases.

use std::collections::BTreeSet;

use principes_app::packs::OpenPacks;
use principes_app::setup::{Setup, SetupRequest};
use principes_app::words::Words;
use serde::Serialize;

use super::estimate::difference;
use super::figures::{Effect, Figure, Measured, Sample};
use super::record::GameRecord;
use super::report::{CONFIDENCE, Setting, names, rounded};
use super::run::{Games, Stopped};
use crate::numbers::factor;

/// One of the two versions.
pub struct Version<'a> {
    /// What the user calls it: a path, or a revision and a path.
    pub label: String,
    /// The game as this version has it.
    pub packs: &'a OpenPacks,
    /// How its games were set up.
    pub request: &'a SetupRequest,
    /// Its players.
    pub table: &'a Setup,
    /// What the games of this version gave.
    pub games: Games,
}

/// What changed between two versions.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonReport {
    /// The format of this report.
    pub format: &'static str,
    /// Raised when a field changes its meaning or disappears.
    pub version: u32,
    /// The old version.
    pub old: ComparedVersion,
    /// The new version.
    pub new: ComparedVersion,
    /// Whether both played the same seeds.
    pub paired: bool,
    /// The number of games of the new version from which the players took lessons before.
    pub lessons: u64,
    /// The number of games of each version that are compared.
    pub games: u64,
    /// Why no more were played.
    pub stopped: Stopped,
    /// How sure it is that all intervals are right together.
    pub confidence: f64,
    /// The number of figures with an interval.
    pub compared: usize,
    /// The number of figures that have changed.
    pub changed: usize,
    /// All figures.
    pub rows: Vec<DifferenceRow>,
}

/// A version in a report.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedVersion {
    /// What the user calls it.
    pub label: String,
    /// How its games were played.
    pub setting: Setting,
    /// The digest of all final states in the order of the games.
    pub state_hash: String,
    /// The number of failed games. They are not compared.
    pub faulty: u64,
}

/// A figure in both versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceRow {
    /// What is measured.
    pub group: Group,
    /// Which one: an id, a number or a keyword, as in the report of one game.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The figure of the old version.
    pub old: Option<f64>,
    /// The figure of the new version.
    pub new: Option<f64>,
    /// The new figure minus the old one.
    pub difference: Option<f64>,
    /// The ends of the interval of the difference.
    pub interval: Option<[f64; 2]>,
    /// What that means.
    pub verdict: Verdict,
}

/// What a figure measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// The win share of a faction.
    Faction,
    /// The win share of a place in the turn order.
    Place,
    /// The share of an ending.
    Ending,
    /// How long games are: in rounds, or in answers.
    Length,
    /// The win share of a leader, or of the last.
    Lead,
    /// What drawing a card does to the chance of winning.
    Draw,
    /// What goes with having a card at the end.
    Hold,
    /// What goes with playing a card.
    Play,
}

impl Group {
    /// Whether its figures are shares or differences of shares.
    pub fn is_share(self) -> bool {
        self != Group::Length
    }

    /// Whether its figures say what a card causes; `None` if they are not about cards.
    pub fn is_causal(self) -> Option<bool> {
        match self {
            Group::Draw => Some(true),
            Group::Hold | Group::Play => Some(false),
            _ => None,
        }
    }
}

/// What the interval of a difference means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The new figure is higher.
    Higher,
    /// The new figure is lower.
    Lower,
    /// The interval contains 0.
    NoDifference,
    /// There are too few games.
    TooFew,
    /// Only the old version has it.
    Gone,
    /// Only the new version has it.
    Added,
}

impl ComparisonReport {
    /// Compares the games of two versions, whose players took lessons from this many games of the new one.
    pub fn new(old: Version<'_>, new: Version<'_>, lessons: u64, paired: bool) -> ComparisonReport {
        let (first, second) = shared(&old.games.records, &new.games.records, paired);
        let samples = [(&old, &first), (&new, &second)]
            .map(|(version, records)| Sample::new(&version.packs.catalog, version.table, records));
        let words = [&old, &new].map(|version| version.packs.words("en"));
        let rows = differences(&samples, &words, paired);
        let side = |version: &Version<'_>| ComparedVersion {
            label: version.label.clone(),
            setting: Setting::new(version.packs, version.request, version.table),
            state_hash: version.games.state_hash.clone(),
            faulty: version.games.faulty,
        };
        ComparisonReport {
            format: "principes-balance-comparison",
            version: 1,
            old: side(&old),
            new: side(&new),
            paired,
            lessons,
            games: first.len().min(second.len()) as u64,
            stopped: if new.games.stopped == Stopped::Games { old.games.stopped } else { new.games.stopped },
            confidence: CONFIDENCE,
            compared: rows.iter().filter(|row| row.interval.is_some()).count(),
            changed: rows.iter().filter(|row| row.verdict.is_change()).count(),
            rows,
        }
    }
}

impl Verdict {
    /// Whether the figure is different.
    pub fn is_change(self) -> bool {
        matches!(self, Verdict::Higher | Verdict::Lower)
    }
}

/// The games to compare: with pairs, those whose partner was finished as well.
fn shared(old: &[GameRecord], new: &[GameRecord], paired: bool) -> (Vec<GameRecord>, Vec<GameRecord>) {
    if !paired {
        return (old.to_vec(), new.to_vec());
    }
    let numbers = |games: &[GameRecord]| games.iter().map(|game| game.number).collect::<BTreeSet<u64>>();
    let (left, right) = (numbers(old), numbers(new));
    let keep = |games: &[GameRecord], other: &BTreeSet<u64>| -> Vec<GameRecord> {
        games.iter().filter(|game| other.contains(&game.number)).cloned().collect()
    };
    (keep(old, &right), keep(new, &left))
}

/// The rows of all figures that either version has.
fn differences(samples: &[Sample<'_>; 2], words: &[Words; 2], paired: bool) -> Vec<DifferenceRow> {
    let all: BTreeSet<Figure> = samples.iter().flat_map(Sample::figures).collect();
    // If each place belongs to one faction, its share is that of the faction.
    let has_places = samples.iter().any(|sample| !sample.order_is_fixed());
    // A card that is drawn at random has a causal figure. The others of it would only make all intervals wider.
    let causal: BTreeSet<&String> = all
        .iter()
        .filter_map(|figure| match figure {
            Figure::Card(Effect::Draw, id) => Some(id),
            _ => None,
        })
        .collect();
    let counts = |figure: &&Figure| match figure {
        Figure::Place(_) => has_places,
        Figure::Card(Effect::Hold | Effect::Play, id) => !causal.contains(id),
        _ => true,
    };
    let measured: Vec<(&Figure, [Option<Measured>; 2])> = all
        .iter()
        .filter(counts)
        .map(|figure| (figure, [0, 1].map(|at: usize| samples[at].measure(figure))))
        .filter(|(_, both)| both.iter().any(Option::is_some))
        .collect();
    let is_enough = |both: &[Option<Measured>; 2]| both.iter().all(|one| one.as_ref().is_some_and(|one| one.is_enough));
    let z = factor(CONFIDENCE, measured.iter().filter(|(_, both)| is_enough(both)).count());
    let row = |(figure, both): &(&Figure, [Option<Measured>; 2])| {
        let (id, name) = names(&words[usize::from(both[1].is_some())], figure);
        let value = |at: usize| both[at].as_ref().filter(|one| one.is_enough).map(|one| rounded(one.estimate.value));
        let mut row = DifferenceRow {
            group: group(figure),
            id,
            name,
            old: value(0),
            new: value(1),
            difference: None,
            interval: None,
            verdict: Verdict::TooFew,
        };
        match both {
            [Some(old), Some(new)] if is_enough(both) => {
                let (difference, (low, high)) = difference(&old.estimate, &new.estimate, paired, z);
                row.difference = Some(rounded(difference));
                row.interval = Some([rounded(low), rounded(high)]);
                row.verdict = match () {
                    () if low > 0.0 => Verdict::Higher,
                    () if high < 0.0 => Verdict::Lower,
                    () => Verdict::NoDifference,
                };
            }
            [Some(_), None] => row.verdict = Verdict::Gone,
            [None, Some(_)] => row.verdict = Verdict::Added,
            _ => {}
        }
        row
    };
    measured.iter().map(row).collect()
}

fn group(figure: &Figure) -> Group {
    match figure {
        Figure::Faction(_) => Group::Faction,
        Figure::Place(_) => Group::Place,
        Figure::Ending(_) | Figure::NoWinner => Group::Ending,
        Figure::Rounds | Figure::Answers => Group::Length,
        Figure::Leader(_) | Figure::Comeback => Group::Lead,
        Figure::Card(Effect::Draw, _) => Group::Draw,
        Figure::Card(Effect::Hold, _) => Group::Hold,
        Figure::Card(Effect::Play, _) => Group::Play,
    }
}
