//! Events as lines for people. Each fact appears once.
//!
//! A script changes the table and logs a sentence about it. The kernel's event for the same change is then left out,
//! and details that the sentence does not mention are added to it in parentheses.

use std::ops::Range;

use principes_core::catalog::{Holds, PhaseBody};
use principes_core::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::words::Words;

/// A line for people.
pub struct Told {
    /// The whole line, with all details in parentheses.
    pub line: String,
    /// The line for displays that show the owner and the changes beside it.
    pub sentence: String,
    /// Whose piece or counter it is about, if the sentence does not say so.
    pub owner: Option<FactionId>,
    /// The changes of counters that belong to it.
    pub changes: Vec<CounterChange>,
    /// The first event that it tells.
    pub event: Event,
}

/// A change of a counter, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CounterChange {
    /// The id of the counter.
    pub counter: String,
    /// The name of the counter.
    pub name: String,
    /// The name of the owner, unless the sentence is about that owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// By how much it changed; negative if it fell.
    pub by: i32,
    /// The new value in words.
    pub now: String,
}

/// The lines of the events between two decisions, in order. `is_start` means that they belong to the setup of the game.
pub fn tell(words: &Words, view: &View, events: &[SeenEvent], is_start: bool) -> Vec<Told> {
    let mut lines = Vec::new();
    let mut start = 0;
    for end in 1..=events.len() {
        // A sentence describes only events of the phase in which it was logged.
        if end == events.len() || matches!(events[end].event, Event::Phase { .. }) {
            lines.extend(Story::new(words, view, &events[start..end], is_start).tell());
            start = end;
        }
    }
    lines
}

/// What a viewer reads of events, outside of a session.
pub fn told(words: &Words, view: &View, events: &[Event]) -> Vec<String> {
    let seen: Vec<SeenEvent> = events.iter().filter_map(|event| event.seen_by(words.catalog(), view.seat)).collect();
    tell(words, view, &seen, false).into_iter().map(|told| told.line).collect()
}

/// A change of a counter, as plain values: the counter, its owner, the old and the new value.
type Change = (CounterId, Value, i32, i32);

/// The sentence of an event, before details are added.
struct Line {
    text: String,
    /// A shorter sentence for displays that show the owner and the changes beside it.
    sentence: Option<String>,
    owner: Option<FactionId>,
    change: Option<Change>,
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Line { text, sentence: None, owner: None, change: None }
    }
}

/// The events of one phase between two decisions.
struct Story<'a> {
    words: &'a Words,
    catalog: &'a Catalog,
    view: &'a View,
    events: &'a [SeenEvent],
    is_start: bool,
    /// The indices of sentences that scripts logged.
    logs: Vec<usize>,
    /// The details that are added to the sentence of each event.
    changes: Vec<Vec<Change>>,
    details: Vec<Vec<String>>,
}

impl<'a> Story<'a> {
    fn new(words: &'a Words, view: &'a View, events: &'a [SeenEvent], is_start: bool) -> Self {
        let speaks = |at: &usize| matches!(events[*at].event, Event::Log { .. });
        Story {
            words,
            catalog: words.catalog(),
            view,
            events,
            is_start,
            logs: (0..events.len()).filter(speaks).collect(),
            changes: vec![Vec::new(); events.len()],
            details: vec![Vec::new(); events.len()],
        }
    }

    fn tell(mut self) -> Vec<Told> {
        let mut lines: Vec<(usize, Line)> = Vec::with_capacity(self.events.len());
        let mut at = 0;
        while at < self.events.len() {
            let run = self.run_from(at);
            if let Some(line) = self.line(run.clone()) {
                lines.push((at, line));
            }
            at = run.end;
        }
        lines.into_iter().map(|(at, line)| self.told(at, line)).collect()
    }

    fn told(&self, at: usize, line: Line) -> Told {
        let (speaker, changes) = (self.speaker(at), &self.changes[at]);
        let own = line.change.iter().chain(changes).filter(|(_, _, from, to)| from != to);
        let whose = line.owner.map(Value::Faction).or(speaker);
        let changes = own.map(|change| self.in_words(change, whose)).collect();
        let sentence = match line.sentence {
            Some(sentence) => sentence,
            None => with_parentheses(line.text.clone(), self.unsaid(at, &line.text)),
        };
        Told {
            sentence,
            owner: line.owner,
            changes,
            event: self.events[at].event,
            line: self.with_details(at, line.text),
        }
    }

    fn in_words(&self, (counter, owner, from, to): &Change, whose: Option<Value>) -> CounterChange {
        let is_known = Some(*owner) == whose || *owner == Value::Nil;
        CounterChange {
            counter: self.catalog.counters[counter.index()].id.clone(),
            name: self.words.value(Value::Counter(*counter), None),
            owner: (!is_known).then(|| self.words.value(*owner, None)),
            by: to - from,
            now: self.words.counter_value(*counter, Value::Int(*to)),
        }
    }

