//! Events: what happened, for logs, displays, replays and snapshot tests.

use crate::catalog::{Catalog, Visible};
use crate::decision::Choice;
use crate::ids::*;

/// Something that happened. The fields say it by their names: who, what, from where, to where.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A phase begins, for one seat or for all.
    Phase { phase: PhaseId, seat: Option<SeatId> },
    /// A counter changed. Holders that keep a handle show it in `to_value`.
    /// `seen` says, for counters under fog, which factions saw it.
    Counter { counter: CounterId, owner: Value, from: i32, to: i32, to_value: Value, seen: u32 },
    /// A piece went from a space (or the pool) to another. `seen` says which factions saw it leave and arrive.
    Piece { piece: PieceId, owner: Option<FactionId>, from: Option<SpaceId>, to: Option<SpaceId>, seen: (u32, u32) },
    /// A piece changed hands where it is. `seen` says which factions saw it.
    Given { piece: PieceId, from: Option<FactionId>, to: Option<FactionId>, space: Option<SpaceId>, seen: u32 },
    /// A card went from one zone to another. `face` is whether everyone saw it.
    Card { card: CardId, from: ZoneId, to: ZoneId, face: bool },
    /// A card was shown to everyone.
    Revealed { card: CardId },
    /// A zone was shuffled.
    Shuffled { zone: ZoneId },
    /// Control of a space changed. `seen` says which factions saw it.
    Control { space: SpaceId, from: Option<FactionId>, to: Option<FactionId>, seen: u32 },
    /// A seat chose.
    Chosen { seat: SeatId, decision: DecisionId, choice: Choice },
    /// A die was rolled.
    Rolled { sides: i32, result: i32 },
    /// A battle begins.
    Battle { space: SpaceId, attacker: FactionId, defender: FactionId },
    /// A side's battle die shows a face.
    Face { space: SpaceId, side: SymbolId, face: SymbolId },
    /// The count of a battle: strength against shields for each side.
    Count { space: SpaceId, attacker: (i32, i32), defender: (i32, i32) },
    /// A battle was won.
    BattleWon { space: SpaceId, winner: FactionId, loser: FactionId },
    /// A message of a script.
    Log { key: SymbolId, args: Args },
    /// A seat is out of the game.
    Eliminated { seat: SeatId },
    /// The game is over.
    Over { winner: Option<SeatId>, cause: SymbolId },
}

impl Event {
    /// The event without its notes on who saw it: a secret of the others.
    fn without_witnesses(mut self) -> Event {
        match &mut self {
            Event::Counter { seen, .. } | Event::Control { seen, .. } | Event::Given { seen, .. } => *seen = 0,
            Event::Piece { seen, .. } => *seen = (0, 0),
            _ => {}
        }
        self
    }

    /// The event as `seat` may see it; `None` where it may not see it at all. `seat` none is a spectator.
    pub fn seen_by(&self, catalog: &Catalog, seat: Option<SeatId>) -> Option<SeenEvent> {
        let full = SeenEvent { event: self.without_witnesses(), hidden: false };
        match *self {
            Event::Chosen { seat: chooser, .. } => (Some(chooser) == seat).then_some(full),
            Event::Counter { counter, owner, seen, .. } => match catalog.counters[counter.index()].visible {
                Visible::Everyone => Some(full),
                Visible::Owner => (seat.map(Value::Faction) == Some(owner)).then_some(full),
                Visible::Nobody => None,
                Visible::Fog => sees(seen, seat).then_some(full),
            },
            Event::Control { seen, .. } | Event::Given { seen, .. } => sees(seen, seat).then_some(full),
            Event::Piece { piece, owner, from, to, seen } => {
                let (left, arrived) = (sees(seen.0, seat), sees(seen.1, seat));
                let event = Event::Piece {
                    piece,
                    owner,
                    from: from.filter(|_| left),
                    to: to.filter(|_| arrived),
                    seen: (0, 0),
                };
                match (left, arrived) {
                    (true, true) => Some(full),
                    // Half of the way lies in the fog: where it came from or went to is not told.
                    (true, false) | (false, true) => Some(SeenEvent { event, hidden: false }),
                    (false, false) => None,
                }
            }
            Event::Card { card: _, from, to, face } => {
                let sees = |zone: ZoneId| {
                    let (kind, owner) = catalog.zone_list[zone.index()];
                    match catalog.zones[kind.index()].visible {
                        Visible::Everyone => true,
                        Visible::Owner => seat.is_some() && owner == seat,
                        Visible::Nobody | Visible::Fog => false,
                    }
                };
                if face || sees(from) || sees(to) {
                    return Some(full);
                }
                // The card's identity is a secret: any card stands for it.
                Some(SeenEvent { event: Event::Card { card: CardId(0), from, to, face }, hidden: true })
            }
            _ => Some(full),
        }
    }
}

/// Whether a seat is in a mask of factions; a spectator sees what everyone sees.
fn sees(mask: u32, seat: Option<SeatId>) -> bool {
    match seat {
        Some(seat) => mask >> seat.0.min(31) & 1 == 1,
        None => mask == u32::MAX,
    }
}

/// An event as somebody sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenEvent {
    /// The event.
    pub event: Event,
    /// Whether the card in it is unknown to the viewer.
    pub hidden: bool,
}
