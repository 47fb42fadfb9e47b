//! One game of a simulation: played, and what is known about it when it is over.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_core::bots::{self, Players};
use principes_core::catalog::{PhaseBody, Visible};
use principes_core::scripts::Scripts;
use principes_core::*;
use serde::{Deserialize, Serialize};

use crate::failure::{answer_failure, start_failure};
use crate::setup::{MOST_DECISIONS, STUCK, Setup, derive_seed};

/// Answers that a fault shows.
const LAST_ANSWERS: usize = 8;

/// What is known about a game when it is over.
pub struct Played {
    /// Its place among all games of the simulation.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// Digest of its last state.
    pub digest: String,
    /// Answers.
    pub decisions: usize,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Turns of the outermost loop, if they are counted.
    pub rounds: Option<i32>,
    /// Cards that left a hand face up: design and seat, each pair once.
    pub cards: BTreeSet<(DesignId, SeatId)>,
    /// What failed.
    pub fault: Option<Fault>,
}

/// A game that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Its place among all games of the simulation.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// What failed.
    pub message: String,
    /// Answers before that.
    pub decisions: usize,
    /// The last of them.
    pub last_answers: Vec<String>,
}

/// Plays one game. Never inlined: `.ci/instructions` counts what happens in here.
#[inline(never)]
pub fn play<S: Scripts + 'static>(catalog: &Arc<Catalog>, host: &S, table: &Setup, at: u64, seed: u64) -> Played {
    let config = GameConfig { seed, ..table.config.clone() };
    let fault = |message: String, decisions: usize, last_answers: Vec<String>| Fault {
        game: at,
        seed,
        message,
        decisions,
        last_answers,
    };
    let mut played = Played {
        game: at,
        seed,
        digest: String::new(),
        decisions: 0,
        outcome: None,
        rounds: None,
        cards: BTreeSet::new(),
        fault: None,
    };
    let mut game = match Game::new(catalog.clone(), host.clone(), config) {
        Ok(game) => game,
        Err(error) => {
            played.fault = Some(fault(start_failure(&error), 0, Vec::new()));
            return played;
        }
    };
    // Only cards are read from the log.
    let has_cards = !catalog.cards.is_empty();
    game.record_events(has_cards);
    let mut players: Players<S> = table
        .players
        .iter()
        .filter_map(|(seat, player)| Some((*seat, player.bot(derive_seed(seed, 1 + u64::from(seat.0)), None)?)))
        .collect();
    let message = loop {
        if has_cards {
            note_cards(&mut game, &mut played.cards);
        }
        match bots::step(&mut game, &mut players) {
            Ok(true) if game.record().len() > MOST_DECISIONS => {
                break Some(format!("the game did not end within {MOST_DECISIONS} decisions"));
            }
            Ok(true) => {}
            Ok(false) if game.outcome().is_some() => break None,
            Ok(false) => break Some(STUCK.to_owned()),
            Err(error) => break Some(answer_failure(&error)),
        }
    };
    note_cards(&mut game, &mut played.cards);
    played.digest = game.digest();
    played.decisions = game.record().len();
    played.outcome = game.outcome();
    played.rounds = rounds(&game);
    played.fault = message.map(|message| {
        let last = game.record().iter().rev().take(LAST_ANSWERS).rev();
        let words = last.map(|answer| {
            let aside = if answer.aside { " (aside)" } else { "" };
            format!("{}: {}{aside}", catalog.id_of(Value::Faction(answer.seat)), answer.option.key(catalog))
        });
        fault(message, played.decisions, words.collect())
    });
    played
}

/// Notes cards that went from a zone that only their owner sees to one that everyone sees.
fn note_cards<S: Scripts>(game: &mut Game<S>, played: &mut BTreeSet<(DesignId, SeatId)>) {
    let catalog = game.catalog();
    for event in game.events() {
        let Event::Card { card, from, to, face } = *event else { continue };
        let visible = |zone: ZoneId| catalog.zones[catalog.zone_list[zone.index()].0.index()].visible;
        let shown = face || visible(to) == Visible::Everyone;
        if let (Some(owner), Visible::Owner, true) = (catalog.zone_list[from.index()].1, visible(from), shown) {
            played.insert((catalog.cards[card.index()], owner));
        }
    }
    game.clear_events();
}

/// How far the outermost loop of the game came, if it is counted.
fn rounds<S: Scripts>(game: &Game<S>) -> Option<i32> {
    let catalog = game.catalog();
    let counter = catalog.flow.iter().find_map(|phase| match &catalog.phases[phase.index()].body {
        PhaseBody::Repeat { counter, .. } => *counter,
        _ => None,
    })?;
    game.table().get(counter, Value::Nil).ok()
}