    /// Equal moves in a row: cards between the same zones, or pieces between the same spaces.
    fn run_from(&self, at: usize) -> Range<usize> {
        let key = |seen: &SeenEvent| match seen.event {
            Event::Card { from, to, .. } => Some((Value::Int(i32::from(seen.hidden)), from.index(), to.index())),
            Event::Piece { owner, from, to, .. } => {
                let place = |space: Option<SpaceId>| space.map_or(usize::MAX, SpaceId::index);
                Some((owner.map_or(Value::Nil, Value::Faction), place(from), place(to)))
            }
            _ => None,
        };
        let is_card = |seen: &SeenEvent| matches!(seen.event, Event::Card { .. });
        let first = &self.events[at];
        let same =
            |seen: &&SeenEvent| key(first).is_some() && key(seen) == key(first) && is_card(seen) == is_card(first);
        at..at + self.events[at..].iter().take_while(same).count().max(1)
    }

    fn line(&mut self, run: Range<usize>) -> Option<Line> {
        let at = run.start;
        let seen = self.events[at];
        match seen.event {
            Event::Counter { .. } => self.counter(at, seen.event),
            Event::Card { from, to, .. } if seen.hidden => self.hidden_cards(run, from, to),
            Event::Card { from, to, .. } => self.cards(run, from, to),
            Event::Revealed { card } if self.is_known(Value::Card(card)) => None,
            Event::Shuffled { .. } if self.is_start => None,
            Event::Piece { owner, from, to, .. } => self.pieces(run, owner, from, to),
            Event::Control { space, .. } => self.control(at, space).map(Line::from),
            Event::Tile { card, space, .. } if self.is_told_of(Value::Card(card), Value::Space(space)) => None,
            _ => self.words.event(&seen, self.view).map(Line::from),
        }
    }

    // What sentences mention --------------------------------------------------------------------------------------------

    fn mentions(&self, log: usize, wanted: Value) -> bool {
        let Event::Log { args, .. } = self.events[log].event else { return false };
        args.iter().any(|value| *value == wanted || self.stands_for(*value, wanted))
    }

    /// Whether one value implies the other: a card its design, a piece its kind.
    fn stands_for(&self, value: Value, wanted: Value) -> bool {
        match (value, wanted) {
            (Value::Card(card), Value::Design(design)) | (Value::Design(design), Value::Card(card)) => {
                self.catalog.cards[card.index()] == design
            }
            (Value::Piece(piece), Value::Kind(kind)) | (Value::Kind(kind), Value::Piece(piece)) => {
                self.catalog.pieces[piece.index()].kind == kind
            }
            (Value::Card(one), Value::Card(other)) => {
                self.catalog.cards[one.index()] == self.catalog.cards[other.index()]
            }
            _ => false,
        }
    }

    /// Whether a sentence mentions a value, or the viewer has just chosen it.
    fn is_known(&self, value: Value) -> bool {
        let chosen = |seen: &SeenEvent| match seen.event {
            Event::Chosen { option, .. } => option.args.iter().any(|arg| *arg == value || self.stands_for(*arg, value)),
            _ => false,
        };
        self.logs.iter().any(|log| self.mentions(*log, value)) || self.events.iter().any(chosen)
    }

    /// Whether one sentence mentions both values.
    fn is_told_of(&self, one: Value, other: Value) -> bool {
        self.logs.iter().any(|log| self.mentions(*log, one) && self.mentions(*log, other))
    }

    /// The sentence that mentions a value, next to an event: the following sentence, because scripts log after they
    /// act, or otherwise the preceding one.
    fn beside(&self, at: usize, value: Value) -> Option<usize> {
        let next = self.logs.partition_point(|log| *log < at);
        let candidates = [self.logs.get(next), next.checked_sub(1).and_then(|before| self.logs.get(before))];
        candidates.into_iter().flatten().copied().find(|log| self.mentions(*log, value))
    }

    // The kinds of events -----------------------------------------------------------------------------------------------

