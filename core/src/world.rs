//! The [`World`]: the mutable table, plain data from end to end.

use serde::{Deserialize, Serialize};

use crate::catalog::{Catalog, GameConfig, Scope, StartWhen, Visible};
use crate::flow::Frame;
use crate::ids::*;
use crate::rng::Rng;

/// A piece that stands on no space.
const POOL: u16 = u16::MAX;
const NONE: u16 = u16::MAX;

/// A piece on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Piece {
    place: u16,
    /// The next piece on the same space, in id order.
    next: u16,
    owner: u8,
}

impl Piece {
    /// The piece without its place in the list of its space, which would tell of pieces that a viewer cannot see.
    pub(crate) fn alone(self) -> Piece {
        Piece { next: NONE, ..self }
    }
    /// The space it stands on; none in the pool.
    pub fn space(&self) -> Option<SpaceId> {
        (self.place != POOL).then_some(SpaceId(self.place))
    }
    /// Whose it is.
    pub fn owner(&self) -> Option<FactionId> {
        (self.owner != u8::MAX).then_some(FactionId(self.owner))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct CardSlot {
    zone: u16,
    next: u16,
    prev: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct ZoneSlot {
    head: u16,
    tail: u16,
    len: u16,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner; none is a draw.
    pub winner: Option<SeatId>,
    /// Why, as a keyword of the pack.
    pub cause: SymbolId,
}

/// An effect hook point that waits for the next pause.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Trigger {
    /// The point.
    pub point: PointId,
    /// Its arguments.
    pub args: Args,
}

/// What a takeover of a space really brought its controller.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Gain {
    /// The space.
    pub space: SpaceId,
    /// The counter.
    pub counter: CounterId,
    /// Points gained, after the counter's bounds.
    pub amount: i32,
}

/// The table: everything that changes during a game.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct World {
    pub(crate) counters: Vec<i32>,
    pieces: Vec<Piece>,
    /// The first piece on each space.
    heads: Vec<u16>,
    pub(crate) control: Vec<u8>,
    cards: Vec<CardSlot>,
    zones: Vec<ZoneSlot>,
    /// For each hook point, how many cards in active zones listen.
    pub(crate) live: Vec<u16>,
    pub(crate) led: u32,
    pub(crate) playing: u32,
    pub(crate) order: Vec<FactionId>,
    pub(crate) active: Option<SeatId>,
    pub(crate) rng: Rng,
    pub(crate) flow: Vec<Frame>,
    pub(crate) next_frame: u32,
    pub(crate) triggers: Vec<Trigger>,
    pub(crate) gains: Vec<Gain>,
    pub(crate) outcome: Option<Outcome>,
}

// By hand, because a derived `clone_from` would throw the target's buffers away; games copy worlds all the time.
impl Clone for World {
    fn clone(&self) -> Self {
        World {
            counters: self.counters.clone(),
            pieces: self.pieces.clone(),
            heads: self.heads.clone(),
            control: self.control.clone(),
            cards: self.cards.clone(),
            zones: self.zones.clone(),
            live: self.live.clone(),
            led: self.led,
            playing: self.playing,
            order: self.order.clone(),
            active: self.active,
            rng: self.rng.clone(),
            flow: self.flow.clone(),
            next_frame: self.next_frame,
            triggers: self.triggers.clone(),
            gains: self.gains.clone(),
            outcome: self.outcome,
        }
    }
    fn clone_from(&mut self, source: &Self) {
        let World {
            counters,
            pieces,
            heads,
            control,
            cards,
            zones,
            live,
            led,
            playing,
            order,
            active,
            rng,
            flow,
            next_frame,
            triggers,
            gains,
            outcome,
        } = source;
        self.counters.clone_from(counters);
        self.pieces.clone_from(pieces);
        self.heads.clone_from(heads);
        self.control.clone_from(control);
        self.cards.clone_from(cards);
        self.zones.clone_from(zones);
        self.live.clone_from(live);
        self.led = *led;
        self.playing = *playing;
        self.order.clone_from(order);
        self.active = *active;
        self.rng.clone_from(rng);
        self.flow.clone_from(flow);
        self.next_frame = *next_frame;
        self.triggers.clone_from(triggers);
        self.gains.clone_from(gains);
        self.outcome = *outcome;
    }
}

