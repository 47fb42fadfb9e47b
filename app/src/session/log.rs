//! The log of a game, filtered for each viewer.

use std::collections::BTreeSet;

use principes_core::catalog::{PhaseBody, Visible};
use principes_core::*;
use serde::Serialize;

use super::story::{self, CounterChange, Told};
use crate::words::Words;

/// A die as it lies on the table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Die {
    /// A die with numbers.
    Number {
        /// The number of its sides.
        sides: i32,
        /// The number that it shows.
        result: i32,
    },
    /// A die of battles, by the keyword of the face that it shows.
    Face(String),
}

impl Die {
    /// The die of an event.
    fn of(catalog: &Catalog, event: Event) -> Option<Die> {
        match event {
            Event::Rolled { sides, result } => Some(Die::Number { sides, result }),
            Event::Face { face, .. } => Some(Die::Face(catalog.symbols.name(face.index()).to_owned())),
            _ => None,
        }
    }
}

/// An event, as a viewer may read it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EventLine {
    /// Its number among the events that the viewer can read, from 0.
    pub number: usize,
    /// The number of answers of the game before it. It includes secret answers, so it must not reach a viewer while
    /// others choose in secret.
    pub step: usize,
    /// The sentence, with all details in parentheses.
    pub text: String,
    /// The sentence for displays that show the owner and the changes beside it.
    pub sentence: String,
    /// The id of the faction whose piece or counter it is about, if the sentence does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The changes of counters that belong to it.
    pub changes: Vec<CounterChange>,
    /// Whether a phase or a round begins with it.
    pub is_head: bool,
    /// The die that it reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub die: Option<Die>,
    /// The hook that caused it, as `module.function`. The kernel does not report it yet.
    pub cause: Option<String>,
}

/// All events of a game.
#[derive(Clone, Default)]
pub struct EventLog {
    /// Each event with the number of answers before it.
    events: Vec<(usize, Event)>,
    /// The numbers of answers after which several seats chose in secret.
    secret: BTreeSet<usize>,
}

impl EventLog {
    /// Adds events with the number of answers before them.
    pub fn add(&mut self, step: usize, events: Vec<Event>) {
        self.events.extend(events.into_iter().map(|event| (step, event)));
    }

    /// The number of events, including secret ones.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Notes that after a number of answers several seats choose in secret.
    pub fn note_secret(&mut self, step: usize) {
        self.secret.insert(step);
    }

    /// Whether what several seats chose in secret after a number of answers is known: their phase has ended since.
    pub fn has_opened(&self, step: usize, now: usize) -> bool {
        let has_begun = |(after, event): &(usize, Event)| *after > step && matches!(event, Event::Phase { .. });
        self.secret.contains(&step) && (!self.secret.contains(&now) || self.events.iter().any(has_begun))
    }

    /// Removes the events after a number of answers.
    pub fn truncate(&mut self, step: usize) {
        self.events.retain(|(after, _)| *after <= step);
        self.secret.retain(|after| *after <= step);
    }

    /// The lines that a viewer may read of the events from `from` on, counted over all events.
    pub fn lines(&self, words: &Words, from: usize, view: &View) -> Vec<EventLine> {
        let mut lines = Vec::new();
        let mut number = 0;
        let mut at = 0;
        // Events between two decisions make up their lines together, so a line never changes later.
        for moment in self.events.chunk_by(|one, next| one.0 == next.0) {
            let step = moment[0].0;
            let seen = moment.iter().filter_map(|(_, event)| event.seen_by(words.catalog(), view.seat));
            for told in story::tell(words, view, &seen.collect::<Vec<_>>(), step == 0) {
                if at >= from {
                    lines.push(line(words, number, step, told));
                }
                number += 1;
            }
            at += moment.len();
        }
        lines
    }

    /// Whether something was revealed to some seats after a number of answers: a die, a card of a deck, or a card that
    /// another seat held.
    pub fn has_revealed(&self, catalog: &Catalog, seats: &[SeatId], step: usize) -> bool {
        let reveals = |event: &Event| is_revealing(catalog, event) || shows_a_card_of_others(catalog, seats, event);
        self.events.iter().any(|(after, event)| *after > step && reveals(event))
    }

    /// The number of turns of a seat plus the number of loops of the whole game that have begun.
    pub fn turns_of(&self, catalog: &Catalog, seat: SeatId) -> usize {
        // Only the loops of the whole game count, not those within them.
        let loops = catalog.flow.iter().filter_map(|phase| match &catalog.phases[phase.index()].body {
            PhaseBody::Repeat { counter, .. } => *counter,
            _ => None,
        });
        let loops: Vec<CounterId> = loops.collect();
        let begins = |event: &Event| match event {
            Event::Phase { seat: Some(of), .. } => *of == seat,
            Event::Counter { counter, .. } => loops.contains(counter),
            _ => false,
        };
        self.events.iter().filter(|(_, event)| begins(event)).count()
    }
}

fn line(words: &Words, number: usize, step: usize, told: Told) -> EventLine {
    let catalog = words.catalog();
    EventLine {
        number,
        step,
        text: told.line,
        sentence: told.sentence,
        owner: told.owner.map(|owner| catalog.id_of(Value::Faction(owner))),
        changes: told.changes,
        is_head: is_head(catalog, told.event),
        die: Die::of(catalog, told.event),
        cause: None,
    }
}

/// Whether a phase begins with an event, or a new iteration of one that is repeated.
fn is_head(catalog: &Catalog, event: Event) -> bool {
    match event {
        Event::Phase { .. } => true,
        Event::Counter { counter, .. } => loops(catalog).any(|of| of == counter),
        _ => false,
    }
}

/// The counters that show how often phases have been repeated.
pub fn loops(catalog: &Catalog) -> impl Iterator<Item = CounterId> + '_ {
    catalog.phases.iter().filter_map(|phase| match &phase.body {
        PhaseBody::Repeat { counter, .. } => *counter,
        _ => None,
    })
}

/// Lines for reading. Equal lines in a row appear once, with their number.
pub fn merged(lines: Vec<EventLine>) -> Vec<String> {
    let mut merged: Vec<(String, usize)> = Vec::new();
    for line in lines {
        match merged.last_mut() {
            Some((last, count)) if *last == line.text => *count += 1,
            _ => merged.push((line.text, 1)),
        }
    }
    merged.into_iter().map(|(line, count)| if count > 1 { format!("{line} ×{count}") } else { line }).collect()
}

/// Whether a card leaves a zone that only another seat sees for a place where one of the seats sees it.
fn shows_a_card_of_others(catalog: &Catalog, seats: &[SeatId], event: &Event) -> bool {
    let Event::Card { from, .. } = *event else { return false };
    let (zone, owner) = catalog.zone_list[from.index()];
    let is_closed = catalog.zones[zone.index()].visible == Visible::Owner;
    let is_others = owner.is_some_and(|owner| !seats.contains(&owner));
    let is_seen = |seat: &SeatId| event.seen_by(catalog, Some(*seat)).is_some_and(|seen| !seen.hidden);
    is_closed && is_others && seats.iter().any(is_seen)
}

/// Whether an event reveals something that no seat knew before.
pub fn is_revealing(catalog: &Catalog, event: &Event) -> bool {
    match *event {
        Event::Rolled { .. } | Event::Face { .. } | Event::Shuffled { .. } | Event::Revealed { .. } => true,
        Event::Card { from, .. } => {
            let (zone, _) = catalog.zone_list[from.index()];
            catalog.zones[zone.index()].visible == Visible::Nobody
        }
        _ => false,
    }
}