    fn counter(&mut self, at: usize, event: Event) -> Option<Line> {
        let Event::Counter { counter, owner, from, to, to_value, .. } = event else { return None };
        let spec = &self.catalog.counters[counter.index()];
        if !self.words.is_named("counter", &spec.id) {
            return None;
        }
        let is_loop = |phase: &PhaseId| matches!(self.catalog.phases[phase.index()].body, PhaseBody::Repeat { counter: Some(of), .. } if of == counter);
        if (0..self.catalog.phases.len()).map(PhaseId::at).any(|phase| is_loop(&phase)) {
            let name = self.words.value(Value::Counter(counter), None);
            let now = self.words.counter_value(counter, to_value);
            return Some(self.words.own("event.loop", &[&name, &now]).into());
        }
        if spec.holds != Holds::Number {
            let is_told =
                |log: &usize| self.mentions(*log, to_value) && (owner == Value::Nil || self.mentions(*log, owner));
            let is_silent = to_value == Value::Nil || self.logs.iter().any(is_told);
            return if is_silent { None } else { self.words.event(&self.events[at], self.view).map(Line::from) };
        }
        let Some(log) = self.beside(at, owner) else {
            let text = self.words.event(&self.events[at], self.view)?;
            let faction = match owner {
                Value::Faction(faction) => Some(faction),
                _ => None,
            };
            let sentence = match owner {
                Value::Faction(_) | Value::Nil => String::new(),
                other => self.words.value(other, None),
            };
            let change = Some((counter, owner, from, to));
            return Some(Line { text, sentence: Some(sentence), owner: faction, change });
        };
        if !self.mentions(log, Value::Counter(counter)) {
            let changes = &mut self.changes[log];
            match changes.iter_mut().find(|(of, whose, ..)| (*of, *whose) == (counter, owner)) {
                Some(change) => change.3 = to,
                None => changes.push((counter, owner, from, to)),
            }
        }
        None
    }

    /// Whether both zones have names. Zones without names are only steps on the way.
    fn are_for_players(&self, from: ZoneId, to: ZoneId) -> bool {
        [from, to].iter().all(|zone| {
            let (zone, _) = self.catalog.zone_list[zone.index()];
            self.words.is_named("zone", &self.catalog.zones[zone.index()].id)
        })
    }

    fn zone_owners(&self, from: ZoneId, to: ZoneId) -> [Option<FactionId>; 2] {
        [to, from].map(|zone| self.catalog.zone_list[zone.index()].1)
    }

    /// Cards that the viewer does not know. They get a line only if a seat gains or loses them and no sentence says so.
    fn hidden_cards(&self, run: Range<usize>, from: ZoneId, to: ZoneId) -> Option<Line> {
        let owners = self.zone_owners(from, to);
        let is_told = |owner: &FactionId| self.beside(run.start, Value::Faction(*owner)).is_some();
        if owners[0] == owners[1] || !self.are_for_players(from, to) || owners.iter().flatten().any(is_told) {
            return None;
        }
        let zones = [from, to].map(|zone| self.words.zone(zone));
        let count = run.len().to_string();
        let (text, sentence) = match run.len() {
            1 => ("event.card-hidden", "told.card-hidden"),
            _ => ("event.cards-hidden", "told.cards-hidden"),
        };
        let said = |key| match run.len() {
            1 => self.words.own(key, &[&zones[0], &zones[1]]),
            _ => self.words.own(key, &[&count, &zones[0], &zones[1]]),
        };
        Some(Line { text: said(text), sentence: Some(said(sentence)), owner: None, change: None })
    }

    fn cards(&mut self, run: Range<usize>, from: ZoneId, to: ZoneId) -> Option<Line> {
        let cards = self.events[run.clone()].iter().filter_map(|seen| match seen.event {
            Event::Card { card, .. } => Some(card),
            _ => None,
        });
        let untold: Vec<CardId> = cards.filter(|card| !self.is_known(Value::Card(*card))).collect();
        if untold.is_empty() || !self.are_for_players(from, to) {
            return None;
        }
        let names = counted(untold.iter().map(|card| self.words.value(Value::Card(*card), None)));
        let owners = self.zone_owners(from, to);
        let log = owners.into_iter().flatten().find_map(|owner| self.beside(run.start, Value::Faction(owner)));
        match log {
            Some(log) => {
                self.details[log].push(names);
                None
            }
            None => {
                let said = |key| self.words.own(key, &[&names, &self.words.zone(from), &self.words.zone(to)]);
                let sentence = Some(said("told.card"));
                Some(Line { text: said("event.card"), sentence, owner: None, change: None })
            }
        }
    }