impl World {
    /// The table before the first phase: the box unpacked, starting pieces on their spaces, cards in their start zones.
    pub(crate) fn new(catalog: &Catalog, config: &GameConfig) -> World {
        let led = config.seats.iter().fold(0u32, |mask, seat| mask | 1 << seat.0);
        let mut order = config.seats.clone();
        order.sort_unstable();
        let mut world = World {
            counters: vec![0; catalog.counter_values],
            pieces: catalog
                .pieces
                .iter()
                .map(|spec| Piece { place: POOL, next: NONE, owner: spec.owner.map_or(u8::MAX, |f| f.0) })
                .collect(),
            heads: vec![NONE; catalog.spaces.len()],
            control: vec![u8::MAX; catalog.spaces.len()],
            cards: vec![CardSlot { zone: NONE, next: NONE, prev: NONE }; catalog.cards.len()],
            zones: vec![ZoneSlot { head: NONE, tail: NONE, len: 0 }; catalog.zone_list.len()],
            live: vec![0; catalog.points.len()],
            led,
            playing: led,
            order,
            active: None,
            rng: Rng::new(config.seed),
            flow: Vec::new(),
            next_frame: 1,
            triggers: Vec::new(),
            gains: Vec::new(),
            outcome: None,
        };
        for counter in &catalog.counters {
            let values = match counter.scope {
                Scope::Game => 1,
                Scope::Faction => catalog.playable,
                Scope::Space => catalog.spaces.len(),
                Scope::Card => catalog.cards.len(),
            };
            world.counters[counter.offset..counter.offset + values].fill(counter.start);
        }
        for (counter, value) in &config.options {
            world.counters[catalog.counters[counter.index()].offset] = *value;
        }
        for (at, design) in catalog.cards.iter().enumerate() {
            world.attach_card(catalog, CardId::at(at), catalog.designs[design.index()].start, false);
        }
        for (at, space) in catalog.spaces.iter().enumerate() {
            for start in &space.pieces {
                let is_led = start.faction.is_some_and(|f| world.is_led(f));
                let placed = match start.when {
                    StartWhen::Always => true,
                    StartWhen::Led => is_led,
                    StartWhen::Unled => !is_led,
                };
                for _ in 0..if placed { start.count } else { 0 } {
                    if let Some(piece) = world.pooled(catalog, start.kind, start.faction) {
                        world.set_piece(piece, Some(SpaceId::at(at)));
                    }
                }
            }
        }
        world
    }

    // Seats -------------------------------------------------------------------------------------------------------

