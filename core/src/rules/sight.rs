//! What a seat sees: fog, hidden zones and counters, and the resulting view.
//!
//! Each zone and counter declares who may see it. Two worlds that differ only in what a seat cannot see give that seat
//! the same view, decisions and events. If the existence of options is itself secret, the seat is asked even if it has
//! only one (`always`).
//!
//! A counter of scope `space` can declare which seats see each space: fog. Counters and pieces under fog, and the
//! events about them, are shown only to seats that see the space and, for pieces, to their owner.

use crate::catalog::{FactionSet, NOBODY, Scope, Visible, mask_has};
use crate::ids::*;
use crate::state::{Decision, Event, Frame, Table, View, ZoneView};

impl Table {
    /// The factions that see a space; all if there is no fog, or if the counter is -1.
    pub fn seen_by(&self, space: SpaceId) -> FactionSet {
        match self.catalog.fog {
            Some(fog) => self.get(fog, Value::Space(space)).unwrap_or(0) as FactionSet,
            None => FactionSet::MAX,
        }
    }

    /// The factions that see a piece on a space or in the pool.
    pub fn piece_seen_by(&self, piece: PieceId, at: Option<SpaceId>) -> FactionSet {
        let own = self.world.piece(piece).owner().map_or(0, |owner| 1 << owner.0.min(NOBODY));
        match at {
            Some(space) if self.kind_of(piece).fogged => self.seen_by(space) | own,
            _ => FactionSet::MAX,
        }
    }

    /// The factions that see the cards of a zone.
    fn zone_seen_by(&self, zone: ZoneId) -> FactionSet {
        let (kind, owner) = self.catalog.zone_list[zone.index()];
        match (self.catalog.zones[kind.index()].visible, owner) {
            (Visible::Everyone, _) => FactionSet::MAX,
            (Visible::Owner, Some(owner)) => 1 << owner.0.min(NOBODY),
            (Visible::Owner | Visible::Nobody | Visible::Fog, _) => 0,
        }
    }

    /// The factions that may know a card: those that see its zone, and those to whom an event since the last answer has
    /// shown it.
    fn card_known_to(&self, card: CardId) -> FactionSet {
        let mut known = self.zone_seen_by(self.world.card_zone(card));
        for event in self.events.iter().rev() {
            match *event {
                _ if known == FactionSet::MAX => break,
                Event::Card { card: moved, face: true, .. } if moved == card => known = FactionSet::MAX,
                Event::Card { card: moved, from, to, .. } if moved == card => {
                    known |= self.zone_seen_by(from) | self.zone_seen_by(to);
                }
                Event::Revealed { card: shown } | Event::Tile { card: shown, .. } if shown == card => {
                    known = FactionSet::MAX;
                }
                Event::Chosen { seat, option, .. } => {
                    if option.args.contains(&Value::Card(card)) {
                        known |= 1 << seat.0.min(NOBODY);
                    }
                    break;
                }
                _ => {}
            }
        }
        known
    }

    /// Writes a message of a hook into the log. A viewer reads the name of a card only if it may know the card.
    pub fn log(&mut self, key: SymbolId, args: Args, hook: Option<HookId>) {
        if !self.record_events {
            return;
        }
        let known = |value: &Value| match value {
            Value::Card(card) => self.card_known_to(*card),
            _ => FactionSet::MAX,
        };
        let seen = std::array::from_fn(|at| args.get(at).map_or(FactionSet::MAX, known));
        self.emit(Event::Log { key, args, hook, seen });
    }

    /// A decision as its seat may see it: a card in its prompt or source is hidden unless the seat sees its zone, or is
    /// offered the card.
    pub fn shown(&self, decision: &Decision) -> Decision {
        let is_offered = |value: Value| decision.options.iter().any(|option| option.args.contains(&value));
        let known = |value: Value| match value {
            Value::Card(card) if !is_offered(value) => {
                let zone = self.world.card_zone(card);
                if mask_has(self.zone_seen_by(zone), Some(decision.seat)) { value } else { Value::Unseen }
            }
            _ => value,
        };
        let about: Vec<Value> = decision.about.iter().map(|value| known(*value)).collect();
        Decision { about: Args::new(&about), source: known(decision.source), ..decision.clone() }
    }

