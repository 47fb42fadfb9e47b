//! The report of a simulation, as data.

use std::collections::BTreeMap;

use principes_app::setup::Setup;
use principes_core::*;
use principes_scenarios::hook_name;
use principes_scripting::STEP_BUDGET;
use schemars::JsonSchema;
use serde::Serialize;

use super::game::Fault;
use super::tally::Tally;
use crate::numbers::{factor, wilson};

/// What `sim` says about many games, as data.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SimulationReport {
    /// The number of games.
    pub games: u64,
    /// The number of answers in all games.
    pub decisions: u64,
    /// The time taken, without pauses.
    pub seconds: f64,
    /// Games per second, over all workers.
    pub games_per_second: f64,
    /// Answers per second, over all workers.
    pub decisions_per_second: f64,
    /// The digest of all final states in the order of the games.
    pub state_hash: String,
    /// The number of games for each outcome.
    pub outcomes: BTreeMap<String, u64>,
    /// The seats, in seat order.
    pub seats: Vec<SeatReport>,
    /// The number of games that ended in each round, if rounds are counted.
    pub rounds: BTreeMap<i32, u64>,
    /// The cards that were played, by id.
    pub cards: BTreeMap<String, CardReport>,
    /// The hooks of the game.
    pub hooks: HookReport,
    /// The steps of the scripts.
    pub steps: StepReport,
    /// The number of failed games. `faults` lists the first ones.
    pub faulty: u64,
    /// The number of failed games that only took too many answers or steps.
    pub unfinished: u64,
    /// The first failed games.
    pub faults: Vec<Fault>,
}

/// The steps of scripts, and their limits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StepReport {
    /// The mean over games. Steps of bots that try out options do not count.
    pub mean: u64,
    /// The most steps of one game.
    pub most: u64,
    /// The limit for a game.
    pub limit: u64,
    /// The most steps of one call, including calls of bots.
    pub most_in_call: u64,
    /// How many steps one call may take.
    pub call_limit: u64,
}

/// The results of a seat.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeatReport {
    /// The id of its faction.
    pub faction: String,
    /// The bot that played it.
    pub bot: String,
    /// The number of games won.
    pub wins: u64,
    /// The share of games won, from 0 to 1.
    pub win_rate: f64,
    /// The 95 % confidence interval of that share.
    pub ci95: [f64; 2],
}

/// The results of a card.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CardReport {
    /// The number of pairs of game and seat in which it was played.
    pub played: u64,
    /// The number of those in which the seat won.
    pub won_when_played: u64,
}

/// The hooks that ran.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HookReport {
    /// The number of hooks in the game.
    pub declared: usize,
    /// The number of hooks that ran at least once.
    pub reached: usize,
    /// The names of the others.
    pub unreached: Vec<String>,
}

impl SimulationReport {
    /// The report for a tally and a time.
    pub fn new(catalog: &Catalog, table: &Setup, tally: &Tally, state_hash: String, seconds: f64) -> SimulationReport {
        let seats = table.players.iter().map(|(seat, player)| {
            let wins = tally.wins.get(seat).copied().unwrap_or(0);
            SeatReport {
                faction: catalog.id_of(Value::Faction(*seat)),
                bot: player.name(),
                wins,
                win_rate: round(wins as f64 / tally.games.max(1) as f64),
                ci95: interval(wins, tally.games),
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
        SimulationReport {
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

/// Wilson's 95 % confidence interval of a rate.
fn interval(wins: u64, games: u64) -> [f64; 2] {
    let (low, high) = wilson(wins, games, factor(0.95, 1));
    [round(low), round(high)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_contain_their_rate() {
        let [low, high] = interval(25, 100);
        assert!(low < 0.25 && 0.25 < high && high - low < 0.18);
        assert_eq!(interval(0, 0), [0.0, 1.0]);
    }
}