    /// Whether the faction was led when the game began.
    pub fn was_led(&self, faction: FactionId) -> bool {
        self.led >> faction.0 & 1 == 1
    }
    /// Whether somebody leads the faction now.
    pub fn is_led(&self, faction: FactionId) -> bool {
        faction.0 < 32 && self.playing >> faction.0 & 1 == 1
    }
    /// The seats still playing, in turn order.
    pub fn seats(&self) -> impl Iterator<Item = SeatId> + '_ {
        self.order.iter().copied().filter(|seat| self.is_led(*seat))
    }
    /// The turn order, eliminated seats included.
    pub fn order(&self) -> &[SeatId] {
        &self.order
    }
    /// Whose turn it is, in phases that go from seat to seat.
    pub fn active(&self) -> Option<SeatId> {
        self.active
    }
    /// How the game ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
    /// The frames of the flow, innermost last.
    pub fn flow(&self) -> &[Frame] {
        &self.flow
    }

    // Pieces ------------------------------------------------------------------------------------------------------

    /// A piece.
    pub fn piece(&self, piece: PieceId) -> Piece {
        self.pieces[piece.index()]
    }
    /// All pieces in id order.
    pub fn pieces(&self) -> impl Iterator<Item = (PieceId, Piece)> + '_ {
        self.pieces.iter().enumerate().map(|(at, piece)| (PieceId::at(at), *piece))
    }
    /// The pieces from one place in the box to another.
    pub(crate) fn pieces_in(&self, span: std::ops::Range<usize>) -> impl Iterator<Item = (PieceId, Piece)> + '_ {
        let pieces = self.pieces.get(span.clone()).unwrap_or_default();
        span.zip(pieces).map(|(at, piece)| (PieceId::at(at), *piece))
    }
    /// The pieces on a space, in id order.
    pub fn on_space(&self, space: SpaceId) -> impl Iterator<Item = PieceId> + '_ {
        let mut at = self.heads[space.index()];
        std::iter::from_fn(move || {
            (at != NONE).then(|| {
                let piece = PieceId(at);
                at = self.pieces[piece.index()].next;
                piece
            })
        })
    }
    /// The first piece of a kind and owner that is in the pool.
    pub fn pooled(&self, catalog: &Catalog, kind: KindId, owner: Option<FactionId>) -> Option<PieceId> {
        catalog.pieces.of_kind(kind).find(|id| {
            let piece = self.piece(*id);
            piece.place == POOL && piece.owner() == owner
        })
    }
    /// Moves a piece without any consequence.
    pub(crate) fn set_piece(&mut self, piece: PieceId, to: Option<SpaceId>) {
        let old = self.pieces[piece.index()];
        if let Some(space) = old.space() {
            // Unlink; lists are short, so walking them is cheap.
            let mut link = self.heads[space.index()];
            if link == piece.0 {
                self.heads[space.index()] = old.next;
            } else {
                while link != NONE {
                    let next = self.pieces[usize::from(link)].next;
                    if next == piece.0 {
                        self.pieces[usize::from(link)].next = old.next;
                        break;
                    }
                    link = next;
                }
            }
        }
        self.pieces[piece.index()].next = NONE;
        self.pieces[piece.index()].place = to.map_or(POOL, |space| space.0);
        if let Some(space) = to {
            let head = self.heads[space.index()];
            if head == NONE || head > piece.0 {
                self.pieces[piece.index()].next = head;
                self.heads[space.index()] = piece.0;
            } else {
                let mut link = head;
                loop {
                    let next = self.pieces[usize::from(link)].next;
                    if next == NONE || next > piece.0 {
                        self.pieces[piece.index()].next = next;
                        self.pieces[usize::from(link)].next = piece.0;
                        break;
                    }
                    link = next;
                }
            }
        }
    }
    /// Gives a piece to another owner.
    pub(crate) fn set_owner(&mut self, piece: PieceId, owner: Option<FactionId>) {
        self.pieces[piece.index()].owner = owner.map_or(u8::MAX, |f| f.0);
    }
    /// The factions whose occupying pieces stand on a space, as a bit mask; bit 31 is pieces without owner.
    #[inline]
    pub fn occupant_mask(&self, catalog: &Catalog, space: SpaceId) -> u32 {
        let mut mask = 0;
        for piece in self.on_space(space) {
            if catalog.kinds[catalog.pieces[piece.index()].kind.index()].occupies {
                mask |= 1 << self.pieces[piece.index()].owner.min(31);
            }
        }
        mask
    }
    /// The factions whose occupying pieces stand on a space.
    pub fn occupants(&self, catalog: &Catalog, space: SpaceId) -> impl Iterator<Item = FactionId> + use<> {
        let mask = self.occupant_mask(catalog, space);
        (0..31u8).filter(move |bit| mask >> bit & 1 == 1).map(FactionId)
    }
    /// Who controls a space.
    pub fn controller(&self, space: SpaceId) -> Option<SeatId> {
        let seat = self.control[space.index()];
        (seat != u8::MAX).then_some(FactionId(seat))
    }

    // Imagination -------------------------------------------------------------------------------------------------

    pub(crate) fn reseed(&mut self, source: &mut Rng) {
        self.rng.reseed(source);
    }

    /// Deals the cards anew that `seat` can see neither here nor in the later world `now`: cards of one type change places
    /// with each other.
    pub(crate) fn deal_unseen(&mut self, catalog: &Catalog, now: &World, seat: SeatId, rng: &mut Rng) {
        let unseen = |world: &World, card: CardId| {
            let zone = world.card_zone(card);
            let (kind, owner) = catalog.zone_list[zone.index()];
            match catalog.zones[kind.index()].visible {
                Visible::Everyone => false,
                Visible::Owner => owner != Some(seat),
                Visible::Nobody | Visible::Fog => true,
            }
        };
        let cards: Vec<CardId> =
            (0..catalog.cards.len()).map(CardId::at).filter(|card| unseen(self, *card) && unseen(now, *card)).collect();
        let mut types: Vec<SymbolId> = cards.iter().map(|card| catalog.design_of(*card).card_type).collect();
        types.sort_unstable();
        types.dedup();
        // Which card takes the place of which.
        let mut swap: Vec<CardId> = (0..catalog.cards.len()).map(CardId::at).collect();
        for card_type in types {
            let group: Vec<CardId> =
                cards.iter().copied().filter(|card| catalog.design_of(*card).card_type == card_type).collect();
            let mut dealt = group.clone();
            rng.shuffle(&mut dealt);
            for (place, card) in group.iter().zip(dealt) {
                swap[place.index()] = card;
            }
        }
        let zones: Vec<Vec<CardId>> =
            (0..catalog.zone_list.len()).map(|zone| self.in_zone(ZoneId::at(zone)).collect()).collect();
        for zone in &zones {
            for card in zone {
                self.detach_card(catalog, *card);
            }
        }
        for (at, zone) in zones.iter().enumerate() {
            for card in zone {
                self.attach_card(catalog, swap[card.index()], ZoneId::at(at), false);
            }
        }
    }

    /// Lets the spaces that `seat` has seen neither here nor in the later world `now` change places under the fog: what
    /// one counter says of a space goes with what all others say of it.
    pub(crate) fn stir_fog(&mut self, catalog: &Catalog, now: &World, seat: SeatId, rng: &mut Rng) {
        let Some(fog) = catalog.fog.map(|fog| catalog.counters[fog.index()].offset) else { return };
        let unseen = |world: &World, space: usize| world.counters[fog + space] >> seat.0.min(31) & 1 == 0;
        let spaces: Vec<usize> =
            (0..catalog.spaces.len()).filter(|space| unseen(self, *space) && unseen(now, *space)).collect();
        let mut from = spaces.clone();
        rng.shuffle(&mut from);
        for counter in catalog.counters.iter().filter(|counter| counter.visible == Visible::Fog) {
            let old: Vec<i32> = from.iter().map(|space| self.counters[counter.offset + space]).collect();
            for (space, value) in spaces.iter().zip(old) {
                self.counters[counter.offset + space] = value;
            }
        }
    }

    // Cards -------------------------------------------------------------------------------------------------------

    /// The zone a card is in.
    pub fn card_zone(&self, card: CardId) -> ZoneId {
        ZoneId(self.cards[card.index()].zone)
    }
    /// How many cards a zone holds.
    pub fn zone_len(&self, zone: ZoneId) -> usize {
        usize::from(self.zones[zone.index()].len)
    }
    /// The cards of a zone, top first.
    pub fn in_zone(&self, zone: ZoneId) -> impl Iterator<Item = CardId> + '_ {
        let mut at = self.zones[zone.index()].head;
        std::iter::from_fn(move || {
            (at != NONE).then(|| {
                let card = CardId(at);
                at = self.cards[card.index()].next;
                card
            })
        })
    }
    /// The top card of a zone.
    pub fn top(&self, zone: ZoneId) -> Option<CardId> {
        let head = self.zones[zone.index()].head;
        (head != NONE).then_some(CardId(head))
    }
    pub(crate) fn detach_card(&mut self, catalog: &Catalog, card: CardId) {
        let CardSlot { zone, next, prev } = self.cards[card.index()];
        if zone == NONE {
            return;
        }
        let slot = &mut self.zones[usize::from(zone)];
        slot.len -= 1;
        if slot.head == card.0 {
            slot.head = next;
        }
        if slot.tail == card.0 {
            slot.tail = prev;
        }
        if next != NONE {
            self.cards[usize::from(next)].prev = prev;
        }
        if prev != NONE {
            self.cards[usize::from(prev)].next = next;
        }
        self.count_live(catalog, card, ZoneId(zone), false);
        self.cards[card.index()] = CardSlot { zone: NONE, next: NONE, prev: NONE };
    }
    pub(crate) fn attach_card(&mut self, catalog: &Catalog, card: CardId, zone: ZoneId, top: bool) {
        let ZoneSlot { head, tail, len } = self.zones[zone.index()];
        let slot = &mut self.zones[zone.index()];
        slot.len = len + 1;
        if top {
            slot.head = card.0;
            if tail == NONE {
                slot.tail = card.0;
            }
            if head != NONE {
                self.cards[usize::from(head)].prev = card.0;
            }
            self.cards[card.index()] = CardSlot { zone: zone.0, next: head, prev: NONE };
        } else {
            slot.tail = card.0;
            if head == NONE {
                slot.head = card.0;
            }
            if tail != NONE {
                self.cards[usize::from(tail)].next = card.0;
            }
            self.cards[card.index()] = CardSlot { zone: zone.0, next: NONE, prev: tail };
        }
        self.count_live(catalog, card, zone, true);
    }
    fn count_live(&mut self, catalog: &Catalog, card: CardId, zone: ZoneId, enters: bool) {
        let kind = catalog.zone_list[zone.index()].0;
        if !catalog.zones[kind.index()].active {
            return;
        }
        for listener in &catalog.design_of(card).listeners {
            let count = &mut self.live[listener.point.index()];
            *count = if enters { *count + 1 } else { *count - 1 };
        }
    }
}
