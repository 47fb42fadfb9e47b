//! Events: what happened, for logs, displays, replays and snapshot tests.

use super::decision::DecisionOption;
use super::tiles::Laid;
use crate::catalog::{Catalog, Visible, mask_has};
use crate::ids::*;

/// Something that happened. A field `seen` is a bit mask of the factions that saw it, all bits set if everyone did; it
/// is 0 in events that have passed through [`Event::seen_by`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A phase begins.
    Phase {
        /// The phase.
        phase: PhaseId,
        /// The seat it begins for; `None` if for the whole game.
        seat: Option<SeatId>,
    },
    /// A counter changed.
    Counter {
        /// The counter.
        counter: CounterId,
        /// Whose value changed; [`Value::Nil`] for a counter of the game.
        owner: Value,
        /// The stored number before.
        from: i32,
        /// The stored number now.
        to: i32,
        /// The value now: the same number or, if the counter holds handles, the handle.
        to_value: Value,
        /// Who saw it: everyone, unless the counter is fogged.
        seen: u32,
    },
    /// A piece went from one place to another.
    Piece {
        /// The piece.
        piece: PieceId,
        /// Its owner.
        owner: Option<FactionId>,
        /// The space it left; `None` is the pool.
        from: Option<SpaceId>,
        /// The space it came to; `None` is the pool.
        to: Option<SpaceId>,
        /// Who saw it leave and who saw it arrive.
        seen: (u32, u32),
    },
    /// A piece changed hands where it is.
    Given {
        /// The piece.
        piece: PieceId,
        /// Its owner before.
        from: Option<FactionId>,
        /// Its owner now.
        to: Option<FactionId>,
        /// The space it stands on; `None` is the pool.
        space: Option<SpaceId>,
        /// Who saw it.
        seen: u32,
    },
    /// A card went from one zone to another.
    Card {
        /// The card; any card represents one that the viewer does not know (see [`SeenEvent::hidden`]).
        card: CardId,
        /// The zone it left.
        from: ZoneId,
        /// The zone it came to.
        to: ZoneId,
        /// Whether everyone saw its face, whatever the zones say.
        face: bool,
    },
    /// A card was shown to everyone.
    Revealed {
        /// The card.
        card: CardId,
    },
    /// A tile was laid on a cell, taken up from it, or its links were joined.
    Tile {
        /// Its card.
        card: CardId,
        /// The cell.
        space: SpaceId,
        /// How it lies there now; `None` if it was taken up.
        laid: Option<Laid>,
    },
    /// A zone was shuffled.
    Shuffled {
        /// The zone.
        zone: ZoneId,
    },
    /// Control of a space changed.
    Control {
        /// The space.
        space: SpaceId,
        /// Who controlled it before.
        from: Option<FactionId>,
        /// Who controls it now.
        to: Option<FactionId>,
        /// Who saw it.
        seen: u32,
    },
    /// A seat took an option; only the seat itself hears of it.
    Chosen {
        /// The seat.
        seat: SeatId,
        /// The kind of the decision.
        decision: DecisionId,
        /// The option.
        option: DecisionOption,
    },
    /// A script rolled a die.
    Rolled {
        /// How many faces it has.
        sides: i32,
        /// The result, from 1 to `sides`.
        result: i32,
    },
    /// A battle begins.
    Battle {
        /// The space it is fought on.
        space: SpaceId,
        /// The faction that moved in.
        attacker: FactionId,
        /// The faction that was there.
        defender: FactionId,
    },
    /// The die of a side was rolled or turned.
    Face {
        /// The space of the battle.
        space: SpaceId,
        /// Keyword of the side: `attacker` or `defender`.
        side: SymbolId,
        /// Keyword of the face it shows now.
        face: SymbolId,
    },
    /// A battle was counted.
    Count {
        /// The space of the battle.
        space: SpaceId,
        /// Strength and shields of the attacker, at least 0 each.
        attacker: (i32, i32),
        /// Strength and shields of the defender, at least 0 each.
        defender: (i32, i32),
    },
    /// A battle was won.
    BattleWon {
        /// The space of the battle.
        space: SpaceId,
        /// The faction that won.
        winner: FactionId,
        /// The faction that lost.
        loser: FactionId,
    },
    /// A script wrote a message.
    Log {
        /// Keyword of the message.
        key: SymbolId,
        /// What fills its placeholders, in order.
        args: Args,
    },
    /// A seat is out of the game.
    Eliminated {
        /// The seat.
        seat: SeatId,
    },
    /// The game is over.
    Over {
        /// The winner; `None` is a draw.
        winner: Option<SeatId>,
        /// Why, as a keyword of the pack.
        cause: SymbolId,
    },
}

impl Event {
    /// The event without its notes on who saw it, which are a secret of the others.
    fn without_witnesses(mut self) -> Event {
        match &mut self {
            Event::Counter { seen, .. } | Event::Control { seen, .. } | Event::Given { seen, .. } => *seen = 0,
            Event::Piece { seen, .. } => *seen = (0, 0),
            _ => {}
        }
        self
    }

    /// The event as a viewer may see it, a spectator if `seat` is `None`. Gives `None` for what the viewer may not see
    /// at all.
    pub fn seen_by(&self, catalog: &Catalog, seat: Option<SeatId>) -> Option<SeenEvent> {
        let full = SeenEvent { event: self.without_witnesses(), hidden: false };
        match *self {
            Event::Chosen { seat: chooser, .. } => (Some(chooser) == seat).then_some(full),
            Event::Counter { counter, owner, seen, .. } => match catalog.counters[counter.index()].visible {
                Visible::Everyone => Some(full),
                Visible::Owner => (seat.map(Value::Faction) == Some(owner)).then_some(full),
                Visible::Nobody => None,
                Visible::Fog => mask_has(seen, seat).then_some(full),
            },
            Event::Control { seen, .. } | Event::Given { seen, .. } => mask_has(seen, seat).then_some(full),
            Event::Piece { piece, owner, from, to, seen } => {
                let (left, arrived) = (mask_has(seen.0, seat), mask_has(seen.1, seat));
                let event = Event::Piece {
                    piece,
                    owner,
                    from: from.filter(|_| left),
                    to: to.filter(|_| arrived),
                    seen: (0, 0),
                };
                match (left, arrived) {
                    (true, true) => Some(full),
                    // Half of the way is in the fog: where it came from or went to is not told.
                    (true, false) | (false, true) => Some(SeenEvent { event, hidden: false }),
                    (false, false) => None,
                }
            }
            Event::Card { card: _, from, to, face } => {
                let sees = |zone: ZoneId| {
                    let (kind, owner) = catalog.zone_list[zone.index()];
                    catalog.zones[kind.index()].visible.shows(owner, seat)
                };
                if face || sees(from) || sees(to) {
                    return Some(full);
                }
                // The card's identity is a secret: any card represents it.
                Some(SeenEvent { event: Event::Card { card: CardId(0), from, to, face }, hidden: true })
            }
            _ => Some(full),
        }
    }
}

/// An event as somebody sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenEvent {
    /// The event, without what the viewer may not know.
    pub event: Event,
    /// Whether the card in it is unknown to the viewer and represents any card.
    pub hidden: bool,
}
