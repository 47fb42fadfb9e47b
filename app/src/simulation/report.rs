//! What a simulation says at its end, as data.

use std::collections::BTreeMap;

use principes_core::*;
use principes_scenarios::hook_name;
use principes_scripting::STEP_BUDGET;
use serde::Serialize;

use super::game::Fault;
use super::tally::Tally;
use crate::setup::Setup;

/// What a simulation says at its end.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Games played.
    pub games: u64,
    /// Answers in all of them.
    pub decisions: u64,
    /// Time taken, pauses left out.
    pub seconds: f64,
    /// Games a second, all workers together.
    pub games_per_second: f64,
    /// Answers a second, all workers together.
    pub decisions_per_second: f64,
    /// Digest of every final state in the order of the games.
    pub state_hash: String,
    /// How many games ended in which way.
    pub outcomes: BTreeMap<String, u64>,
    /// The seats, in seat order.
    pub seats: Vec<SeatReport>,
    /// How many games ended in which round, where rounds are counted.
    pub rounds: BTreeMap<i32, u64>,
    /// The cards that were played, by id.
    pub cards: BTreeMap<String, CardReport>,
    /// The hooks of the game.
    pub hooks: HookReport,
    /// Steps that the scripts took.
    pub steps: StepReport,
    /// How many games failed; `faults` has the first of them.
    pub faulty: u64,
    /// How many of those only took too many decisions or steps.
    pub unfinished: u64,
    /// The first games that failed.
    pub faults: Vec<Fault>,
}

/// What the scripts took of what they may.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// Steps of a game on average; what bots tried does not count.
    pub mean: u64,
    /// The most of one game.
    pub most: u64,
    /// What a game may take.
    pub limit: u64,
    /// The most of one call, bots' included.
    pub most_in_call: u64,
    /// What a call may take.
    pub call_limit: u64,
}

/// How a seat fared.
#[derive(Clone, Debug, Serialize)]
pub struct SeatReport {
    /// Id of its faction.
    pub faction: String,
    /// Who played it.
    pub bot: String,
    /// Games won.
    pub wins: u64,
    /// Share of games won, from 0 to 1.
    pub win_rate: f64,
    /// The interval of that share with 95 % confidence.
    pub ci95: [f64; 2],
}

/// How a card fared.
#[derive(Clone, Debug, Serialize)]
pub struct CardReport {
    /// Pairs of game and seat in which it was played.
    pub played: u64,
    /// Those that the seat won.
    pub won_when_played: u64,
}

/// Which hooks ran.
#[derive(Clone, Debug, Serialize)]
pub struct HookReport {
    /// Hooks of the game.
    pub declared: usize,
    /// Hooks that ran at least once.
    pub reached: usize,
    /// The names of the others.
    pub unreached: Vec<String>,
}

impl Report {
    /// The report on what was found in some seconds.
    pub fn new(catalog: &Catalog, table: &Setup, tally: &Tally, state_hash: String, seconds: f64) -> Report {
        let seats = table.players.iter().map(|(seat, player)| {
            let wins = tally.wins.get(seat).copied().unwrap_or(0);
            SeatReport {
                faction: catalog.id_of(Value::Faction(*seat)),
                bot: player.name(),
                wins,
                win_rate: round(wins as f64 / tally.games.max(1) as f64),
                ci95: wilson(wins, tally.games),
            }
        });
        let seats = seats.collect();
        let unreached: Vec<String> = (0..catalog.hooks.len())
            .filter(|at| tally.hooks.get(*at).is_none_or(|runs| *runs == 0))
            .map(|at| hook_name(catalog, HookId::at(at)))
            .collect();
        let cards = tally.cards.iter().map(|(design, (played, won))| {
            let report = CardReport { played: *played, won_when_played: *won };
            (catalog.designs[design.index()].id.clone(), report)
        });
        let outcomes = tally.outcomes.iter();
        Report {
            games: tally.games,
            decisions: tally.decisions,
            seconds: round(seconds),
            games_per_second: round(tally.games as f64 / seconds.max(1e-9)),
            decisions_per_second: round(tally.decisions as f64 / seconds.max(1e-9)),
            state_hash,
            outcomes: outcomes.map(|(cause, n)| (catalog.symbols.name(cause.index()).to_owned(), *n)).collect(),
            seats,
            rounds: tally.rounds.clone(),
            cards: cards.collect(),
            hooks: HookReport {
                declared: catalog.hooks.len(),
                reached: catalog.hooks.len() - unreached.len(),
                unreached,
            },
            steps: StepReport {
                mean: tally.steps / tally.games.max(1),
                most: tally.most_steps.0,
                limit: MOST_STEPS,
                most_in_call: tally.most_steps.1,
                call_limit: STEP_BUDGET,
            },
            faulty: tally.faulty,
            unfinished: tally.unfinished,
            faults: tally.faults.clone(),
        }
    }
}

fn round(x: f64) -> f64 {
    (x * 10_000.0).round() / 10_000.0
}

/// Wilson's interval: the interval of a rate with 95 % confidence.
fn wilson(wins: u64, games: u64) -> [f64; 2] {
    if games == 0 {
        return [0.0, 1.0];
    }
    let (n, z) = (games as f64, 1.96_f64);
    let p = wins as f64 / n;
    let middle = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    [round(((middle - half) / scale).max(0.0)), round(((middle + half) / scale).min(1.0))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_their_rate() {
        let [low, high] = wilson(25, 100);
        assert!(low < 0.25 && 0.25 < high && high - low < 0.18);
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
    }
}
