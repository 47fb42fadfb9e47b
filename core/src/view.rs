//! What a seat may know: the only way out of the kernel for clients.

use serde::Serialize;

use crate::catalog::{Scope, Visible};
use crate::decision::Ask;
use crate::flow::Frame;
use crate::ids::*;
use crate::table::Table;
use crate::world::{Outcome, Piece};

/// A zone as somebody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ZoneView {
    /// Which zone.
    pub zone: ZoneKindId,
    /// Whose.
    pub owner: Option<FactionId>,
    /// Its cards, top first; an unknown face is `None`.
    pub cards: Vec<Option<CardId>>,
}

/// The table as somebody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// Who looks; none is a spectator.
    pub seat: Option<SeatId>,
    /// The counters that may be seen: counter, owner, value.
    pub counters: Vec<(CounterId, Value, Value)>,
    /// Every piece in id order; a piece that the viewer cannot see is `None`.
    pub pieces: Vec<Option<Piece>>,
    /// Who controls each space, as far as the viewer sees it.
    pub control: Vec<Option<SeatId>>,
    /// Every zone.
    pub zones: Vec<ZoneView>,
    /// Seats still playing, in turn order.
    pub order: Vec<SeatId>,
    /// Whose turn it is.
    pub active: Option<SeatId>,
    /// The phase under way.
    pub phase: Option<PhaseId>,
    /// Who has a decision to make.
    pub waiting_for: Vec<SeatId>,
    /// The viewer's own open decisions.
    pub decisions: Vec<Ask>,
    /// How the game ended.
    pub outcome: Option<Outcome>,
}

impl View {
    /// The pieces that the viewer sees.
    pub fn seen_pieces(&self) -> impl Iterator<Item = (PieceId, Piece)> + '_ {
        self.pieces.iter().enumerate().filter_map(|(at, piece)| piece.map(|piece| (PieceId::at(at), piece)))
    }
}

impl Table {
    /// Whether `seat` may see what belongs to `owner`.
    fn sees(visible: Visible, owner: Option<FactionId>, seat: Option<SeatId>) -> bool {
        match visible {
            Visible::Everyone => true,
            Visible::Owner => seat.is_some() && owner == seat,
            Visible::Nobody | Visible::Fog => false,
        }
    }

    /// Whether a bit mask of factions holds `seat`; a spectator sees what everyone sees.
    fn in_mask(mask: u32, seat: Option<SeatId>) -> bool {
        seat.map_or(mask == u32::MAX, |seat| mask >> seat.0.min(31) & 1 == 1)
    }

    /// The table as a seat sees it; `None` is a spectator.
    pub fn view(&self, seat: Option<SeatId>) -> View {
        let catalog = &self.catalog;
        let mut counters = Vec::new();
        for (at, spec) in catalog.counters.iter().enumerate() {
            let counter = CounterId::at(at);
            let mut see = |owner: Value, holder: Option<FactionId>| {
                let in_sight = match (spec.visible, owner) {
                    (Visible::Fog, Value::Space(space)) => Self::in_mask(self.seen_by(space), seat),
                    _ => false,
                };
                if (in_sight || Self::sees(spec.visible, holder, seat))
                    && let Ok(value) = self.value(counter, owner)
                {
                    counters.push((counter, owner, value));
                }
            };
            match spec.scope {
                Scope::Game => see(Value::Nil, None),
                Scope::Faction => {
                    for f in 0..catalog.playable {
                        see(Value::Faction(FactionId::at(f)), Some(FactionId::at(f)));
                    }
                }
                Scope::Space => {
                    for s in 0..catalog.spaces.len() {
                        let holder = self.world.controller(SpaceId::at(s));
                        see(Value::Space(SpaceId::at(s)), holder);
                    }
                }
                Scope::Card => {
                    for c in 0..catalog.cards.len() {
                        let (_, holder) = catalog.zone_list[self.world.card_zone(CardId::at(c)).index()];
                        see(Value::Card(CardId::at(c)), holder);
                    }
                }
            }
        }
        let zones = catalog
            .zone_list
            .iter()
            .enumerate()
            .map(|(at, (kind, owner))| {
                let open = Self::sees(catalog.zones[kind.index()].visible, *owner, seat);
                let cards = self.world.in_zone(ZoneId::at(at)).map(|card| open.then_some(card)).collect();
                ZoneView { zone: *kind, owner: *owner, cards }
            })
            .collect();
        let pending = self.pending();
        let mut waiting_for: Vec<SeatId> = pending.iter().map(|ask| ask.seat).collect();
        if matches!(self.world.flow().last(), Some(Frame::Simultaneous(_))) {
            // Who has finished a secret choice and who has not is a secret until all have.
            waiting_for = self.world.seats().collect();
        }
        View {
            seat,
            counters,
            pieces: self
                .world
                .pieces()
                .map(|(id, piece)| Self::in_mask(self.piece_seen_by(id, piece.space()), seat).then_some(piece.alone()))
                .collect(),
            control: (0..catalog.spaces.len())
                .map(SpaceId::at)
                .map(|s| self.world.controller(s).filter(|_| Self::in_mask(self.seen_by(s), seat)))
                .collect(),
            zones,
            order: self.world.seats().collect(),
            active: self.world.active(),
            phase: self.world.flow().iter().rev().find_map(|frame| match frame {
                Frame::Turns(turns) => turns.phase(catalog),
                _ => None,
            }),
            waiting_for,
            decisions: pending.into_iter().filter(|ask| Some(ask.seat) == seat).cloned().collect(),
            outcome: self.world.outcome(),
        }
    }
}
