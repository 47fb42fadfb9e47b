//! Whether the games keep what the designer promises. A promise is kept if the interval of its figure is wholly within
//! its range, refuted if it is wholly outside, and open otherwise. All intervals of a set of promises are right together
//! in 95 of 100 cases, so at most 5 of 100 runs call a promise kept that is not: none passes by luck.

use std::collections::BTreeMap;

use principes_app::players::PlayerError;
use principes_app::setup::{Player, SetupRequest};
use principes_app::words::Words;
use principes_findings::hint_for;
use principes_model::{PromiseRange, Promises};
use serde::Serialize;

use super::digits::{percent, points};
use super::figures::{Effect, Figure, Measured, Sample};
use super::report::{CONFIDENCE, names, rounded};
use crate::numbers::factor;

/// The result of a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// The whole interval is within the promise.
    Kept,
    /// There are not enough games to know.
    Open,
    /// The whole interval is outside.
    Refuted,
}

/// The results of a set of promises.
#[derive(Clone, Debug, Serialize)]
pub struct Gate {
    /// The id of the set.
    pub id: String,
    /// The worst result.
    pub result: Kept,
    /// One row for each promise of the set.
    pub promises: Vec<PromiseRow>,
}

/// A promise and its result.
#[derive(Clone, Debug, Serialize)]
pub struct PromiseRow {
    /// Which one: the field of the set, and the faction or ending.
    pub id: String,
    /// The promise in words.
    pub promise: String,
    /// What the games say, in words.
    pub found: String,
    /// Whether the games keep it, refute it, or are too few.
    pub result: Kept,
}

/// Why no set of promises can be tested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromiseError {
    /// The packs promise nothing.
    #[error("these packs promise nothing; write a `balance.json`")]
    None,
    /// There are several sets.
    #[error("these packs have several sets of promises; name one with --gate=ID: {}", .0.join(", "))]
    Several(Vec<String>),
    /// No set has this id.
    #[error("no set of promises has the id `{id}`; the packs have: {}{}", known.join(", "), hint_for(id, known.iter().map(String::as_str)))]
    Unknown {
        /// The requested id.
        id: String,
        /// The ids there are.
        known: Vec<String>,
    },
    /// The bot is unknown.
    #[error(transparent)]
    Bot(#[from] PlayerError),
}

/// The set of promises with an id. Without an id, the only one.
///
/// # Errors
/// [`PromiseError`].
pub fn find<'p>(all: &[&'p Promises], id: Option<&str>) -> Result<&'p Promises, PromiseError> {
    let known = || all.iter().map(|promises| promises.id.to_string()).collect();
    match (id, all) {
        (_, []) => Err(PromiseError::None),
        (None, [only]) => Ok(only),
        (None, _) => Err(PromiseError::Several(known())),
        (Some(id), _) => {
            let found = all.iter().find(|promises| promises.id.as_str() == id);
            found.copied().ok_or_else(|| PromiseError::Unknown { id: id.to_owned(), known: known() })
        }
    }
}

/// How the games of a set of promises are set up.
///
/// # Errors
/// [`PromiseError::Bot`].
pub fn request(promises: &Promises, usual: Player, seed: u64) -> Result<SetupRequest, PromiseError> {
    let player = promises.bots.as_deref().map_or(Ok(usual), str::parse)?;
    let mut request = SetupRequest::all(player, seed);
    request.players = promises.players.map(usize::from);
    request.variant = promises.variant.as_ref().map(ToString::to_string);
    request.options = promises.options.0.clone();
    Ok(request)
}

/// A figure that must be in a range, after it was multiplied.
struct Demand {
    id: String,
    promise: String,
    figure: Figure,
    times: f64,
    least: f64,
    most: f64,
    unit: Unit,
}

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Percent,
    Times,
    Number,
    Points,
}

/// Judges the promises.
pub fn judge(sample: &Sample<'_>, promises: &Promises, words: &Words) -> Gate {
    let demands = demands(sample, promises, words);
    let z = factor(CONFIDENCE, demands.len());
    let mut rows: Vec<PromiseRow> = Vec::new();
    let mut cards: Vec<(Kept, String)> = Vec::new();
    for demand in &demands {
        let row = demand.row(sample.measure(&demand.figure).as_ref(), z);
        if demand.unit == Unit::Points {
            cards.push((row.result, format!("{} {}", names(words, &demand.figure).1, row.found)));
        } else {
            rows.push(row);
        }
    }
    if let Some(most) = promises.cards {
        rows.push(of_cards(most, &cards));
    }
    let result = rows.iter().map(|row| row.result).max().unwrap_or(Kept::Open);
    Gate { id: promises.id.to_string(), result, promises: rows }
}

