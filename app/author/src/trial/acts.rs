//! Whether an option plays a card.
//!
//! A card is *played* by an option if one of its hooks runs as a consequence, or if it comes to a zone in which its hooks
//! are live or in which tiles are laid, and if that would not happen after another option of the same decision. A card
//! that has no hooks and is not a tile is played if it moves, as soon as the seat has made all choices about it.

use principes_core::bots::{self, forward};
use principes_core::catalog::{HookPointKind, ZoneKind};
use principes_core::*;
use principes_scripting::LuaHost;

use super::named::{Playing, names};
use super::players::abstainers;

/// The number of answers in which a card that was chosen must act.
const ANSWERS_TO_ACT: usize = 12;

/// Something that a card does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// A hook of it runs.
    Hook(HookId),
    /// It comes to a zone in which it counts.
    Live,
    /// It is no more than a card, and moves.
    Moves,
}

/// An answer to try out: an option of a decision, or an aside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) seat: SeatId,
    pub(super) option: DecisionOption,
    pub(super) aside: bool,
}

impl Candidate {
    pub(super) fn give(&self, game: &mut Playing) -> Result<(), AnswerError> {
        if self.aside { game.play_aside(self.seat, self.option) } else { game.answer(self.seat, self.option) }
    }
}

/// What a card has done up to a moment.
pub(super) struct Seen {
    runs: Vec<u64>,
    counting: usize,
    places: Vec<ZoneId>,
}

/// Watches what a card does.
pub(super) struct Watcher {
    pub(super) card: DesignId,
    pub(super) copies: Vec<CardId>,
    host: LuaHost,
    /// The hooks that show that the card is played. Queries count only if it has no others: they run whenever something
    /// is listed.
    hooks: Vec<HookId>,
    /// For each kind of zone, whether the card counts there.
    counts: Vec<bool>,
}

impl Watcher {
    pub(super) fn new(catalog: &Catalog, host: LuaHost, card: DesignId) -> Self {
        let design = &catalog.designs[card.index()];
        let is_effect =
            |listener: &&catalog::Listener| catalog.points[listener.point.index()].kind == HookPointKind::Effect;
        let mut hooks: Vec<HookId> = design.listeners.iter().filter(is_effect).map(|of| of.hook).collect();
        let is_tile = catalog.tiles.as_ref().is_some_and(|tiles| tiles.tile(card).is_some());
        let has_hooks = !design.listeners.is_empty();
        let counts = |(at, kind): (usize, &ZoneKind)| {
            let takes_tiles = catalog.tiles.as_ref().is_some_and(|tiles| tiles.zones.contains(&ZoneKindId::at(at)));
            (has_hooks && kind.active) || (is_tile && takes_tiles)
        };
        let counts: Vec<bool> = catalog.zones.iter().enumerate().map(counts).collect();
        if hooks.is_empty() && !counts.contains(&true) {
            hooks = design.listeners.iter().map(|of| of.hook).collect();
        }
        let copies = (0..catalog.cards.len()).map(CardId::at).filter(|of| catalog.cards[of.index()] == card);
        Watcher { card, copies: copies.collect(), host, hooks, counts }
    }

    /// Whether an option plays the card.
    pub(super) fn plays(&self, game: &Playing, of: Candidate) -> bool {
        let acts = self.after(game, of.seat, Some(of));
        if acts.is_empty() {
            return false;
        }
        let pending = game.pending();
        let mine = pending.iter().filter(|decision| decision.seat == of.seat);
        let mut rest = mine.flat_map(|decision| forward(game, decision));
        let other = rest.find(|other| !names(game.catalog(), other, self.card));
        let other = other.filter(|_| !of.aside).map(|option| Candidate { option, ..of });
        // Without another option, only what the card does now counts against it.
        let anyway = if other.is_some() || of.aside { self.after(game, of.seat, other) } else { self.rebuilt(game) };
        acts.iter().any(|act| !anyway.contains(act))
    }

    /// What the card does after an answer, or without one.
    fn after(&self, game: &Playing, seat: SeatId, of: Option<Candidate>) -> Vec<Act> {
        let (counting, places) = (self.counting(game), self.places(game));
        let mut copy = game.clone();
        copy.record_events(false);
        let before = self.runs();
        let seats: Vec<SeatId> = copy.config().seats.clone();
        let mut players = abstainers(&seats, copy.catalog(), self.card);
        let is_plain = self.is_plain();
        if of.is_none_or(|of| of.give(&mut copy).is_ok()) {
            for _ in 0..ANSWERS_TO_ACT {
                let is_acting = !self.ran_since(&before).is_empty() || self.counting(&copy) > counting;
                // What is only a card and does not move now may move for another reason later.
                let is_chosen = is_plain
                    && (self.places(&copy) != places || !copy.pending().iter().any(|decision| decision.seat == seat));
                if is_acting || is_chosen || !bots::step(&mut copy, &mut players).unwrap_or(false) {
                    break;
                }
            }
        }
        let mut acts = self.ran_since(&before);
        acts.extend((self.counting(&copy) > counting).then_some(Act::Live));
        acts.extend((is_plain && self.places(&copy) != places).then_some(Act::Moves));
        acts
    }

    /// The hooks that run because the scripts of a copy are rebuilt.
    fn rebuilt(&self, game: &Playing) -> Vec<Act> {
        let before = self.runs();
        let mut copy = game.clone();
        // If it fails, no hook has run to its end.
        let _ = copy.edit(|_| Ok(()));
        self.ran_since(&before)
    }

    /// Whether nothing but its zone shows what the card does.
    fn is_plain(&self) -> bool {
        self.hooks.is_empty() && !self.counts.contains(&true)
    }

    pub(super) fn look(&self, game: &Playing) -> Seen {
        Seen { runs: self.runs(), counting: self.counting(game), places: self.places(game) }
    }

    /// Whether the card has acted since then.
    pub(super) fn has_acted(&self, game: &Playing, since: &Seen) -> bool {
        self.runs() != since.runs
            || self.counting(game) > since.counting
            || (self.is_plain() && self.places(game) != since.places)
    }

    /// The number of runs of each hook so far.
    fn runs(&self) -> Vec<u64> {
        let all = self.host.hook_runs();
        self.hooks.iter().map(|hook| all[hook.index()]).collect()
    }

    fn ran_since(&self, before: &[u64]) -> Vec<Act> {
        let now = self.runs();
        let ran = self.hooks.iter().zip(now.iter().zip(before)).filter(|(_, (now, before))| now > before);
        ran.map(|(hook, _)| Act::Hook(*hook)).collect()
    }

    /// The zones of all copies.
    pub(super) fn places(&self, game: &Playing) -> Vec<ZoneId> {
        self.copies.iter().map(|card| game.table().world.card_zone(*card)).collect()
    }

    /// The number of copies in zones in which the card counts.
    pub(super) fn counting(&self, game: &Playing) -> usize {
        let catalog = game.catalog();
        let kind = |zone: &ZoneId| catalog.zone_list[zone.index()].0;
        self.places(game).iter().filter(|zone| self.counts[kind(zone).index()]).count()
    }
}
