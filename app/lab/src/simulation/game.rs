//! Plays one game of a simulation and collects its results.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_app::failure::{answer_failure, start_failure};
use principes_app::setup::{STUCK, Setup, derive_seed};
use principes_core::bots::{self, Players};
use principes_core::catalog::{PhaseBody, Visible};
use principes_core::scripts::{ScriptErrorKind, Scripts};
use principes_core::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of answers that a fault shows.
pub(super) const LAST_ANSWERS: usize = 8;

/// The results of a game.
pub struct Played {
    /// Its number among all games of the simulation.
    pub game: u64,
    /// Derived from the seed of the simulation and the number of the game.
    pub seed: u64,
    /// The digest of its last state.
    pub digest: String,
    /// The number of answers.
    pub decisions: usize,
    /// The steps of its scripts. Steps of bots that try out options do not count.
    pub steps: u64,
    /// The most steps of one call, including calls of bots.
    pub most_steps: u64,
    /// The outcome; `None` if the game failed.
    pub outcome: Option<Outcome>,
    /// The number of turns of the outermost loop, if it counts them.
    pub rounds: Option<i32>,
    /// Cards that left a hand face up: design and seat, each pair once.
    pub cards: BTreeSet<(DesignId, SeatId)>,
    /// The fault, if the game failed.
    pub fault: Option<Fault>,
}

/// A game that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Its number among all games of the simulation.
    pub game: u64,
    /// With it, the game can be played again alone.
    pub seed: u64,
    /// The error.
    pub message: String,
    /// Whether the only error is that the game took too many answers or steps.
    #[serde(default)]
    pub unfinished: bool,
    /// The steps of the failed call.
    #[serde(default)]
    pub steps: u64,
    /// The number of answers before the failure.
    pub decisions: usize,
    /// As keys; at most `LAST_ANSWERS`.
    pub last_answers: Vec<String>,
}

/// The error, the steps of the failed call, and whether the game was only too long.
type Failed = (String, u64, bool);

fn failed(error: &AnswerError) -> Failed {
    let script = match error {
        AnswerError::Script(script) => Some(script),
        _ => None,
    };
    let unfinished = script.is_some_and(|script| script.kind == ScriptErrorKind::Game);
    (answer_failure(error), script.map_or(0, |script| script.steps), unfinished)
}

/// Somebody who follows a game while it is played.
pub trait Watch<S: Scripts> {
    /// Looks at the game before each answer and after the last one. The events are those since the previous look, the
    /// first time those since the beginning.
    fn look(&mut self, game: &Game<S>);
}

/// Nobody.
impl<S: Scripts> Watch<S> for () {
    fn look(&mut self, _: &Game<S>) {}
}

/// The seed of a game of a simulation. It has 53 bits, so that every JSON reader can represent it and the game can be
/// repeated.
pub fn seed_of(seed: u64, number: u64) -> u64 {
    derive_seed(seed, number) >> 11
}

/// Plays one game.
pub fn play<S: Scripts + 'static>(catalog: &Arc<Catalog>, host: &S, table: &Setup, at: u64, seed: u64) -> Played {
    play_watched(catalog, host, table, at, seed, &mut ())
}

/// Plays one game that somebody follows. It is never inlined, because `.ci/instructions` counts its instructions.
#[inline(never)]
pub fn play_watched<S: Scripts + 'static>(
    catalog: &Arc<Catalog>,
    host: &S,
    table: &Setup,
    at: u64,
    seed: u64,
    watch: &mut impl Watch<S>,
) -> Played {
    let config = GameConfig { seed, ..table.config.clone() };
    let fault = |(message, steps, unfinished): Failed, decisions: usize, last_answers: Vec<String>| Fault {
        game: at,
        seed,
        message,
        unfinished,
        steps,
        decisions,
        last_answers,
    };
    host.take_most_steps();
    let mut played = Played {
        game: at,
        seed,
        digest: String::new(),
        decisions: 0,
        steps: 0,
        most_steps: 0,
        outcome: None,
        rounds: None,
        cards: BTreeSet::new(),
        fault: None,
    };
    let mut game = match Game::new(catalog.clone(), host.clone(), config) {
        Ok(game) => game,
        Err(error) => {
            let failed = match &error {
                StartError::Script(script) => failed(&AnswerError::Script(script.clone())),
                StartError::Config(_) => (start_failure(&error), 0, false),
            };
            played.fault = Some(fault(failed, 0, Vec::new()));
            played.most_steps = host.take_most_steps();
            return played;
        }
    };
    // The events are needed only for cards.
    let has_cards = !catalog.cards.is_empty();
    game.record_events(has_cards);
    let mut players: Players<S> = table
        .players
        .iter()
        .filter_map(|(seat, player)| {
            Some((*seat, player.bot(catalog, derive_seed(seed, 1 + u64::from(seat.0)), None)?))
        })
        .collect();
    let message = loop {
        watch.look(&game);
        if has_cards {
            note_cards(&mut game, &mut played.cards);
        }
        match bots::step(&mut game, &mut players) {
            Ok(true) => {}
            Ok(false) if game.outcome().is_some() => break None,
            Ok(false) => break Some((STUCK.to_owned(), 0, false)),
            Err(error) => break Some(failed(&error)),
        }
    };
    watch.look(&game);
    note_cards(&mut game, &mut played.cards);
    played.digest = game.digest();
    played.decisions = game.record().len();
    played.steps = game.steps();
    played.most_steps = host.take_most_steps();
    played.outcome = game.outcome();
    played.rounds = rounds(&game);
    let last = game.record().iter().rev().take(LAST_ANSWERS).rev();
    played.fault =
        message.map(|failed| fault(failed, played.decisions, last.map(|answer| words(catalog, answer)).collect()));
    played
}

/// An answer in words.
fn words(catalog: &Catalog, answer: &Answer) -> String {
    let aside = if answer.aside { " (aside)" } else { "" };
    format!("{}: {}{aside}", catalog.id_of(Value::Faction(answer.seat)), answer.option.key(catalog))
}

/// Collects cards that moved from a zone that only their owner sees to one that everyone sees.
fn note_cards<S: Scripts>(game: &mut Game<S>, played: &mut BTreeSet<(DesignId, SeatId)>) {
    let catalog = game.catalog();
    for event in game.events() {
        let Event::Card { card, from, to, face, .. } = *event else { continue };
        let visible = |zone: ZoneId| catalog.zones[catalog.zone_list[zone.index()].0.index()].visible;
        let shown = face || visible(to) == Visible::Everyone;
        if let (Some(owner), Visible::Owner, true) = (catalog.zone_list[from.index()].1, visible(from), shown) {
            played.insert((catalog.cards[card.index()], owner));
        }
    }
    game.clear_events();
}

/// The counter of the outermost loop, if it has one.
fn round_counter(catalog: &Catalog) -> Option<CounterId> {
    catalog.flow.iter().find_map(|phase| match &catalog.phases[phase.index()].body {
        PhaseBody::Repeat { counter, .. } => *counter,
        _ => None,
    })
}

/// Whether games of a catalog count their rounds.
pub(super) fn counts_rounds(catalog: &Catalog) -> bool {
    round_counter(catalog).is_some()
}

/// The progress of the outermost loop, if it is counted.
fn rounds<S: Scripts>(game: &Game<S>) -> Option<i32> {
    game.table().get(round_counter(game.catalog())?, Value::Nil).ok()
}
