//! Events: what happened, for logs, displays, replays and transcripts.

use super::decision::DecisionOption;
use super::tiles::Laid;
use crate::catalog::{Catalog, FactionSet, Visible, mask_has};
use crate::ids::*;

/// Something that happened. A field `seen` is the set of the factions that saw it, with all bits set if everyone
/// did. It is 0 in events from [`Event::seen_by`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A phase begins.
    Phase {
        /// As the flow declares it.
        phase: PhaseId,
        /// The seat for which it begins; `None` for the whole game.
        seat: Option<SeatId>,
    },
    /// A counter changed.
    Counter {
        /// The counter that changed.
        counter: CounterId,
        /// The owner of the value; [`Value::Nil`] for a counter of the game.
        owner: Value,
        /// The stored number before.
        from: i32,
        /// The stored number now.
        to: i32,
        /// The new value: the same number or, if the counter holds handles, the handle.
        to_value: Value,
        /// Who saw it: everyone, unless the counter is in the fog.
        seen: FactionSet,
    },
    /// A piece moved.
    Piece {
        /// The piece that moved.
        piece: PieceId,
        /// Its owner; `None` if nobody owns it.
        owner: Option<FactionId>,
        /// The space it left; `None` is the pool.
        from: Option<SpaceId>,
        /// The space it entered; `None` is the pool.
        to: Option<SpaceId>,
        /// Who saw it leave and who saw it arrive.
        seen: (FactionSet, FactionSet),
    },
    /// A piece changed its owner without moving.
    Given {
        /// The piece that changed hands.
        piece: PieceId,
        /// The owner before.
        from: Option<FactionId>,
        /// The owner now.
        to: Option<FactionId>,
        /// The space it stands on; `None` is the pool.
        space: Option<SpaceId>,
        /// Who saw it.
        seen: FactionSet,
    },
    /// A card moved between zones.
    Card {
        /// The card. If the viewer does not know it, this is an arbitrary card (see [`SeenEvent::hidden`]).
        card: CardId,
        /// The zone it left.
        from: ZoneId,
        /// The zone it entered.
        to: ZoneId,
        /// Whether everyone saw its face, regardless of the zones.
        face: bool,
        /// Whether it was drawn unseen from the top of a zone. Always false in events from [`Event::seen_by`], because
        /// it can tell where in a hidden zone a card was.
        drawn: bool,
    },
    /// A card was shown to everyone.
    Revealed {
        /// From now on, everyone knows its face.
        card: CardId,
    },
    /// A tile was laid on a cell or taken off it, or its links were joined.
    Tile {
        /// The card whose edges the tile has.
        card: CardId,
        /// The cell.
        space: SpaceId,
        /// The laid tile; `None` if it was taken off.
        laid: Option<Laid>,
    },
    /// A zone was shuffled.
    Shuffled {
        /// Its cards have a new, secret order.
        zone: ZoneId,
    },
    /// Control of a space changed.
    Control {
        /// Where control changed.
        space: SpaceId,
        /// The controller before.
        from: Option<FactionId>,
        /// The controller now.
        to: Option<FactionId>,
        /// Who saw it.
        seen: FactionSet,
    },
    /// A seat took an option. Only that seat sees this event.
    Chosen {
        /// Who answered.
        seat: SeatId,
        /// The kind of the decision.
        decision: DecisionId,
        /// The answer, as it was offered.
        option: DecisionOption,
    },
    /// A script rolled a die.
    Rolled {
        /// The number of faces.
        sides: i32,
        /// The result, from 1 to `sides`.
        result: i32,
    },
    /// A battle begins.
    Battle {
        /// Where it is fought.
        space: SpaceId,
        /// The faction that moved in.
        attacker: FactionId,
        /// The faction that was there before.
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
        /// The values for its placeholders, in order. For a viewer, an unknown card is [`Value::Unseen`].
        args: Args,
        /// The hook that wrote it; `None` in events from [`Event::seen_by`].
        hook: Option<HookId>,
        /// For each value, who may know it.
        seen: [FactionSet; Args::MOST],
    },
    /// A seat was eliminated.
    Eliminated {
        /// Who is out of the game.
        seat: SeatId,
    },
    /// The game is over.
    Over {
        /// The winner; `None` is a draw.
        winner: Option<SeatId>,
        /// The cause, as a keyword of the pack.
        cause: SymbolId,
    },
}

impl Event {
    /// The event without what is secret: who saw it, and whether a card was drawn.
    fn without_witnesses(mut self) -> Event {
        match &mut self {
            Event::Counter { seen, .. } | Event::Control { seen, .. } | Event::Given { seen, .. } => *seen = 0,
            Event::Piece { seen, .. } => *seen = (0, 0),
            Event::Card { drawn, .. } => *drawn = false,
            Event::Log { hook, seen, .. } => (*hook, *seen) = (None, [0; Args::MOST]),
            _ => {}
        }
        self
    }

    /// The event as a viewer may see it; `None` as `seat` is a spectator. Returns `None` if the viewer may not see it
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
                    // Half of the move is in the fog, so the hidden end is left out.
                    (true, false) | (false, true) => Some(SeenEvent { event, hidden: false }),
                    (false, false) => None,
                }
            }
            Event::Card { card: _, from, to, face, drawn: _ } => {
                let sees = |zone: ZoneId| {
                    let (kind, owner) = catalog.zone_list[zone.index()];
                    catalog.zones[kind.index()].visible.shows(owner, seat)
                };
                if face || sees(from) || sees(to) {
                    return Some(full);
                }
                // The card's identity is secret, so any card stands for it.
                Some(SeenEvent { event: Event::Card { card: CardId(0), from, to, face, drawn: false }, hidden: true })
            }
            Event::Log { key, args, seen, .. } => {
                let known =
                    |(value, seen): (&Value, &FactionSet)| if mask_has(*seen, seat) { *value } else { Value::Unseen };
                let args: Vec<Value> = args.iter().zip(&seen).map(known).collect();
                let event = Event::Log { key, args: Args::new(&args), hook: None, seen: [0; Args::MOST] };
                Some(SeenEvent { event, hidden: false })
            }
            _ => Some(full),
        }
    }
}

/// An event as a viewer sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenEvent {
    /// The event, without what the viewer may not know.
    pub event: Event,
    /// Whether the viewer does not know its card, so that it stands for any card.
    pub hidden: bool,
}