/// All figures that the promises are about.
fn demands(sample: &Sample<'_>, promises: &Promises, words: &Words) -> Vec<Demand> {
    let figures = sample.figures();
    let mut demands: Vec<Demand> = Vec::new();
    let mut demand = |id: String, figure: &Figure, range: PromiseRange, unit: Unit| {
        let name = names(words, figure).1;
        let (least, most) = (range.least.map(f64::from), range.most.map(f64::from));
        let scale = if unit == Unit::Number { 1.0 } else { 0.01 };
        let promise = match (unit, figure) {
            (Unit::Number, _) => format!("{} {name} on average", ends(range, "")),
            (_, Figure::Ending(_)) => format!("{} of the games end by {name}", ends(range, " %")),
            _ => format!("{name} wins {} of the games", ends(range, " %")),
        };
        demands.push(Demand {
            id,
            promise,
            figure: figure.clone(),
            times: 1.0,
            least: least.map_or(f64::NEG_INFINITY, |end| end * scale),
            most: most.map_or(f64::INFINITY, |end| end * scale),
            unit,
        });
    };
    let own: BTreeMap<&String, PromiseRange> = promises.factions.0.iter().map(|(id, range)| (id, *range)).collect();
    for figure in &figures {
        let Figure::Faction(id) = figure else { continue };
        if let Some(range) = own.get(id).copied().or(promises.shares) {
            demand(format!("factions/{id}"), figure, range, Unit::Percent);
        }
    }
    for (id, range) in own.iter().filter(|(id, _)| !figures.contains(&Figure::Faction((**id).clone()))) {
        // A faction that does not play keeps no promise.
        demand(format!("factions/{id}"), &Figure::Faction((*id).clone()), *range, Unit::Percent);
    }
    for (cause, range) in &promises.endings.0 {
        demand(format!("endings/{cause}"), &Figure::Ending(cause.clone()), *range, Unit::Percent);
    }
    for (id, figure, range) in
        [("rounds", Figure::Rounds, promises.rounds), ("answers", Figure::Answers, promises.answers)]
    {
        if let Some(range) = range {
            demand(id.to_owned(), &figure, range, Unit::Number);
        }
    }
    if let Some(most) = promises.first {
        let most = f64::from(most) / 100.0;
        demands.push(Demand {
            id: "first".to_owned(),
            promise: format!("the first seat wins at most {most:.2} times as often as the mean"),
            figure: Figure::Place(1),
            times: sample.seats() as f64,
            least: f64::NEG_INFINITY,
            most,
            unit: Unit::Times,
        });
    }
    if let Some(most) = promises.cards {
        let most = f64::from(most) / 100.0;
        let drawn = figures.iter().filter(|figure| matches!(figure, Figure::Card(Effect::Draw, _)));
        demands.extend(drawn.map(|figure| Demand {
            id: String::new(),
            promise: String::new(),
            figure: figure.clone(),
            times: 1.0,
            least: -most,
            most,
            unit: Unit::Points,
        }));
    }
    demands
}

/// A range in words.
fn ends(range: PromiseRange, unit: &str) -> String {
    match (range.least, range.most) {
        (Some(least), Some(most)) => format!("{least} to {most}{unit}"),
        (Some(least), None) => format!("at least {least}{unit}"),
        (None, Some(most)) => format!("at most {most}{unit}"),
        (None, None) => "any number".to_owned(),
    }
}

impl Demand {
    fn row(&self, measured: Option<&Measured>, z: f64) -> PromiseRow {
        let interval = measured.filter(|measured| measured.is_enough).map(|measured| {
            let (low, high) = measured.estimate.interval(z);
            (rounded(low * self.times), rounded(high * self.times))
        });
        let number = |x: f64| match self.unit {
            Unit::Percent => percent(x),
            Unit::Times => format!("{x:.2}"),
            Unit::Number => format!("{x:.1}"),
            Unit::Points => points(x),
        };
        let (result, found) = match interval {
            None if measured.is_none() => (Kept::Open, "these games do not show it".to_owned()),
            None => (Kept::Open, "too few games to say".to_owned()),
            Some((low, high)) => {
                let result = match () {
                    () if low > self.most || high < self.least => Kept::Refuted,
                    () if low >= self.least && high <= self.most => Kept::Kept,
                    () => Kept::Open,
                };
                (result, format!("{} to {}", number(low), number(high)))
            }
        };
        PromiseRow { id: self.id.clone(), promise: self.promise.clone(), found, result }
    }
}

/// The result of the promise about all cards.
fn of_cards(most: u32, cards: &[(Kept, String)]) -> PromiseRow {
    let with = |wanted: Kept| -> Vec<&str> {
        cards.iter().filter(|(result, _)| *result == wanted).map(|(_, found)| found.as_str()).collect()
    };
    let (refuted, open) = (with(Kept::Refuted), with(Kept::Open));
    let (result, found) = match () {
        () if cards.is_empty() => (Kept::Open, "no card is drawn at random".to_owned()),
        () if !refuted.is_empty() => (Kept::Refuted, refuted.join(", ")),
        () if !open.is_empty() => (Kept::Open, format!("open for {} of {} cards", open.len(), cards.len())),
        () => (Kept::Kept, format!("true of all {} cards that are drawn at random", cards.len())),
    };
    let promise = format!("drawing a card changes the chance of winning by at most {most} points");
    PromiseRow { id: "cards".to_owned(), promise, found, result }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::estimate::Estimate;

    fn result(hits: usize, games: usize, least: f64, most: f64) -> Kept {
        let estimate = Estimate::share(&(0..games).map(|at| Some(at < hits)).collect::<Vec<_>>());
        let measured = Measured { estimate, events: games as u64, games: games as u64, is_enough: true };
        let (id, promise) = (String::new(), String::new());
        let demand = Demand { id, promise, figure: Figure::NoWinner, times: 1.0, least, most, unit: Unit::Percent };
        demand.row(Some(&measured), factor(CONFIDENCE, 1)).result
    }

    #[test]
    fn a_promise_is_kept_refuted_or_open() {
        assert_eq!(result(500, 2_000, 0.2, 0.3), Kept::Kept);
        assert_eq!(result(5, 20, 0.2, 0.3), Kept::Open, "the estimate alone is never enough");
        assert_eq!(result(400, 2_000, 0.2, 0.3), Kept::Open, "the interval crosses the end");
        assert_eq!(result(700, 2_000, 0.2, 0.3), Kept::Refuted);
        assert_eq!(result(100, 2_000, 0.2, f64::INFINITY), Kept::Refuted);
    }
}
