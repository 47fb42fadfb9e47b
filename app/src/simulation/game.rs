//! One game of a simulation: played, and what is known of it when it is over.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_core::bots::{self, Players};
use principes_core::catalog::{PhaseBody, Visible};
use principes_core::scripts::{ScriptErrorKind, Scripts};
use principes_core::*;
use serde::{Deserialize, Serialize};

use crate::failure::{answer_failure, start_failure};
use crate::setup::{STUCK, Setup, derive_seed};

/// Answers that a fault shows.
const LAST_ANSWERS: usize = 8;

/// What is known of a game when it is over.
pub struct Played {
    /// Its place among all games of the simulation.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// Digest of its last state.
    pub digest: String,
    /// Answers.
    pub decisions: usize,
    /// Steps that the scripts took for them; what bots tried does not count.
    pub steps: u64,
    /// The most that one call took, bots' included.
    pub most_steps: u64,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Turns of the outermost loop, where they are counted.
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
    /// Whether nothing is wrong but that the game took more answers or steps than a game may.
    #[serde(default)]
    pub unfinished: bool,
    /// Steps that the call took until it failed.
    #[serde(default)]
    pub steps: u64,
    /// Answers before that.
    pub decisions: usize,
    /// The last of them.
    pub last_answers: Vec<String>,
}

/// What failed, the steps that the call took, and whether nothing is wrong but that the game was too long.
type Failed = (String, u64, bool);

fn failed(error: &AnswerError) -> Failed {
    let script = match error {
        AnswerError::Script(script) => Some(script),
        _ => None,
    };
    let unfinished = script.is_some_and(|script| script.kind == ScriptErrorKind::Game);
    (answer_failure(error), script.map_or(0, |script| script.steps), unfinished)
}

/// Plays one game. Never inlined: `.ci/instructions` counts what happens in here.
#[inline(never)]
pub fn play<S: Scripts + 'static>(catalog: &Arc<Catalog>, host: &S, table: &Setup, at: u64, seed: u64) -> Played {
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
            Ok(true) => {}
            Ok(false) if game.outcome().is_some() => break None,
            Ok(false) => break Some((STUCK.to_owned(), 0, false)),
            Err(error) => break Some(failed(&error)),
        }
    };
    note_cards(&mut game, &mut played.cards);
    played.digest = game.digest();
    played.decisions = game.record().len();
    played.steps = game.steps();
    played.most_steps = host.take_most_steps();
    played.outcome = game.outcome();
    played.rounds = rounds(&game);
    played.fault = message.map(|failed| {
        let last = game.record().iter().rev().take(LAST_ANSWERS).rev();
        let words = last.map(|answer| {
            let aside = if answer.aside { " (aside)" } else { "" };
            format!("{}: {}{aside}", catalog.id_of(Value::Faction(answer.seat)), answer.option.key(catalog))
        });
        fault(failed, played.decisions, words.collect())
    });
    played
}

/// Notes cards that went from where only their owner saw them to where everybody does.
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

/// How far the outermost loop of the game came, where it is counted.
fn rounds<S: Scripts>(game: &Game<S>) -> Option<i32> {
    let catalog = game.catalog();
    let counter = catalog.flow.iter().find_map(|phase| match &catalog.phases[phase.index()].body {
        PhaseBody::Repeat { counter, .. } => *counter,
        _ => None,
    })?;
    game.table().get(counter, Value::Nil).ok()
}
