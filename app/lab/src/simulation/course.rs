//! The average course of the counters of seats.

use std::collections::BTreeMap;
use std::sync::Arc;

use principes_app::setup::{Setup, derive_seed};
use principes_app::words::Words;
use principes_core::bots::{self, Players};
use principes_core::catalog::{PhaseBody, Scope};
use principes_core::*;
use principes_scripting::LuaHost;
use schemars::JsonSchema;
use serde::Serialize;

use super::game::seed_of;

/// If a game has no rounds, this many answers count as one.
const ANSWERS_A_ROUND: usize = 10;
/// A game is abandoned after this many answers.
const MOST_ANSWERS: usize = 3_000;

/// A counter of a seat, round by round.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Course {
    /// The id of the counter.
    pub counter: String,
    /// The name of the counter.
    pub name: String,
    /// The id of the faction.
    pub faction: String,
    /// Each round, with the mean after its last answer over the games that reached it.
    pub points: Vec<(i32, f64)>,
}

/// The sums of some games.
#[derive(Clone, Debug, Default)]
pub struct Courses {
    /// The number of games.
    pub games: u64,
    sums: BTreeMap<(CounterId, SeatId, i32), (i64, u64)>,
}

impl Courses {
    /// Plays one more game. A game that fails or takes too long counts up to that point.
    pub fn play(&mut self, catalog: &Arc<Catalog>, host: &LuaHost, table: &Setup, seed: u64) {
        self.games += 1;
        let seed = seed_of(seed, self.games);
        let config = GameConfig { seed, ..table.config.clone() };
        let Ok(mut game) = Game::new(catalog.clone(), host.clone(), config) else { return };
        game.record_events(false);
        let mut players: Players<LuaHost> = table
            .players
            .iter()
            .filter_map(|(seat, player)| {
                Some((*seat, player.bot(catalog, derive_seed(seed, 1 + u64::from(seat.0)), None)?))
            })
            .collect();
        let mut last: BTreeMap<(CounterId, SeatId, i32), i32> = BTreeMap::new();
        for answer in 0..MOST_ANSWERS {
            note(&game, table, answer, &mut last);
            if !bots::step(&mut game, &mut players).unwrap_or(false) {
                break;
            }
        }
        for (key, value) in last {
            let sum = self.sums.entry(key).or_default();
            *sum = (sum.0 + i64::from(value), sum.1 + 1);
        }
    }

    /// The courses of all named counters, tracks first.
    pub fn courses(&self, words: &Words) -> Vec<Course> {
        let catalog = words.catalog();
        let mut found: BTreeMap<(bool, CounterId, SeatId), Course> = BTreeMap::new();
        for ((counter, seat, round), (sum, games)) in &self.sums {
            let spec = &catalog.counters[counter.index()];
            if !words.is_named("counter", &spec.id) {
                continue;
            }
            let course = found.entry((!spec.track, *counter, *seat)).or_insert_with(|| Course {
                counter: spec.id.clone(),
                name: words.value(Value::Counter(*counter), None),
                faction: catalog.id_of(Value::Faction(*seat)),
                points: Vec::new(),
            });
            course.points.push((*round, *sum as f64 / (*games).max(1) as f64));
        }
        found.into_values().collect()
    }
}

fn note(game: &Game<LuaHost>, table: &Setup, answer: usize, last: &mut BTreeMap<(CounterId, SeatId, i32), i32>) {
    let catalog = game.catalog();
    let counted = catalog.flow.iter().find_map(|phase| match &catalog.phases[phase.index()].body {
        PhaseBody::Repeat { counter, .. } => *counter,
        _ => None,
    });
    let round = match counted {
        Some(counter) => game.table().get(counter, Value::Nil).unwrap_or(0),
        None => i32::try_from(answer / ANSWERS_A_ROUND).unwrap_or(i32::MAX),
    };
    for (at, spec) in catalog.counters.iter().enumerate().filter(|(_, spec)| spec.scope == Scope::Faction) {
        if spec.holds != catalog::Holds::Number {
            continue;
        }
        for (seat, _) in &table.players {
            if let Ok(value) = game.table().get(CounterId::at(at), Value::Faction(*seat)) {
                last.insert((CounterId::at(at), *seat, round), value);
            }
        }
    }
}