    /// The table as a viewer sees it; `None` is a spectator.
    pub fn view(&self, seat: Option<SeatId>) -> View {
        let catalog = &self.catalog;
        let zone = |(at, (kind, owner)): (usize, &(ZoneKindId, Option<FactionId>))| {
            let open = catalog.zones[kind.index()].visible.shows(*owner, seat);
            let cards = self.world.in_zone(ZoneId::at(at)).map(|card| open.then_some(card)).collect();
            ZoneView { zone: *kind, owner: *owner, cards }
        };
        let piece = |id: PieceId| {
            let piece = self.world.piece(id);
            mask_has(self.piece_seen_by(id, piece.space()), seat).then_some(piece.alone())
        };
        let controller = |space: SpaceId| self.world.controller(space).filter(|_| mask_has(self.seen_by(space), seat));
        let pending = self.pending();
        // It is secret which seats have finished a secret choice, until all have.
        let is_secret = matches!(self.world.flow().last(), Some(Frame::Simultaneous(_)));
        View {
            seat,
            counters: self.visible_counters(seat),
            pieces: (0..catalog.pieces.len()).map(PieceId::at).map(piece).collect(),
            control: (0..catalog.spaces.len()).map(SpaceId::at).map(controller).collect(),
            tiles: catalog
                .tiles
                .iter()
                .flat_map(|tiles| self.world.laid_tiles(tiles).map(|(cell, laid)| (tiles.space(cell), laid)))
                .collect(),
            zones: catalog.zone_list.iter().enumerate().map(zone).collect(),
            order: self.world.seats().collect(),
            active: self.world.active(),
            phase: self.world.flow().iter().rev().find_map(|frame| match frame {
                Frame::Turns(turns) => turns.phase(catalog),
                _ => None,
            }),
            waiting_for: match is_secret {
                true => self.world.seats().collect(),
                false => pending.iter().map(|decision| decision.seat).collect(),
            },
            decisions: pending
                .into_iter()
                .filter(|decision| Some(decision.seat) == seat)
                .map(|decision| self.shown(decision))
                .collect(),
            outcome: self.world.outcome(),
        }
    }

    /// The counters that a viewer sees, with owner and value.
    fn visible_counters(&self, seat: Option<SeatId>) -> Vec<(CounterId, Value, Value)> {
        let catalog = &self.catalog;
        let mut counters = Vec::new();
        for (at, spec) in catalog.counters.iter().enumerate() {
            let counter = CounterId::at(at);
            let mut see = |owner: Value, holder: Option<FactionId>| {
                let in_sight = match (spec.visible, owner) {
                    (Visible::Fog, Value::Space(space)) => mask_has(self.seen_by(space), seat),
                    _ => false,
                };
                if (in_sight || spec.visible.shows(holder, seat))
                    && let Ok(value) = self.value(counter, owner)
                {
                    counters.push((counter, owner, value));
                }
            };
            match spec.scope {
                Scope::Game => see(Value::Nil, None),
                Scope::Faction => {
                    for faction in (0..catalog.playable).map(FactionId::at) {
                        see(Value::Faction(faction), Some(faction));
                    }
                }
                Scope::Space => {
                    for space in (0..catalog.spaces.len()).map(SpaceId::at) {
                        see(Value::Space(space), self.world.controller(space));
                    }
                }
                Scope::Card => {
                    for card in (0..catalog.cards.len()).map(CardId::at) {
                        let (_, holder) = catalog.zone_list[self.world.card_zone(card).index()];
                        see(Value::Card(card), holder);
                    }
                }
            }
        }
        counters
    }
}