    fn pieces(
        &self,
        run: Range<usize>,
        owner: Option<FactionId>,
        from: Option<SpaceId>,
        to: Option<SpaceId>,
    ) -> Option<Line> {
        let at = run.start;
        let kinds = self.events[run].iter().filter_map(|seen| match seen.event {
            Event::Piece { piece, .. } => Some(self.catalog.pieces[piece.index()].kind),
            _ => None,
        });
        let place = Value::Space(to.or(from)?);
        let is_untold = |kind: &KindId| {
            let spec = &self.catalog.kinds[kind.index()];
            let names_it = |log: usize| self.mentions(log, Value::Kind(*kind)) || !spec.occupies;
            self.words.is_named("kind", &spec.id) && !self.beside(at, place).is_some_and(names_it)
        };
        let untold: Vec<KindId> = kinds.filter(is_untold).collect();
        if untold.is_empty() {
            return None;
        }
        let names = counted(untold.iter().map(|kind| self.words.value(Value::Kind(*kind), None)));
        let who = match owner {
            Some(owner) => format!("{names} ({})", self.words.value(Value::Faction(owner), None)),
            None => names.clone(),
        };
        let space = |space: SpaceId| self.words.value(Value::Space(space), None);
        let (text, sentence) = match (from, to) {
            (Some(from), Some(to)) => {
                let said = |key, who: &str| self.words.own(key, &[who, &space(from), &space(to)]);
                (said("event.piece-moves", &who), said("told.piece-moves", &names))
            }
            (from, to) => {
                let key = if to.is_some() { "event.piece-enters" } else { "event.piece-leaves" };
                let said = |who: &str| Some(self.words.own(key, &[who, &space(to.or(from)?)]));
                (said(&who)?, said(&names)?)
            }
        };
        Some(Line { text, sentence: Some(sentence), owner, change: None })
    }

    /// The change of a space, reported once.
    fn control(&self, at: usize, space: SpaceId) -> Option<String> {
        let of_space = |(at, seen): (usize, &SeenEvent)| match seen.event {
            Event::Control { space: other, from, to, .. } if other == space => Some((at, from, to)),
            _ => None,
        };
        let mut changes = self.events.iter().enumerate().filter_map(of_space);
        let (first, before, mut now) = changes.next()?;
        let last = changes.map(|(at, _, to)| (at, now = to)).last().map_or(first, |(at, ())| at);
        let named = |faction: FactionId| self.words.value(Value::Faction(faction), None);
        let place = self.words.value(Value::Space(space), None);
        let tells_all = |log: &usize| {
            self.mentions(*log, Value::Space(space)) && now.is_some_and(|now| self.mentions(*log, Value::Faction(now)))
        };
        if at != last || before == now || self.logs.iter().any(tells_all) {
            return None;
        }
        Some(match (before, now) {
            (Some(before), Some(now)) => self.words.own("event.control-taken", &[&named(now), &place, &named(before)]),
            (None, Some(now)) => self.words.own("event.control-gained", &[&named(now), &place]),
            (Some(before), None) => self.words.own("event.control-lost", &[&named(before), &place]),
            (None, None) => return None,
        })
    }

    /// Whom a sentence is about: the first faction that it mentions.
    fn speaker(&self, at: usize) -> Option<Value> {
        match self.events[at].event {
            Event::Log { args, .. } => args.iter().copied().find(|value| matches!(value, Value::Faction(_))),
            _ => None,
        }
    }

    /// The cards that belong to a sentence and that it does not name.
    fn unsaid(&self, at: usize, line: &str) -> Vec<String> {
        self.details[at].iter().filter(|name| !line.contains(name.as_str())).cloned().collect()
    }

    fn with_details(&self, at: usize, line: String) -> String {
        let speaker = self.speaker(at);
        let changes =
            self.changes[at].iter().filter(|(_, _, from, to)| from != to).map(|(counter, owner, from, to)| {
                let value = |value: i32| self.words.counter_value(*counter, Value::Int(value));
                let name = self.words.value(Value::Counter(*counter), None);
                let change = self.words.own("event.change", &[&name, &value(*from), &value(*to)]);
                match Some(*owner) == speaker || *owner == Value::Nil {
                    true => change,
                    false => format!("{}: {change}", self.words.value(*owner, None)),
                }
            });
        let details: Vec<String> = self.unsaid(at, &line).into_iter().chain(changes).collect();
        with_parentheses(line, details)
    }
}

/// A sentence with details in parentheses.
fn with_parentheses(line: String, details: Vec<String>) -> String {
    if details.is_empty() {
        return line;
    }
    let (sentence, end) = line.strip_suffix('.').map_or((line.as_str(), ""), |sentence| (sentence, "."));
    match sentence.strip_suffix(')') {
        Some(open) => format!("{open}; {}){end}", details.join(", ")),
        None => format!("{sentence} ({}){end}", details.join(", ")),
    }
}

/// Names in order. Equal names are counted.
fn counted(names: impl Iterator<Item = String>) -> String {
    let mut found: Vec<(String, usize)> = Vec::new();
    for name in names {
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => found.push((name, 1)),
        }
    }
    let shown = found.into_iter().map(|(name, count)| if count > 1 { format!("{name} ×{count}") } else { name });
    shown.collect::<Vec<_>>().join(", ")
}
