//! The features of a position, as a seat sees it.

use super::ground::{controlled_by, open_tracks, sees_piece};
use crate::catalog::{Catalog, Holds, Scope, Visible};
use crate::ids::*;
use crate::state::Table;

/// Boards with more spaces have no features for single spaces.
const MOST_SPACES: usize = 256;
/// Numbers of tracks are also divided into this many steps.
const STEPS: usize = 8;
/// Means over the other seats are in parts of this size.
const PART: i32 = 16;
/// No feature is greater.
const MOST: i32 = 32_767;
/// Numbers of seats and places in the turn order above this are not told apart.
const MOST_SEATS: usize = 8;

/// A counter of seats, and its features.
#[derive(Clone, Debug)]
struct SeatCounter {
    counter: CounterId,
    /// Whether everybody sees it.
    open: bool,
    /// The first feature: the own number, then the mean and the greatest of others, then the steps of a track.
    first: usize,
    track: bool,
}

/// A zone that every seat has, and its features.
#[derive(Clone, Debug)]
struct SeatZone {
    zone: ZoneKindId,
    /// The first feature: the own number of cards, the mean of others.
    first: usize,
    /// The first feature for the cards of the own zone, if the seat sees them: types, then designs in id order.
    own: Option<usize>,
    /// The same for the zones of others, if everybody sees them.
    others: Option<usize>,
}

/// Which features the positions of a game have. Every feature has a name that survives changes of the content, and is a
/// number that the seat can see.
#[derive(Clone, Debug)]
pub struct PositionFeatures {
    count: usize,
    counters: Vec<SeatCounter>,
    zones: Vec<SeatZone>,
    kinds: usize,
    classes: Vec<usize>,
    types: Vec<SymbolId>,
    spaces: Option<usize>,
    held: usize,
    /// The tracks by which seats are compared.
    pub(in crate::bots) tracks: Vec<CounterId>,
}

/// The fixed features at the beginning.
const ALWAYS: usize = 0;
const ACTIVE: usize = 1;
const FACTION: usize = 2;

/// Numbers the features, and keeps their names or not.
trait Names {
    /// Numbers a feature.
    fn add(&mut self, name: std::fmt::Arguments<'_>);
    /// The number of features so far.
    fn count(&self) -> usize;
}

impl Names for usize {
    fn add(&mut self, _: std::fmt::Arguments<'_>) {
        *self += 1;
    }
    fn count(&self) -> usize {
        *self
    }
}

impl Names for Vec<String> {
    fn add(&mut self, name: std::fmt::Arguments<'_>) {
        self.push(name.to_string());
    }
    fn count(&self) -> usize {
        self.len()
    }
}

impl PositionFeatures {
    /// The features of a game.
    pub fn new(catalog: &Catalog) -> Self {
        Self::number(catalog, &mut 0)
    }

    /// The names of all features, in order. They use ids only, so they survive other changes of the content.
    pub fn names(catalog: &Catalog) -> Vec<String> {
        let mut names = Vec::new();
        Self::number(catalog, &mut names);
        names
    }

    /// The number of features.
    pub fn count(&self) -> usize {
        self.count
    }

    fn number(catalog: &Catalog, names: &mut impl Names) -> Self {
        names.add(format_args!("always"));
        names.add(format_args!("own turn"));
        catalog.factions[..catalog.playable]
            .iter()
            .for_each(|faction| names.add(format_args!("faction {}", faction.id)));
        (0..=MOST_SEATS).for_each(|count| names.add(format_args!("seats {count}")));
        (0..=MOST_SEATS).for_each(|place| names.add(format_args!("place {place}")));
        let counters = (0..catalog.counters.len()).map(CounterId::at);
        let counters = counters.filter_map(|counter| number_counter(catalog, counter, names)).collect();
        let (kinds, classes) = number_pieces(catalog, names);
        let mut types: Vec<SymbolId> = catalog.designs.iter().map(|design| design.card_type).collect();
        types.sort_unstable();
        types.dedup();
        let zones = (0..catalog.zones.len()).map(ZoneKindId::at);
        let zones = zones.filter_map(|zone| number_zone(catalog, zone, &types, names)).collect();
        let held = names.count();
        ["own", "mean", "most"].into_iter().for_each(|of| names.add(format_args!("spaces {of}")));
        let spaces = (catalog.spaces.len() <= MOST_SPACES).then(|| names.count());
        for space in catalog.spaces.iter().filter(|_| spaces.is_some()) {
            ["own", "other"].into_iter().for_each(|of| names.add(format_args!("space {of} {}", space.id)));
        }
        let count = names.count();
        PositionFeatures { count, counters, zones, kinds, classes, types, spaces, held, tracks: open_tracks(catalog) }
    }

    /// Calls `emit` with the index and the value of each feature that is not 0, in no particular order. An index may
    /// come more than once; its values add up.
    pub fn scan(&self, table: &Table, seat: SeatId, emit: &mut dyn FnMut(usize, i32)) {
        let mut emit = |at: usize, value: i32| {
            if value != 0 {
                emit(at, value.clamp(-MOST, MOST));
            }
        };
        let others: Vec<SeatId> = table.world.seats().filter(|other| *other != seat).collect();
        let place = table.world.seats().position(|other| other == seat).unwrap_or(MOST_SEATS);
        let seats = FACTION + table.catalog.playable;
        emit(ALWAYS, 1);
        emit(ACTIVE, i32::from(table.world.active() == Some(seat)));
        emit(FACTION + seat.index(), 1);
        emit(seats + (others.len() + 1).min(MOST_SEATS), 1);
        emit(seats + MOST_SEATS + 1 + place.min(MOST_SEATS), 1);
        self.scan_counters(table, seat, &others, &mut emit);
        self.scan_pieces(table, seat, others.len(), &mut emit);
        self.scan_zones(table, seat, &others, &mut emit);
        self.scan_spaces(table, seat, &others, &mut emit);
    }

    fn scan_counters(&self, table: &Table, seat: SeatId, others: &[SeatId], emit: &mut impl FnMut(usize, i32)) {
        for SeatCounter { counter, open, first, track } in &self.counters {
            let spec = &table.catalog.counters[counter.index()];
            let number = |of: SeatId| match spec.holds {
                Holds::Number => table.raw(*counter, Value::Faction(of)).unwrap_or(0).clamp(spec.min, spec.max),
                _ => i32::from(table.raw(*counter, Value::Faction(of)).unwrap_or(0) != 0),
            };
            let step = |number: i32| {
                let (span, above) =
                    (i64::from(spec.max) - i64::from(spec.min) + 1, i64::from(number) - i64::from(spec.min));
                (above * STEPS as i64 / span.max(1)) as usize
            };
            let own = number(seat);
            emit(*first, own);
            if *track {
                emit(first + 3 + step(own), 1);
            }
            let Some(most) = others.iter().map(|other| number(*other)).max().filter(|_| *open) else { continue };
            let sum: i64 = others.iter().map(|other| i64::from(number(*other))).sum();
            emit(first + 1, mean(sum, others.len()));
            emit(first + 2, most);
            if *track {
                emit(first + 3 + STEPS + step(most), 1);
            }
        }
    }

    fn scan_pieces(&self, table: &Table, seat: SeatId, others: usize, emit: &mut impl FnMut(usize, i32)) {
        let part = PART / others.clamp(1, 16) as i32;
        for (id, piece) in table.world.pieces() {
            let Some(space) = piece.space() else { continue };
            let Some(owner) = piece.owner() else { continue };
            if !sees_piece(table, seat, id, space) {
                continue;
            }
            let kind = table.catalog.pieces[id.index()].kind.index();
            for first in [self.kinds + 3 * kind, self.classes[kind]] {
                if owner == seat {
                    emit(first, 1);
                    let home = table.catalog.spaces[space.index()].home == Some(seat);
                    emit(first + 1, i32::from(home));
                } else {
                    emit(first + 2, part);
                }
            }
        }
    }

    fn scan_zones(&self, table: &Table, seat: SeatId, others: &[SeatId], emit: &mut impl FnMut(usize, i32)) {
        let catalog = &table.catalog;
        let cards = |first: usize, zone: ZoneId, emit: &mut dyn FnMut(usize, i32)| {
            for card in table.world.in_zone(zone) {
                let design = catalog.cards[card.index()];
                // The types of all designs were collected when the features were made.
                let kind = self.types.binary_search(&catalog.designs[design.index()].card_type).unwrap_or(0);
                emit(first + kind, 1);
                emit(first + self.types.len() + design.index(), 1);
            }
        };
        for SeatZone { zone, first, own, others: of_others } in &self.zones {
            let of = |seat: SeatId| catalog.zone_of(*zone, Some(seat));
            if let Some(zone) = of(seat) {
                emit(*first, table.world.zone_len(zone) as i32);
                if let Some(own) = own {
                    cards(*own, zone, emit);
                }
            }
            let mut sum = 0;
            for zone in others.iter().filter_map(|other| of(*other)) {
                sum += table.world.zone_len(zone) as i64;
                if let Some(first) = of_others {
                    cards(*first, zone, emit);
                }
            }
            emit(first + 1, mean(sum, others.len()));
        }
    }

    fn scan_spaces(&self, table: &Table, seat: SeatId, others: &[SeatId], emit: &mut impl FnMut(usize, i32)) {
        let mut held = [0; 32];
        for space in (0..table.catalog.spaces.len()).map(SpaceId::at) {
            let by = controlled_by(table, seat, space);
            let (Some(owner), true) = (table.world.controller(space), by != 0) else { continue };
            held[owner.index().min(31)] += 1;
            if let Some(first) = self.spaces {
                emit(first + 2 * space.index() + usize::from(by == 2), 1);
            }
        }
        emit(self.held, held[seat.index().min(31)]);
        let of_others = others.iter().map(|other| held[other.index().min(31)]);
        emit(self.held + 1, mean(of_others.clone().map(i64::from).sum(), others.len()));
        emit(self.held + 2, of_others.max().unwrap_or(0));
    }
}

/// A mean in sixteenths; 0 of nothing.
fn mean(sum: i64, count: usize) -> i32 {
    (sum * i64::from(PART)).checked_div(count as i64).unwrap_or(0).clamp(i64::from(-MOST), i64::from(MOST)) as i32
}

fn number_counter(catalog: &Catalog, counter: CounterId, names: &mut impl Names) -> Option<SeatCounter> {
    let spec = &catalog.counters[counter.index()];
    let open = spec.visible == Visible::Everyone;
    if spec.scope != Scope::Faction || spec.option || !(open || spec.visible == Visible::Owner) {
        return None;
    }
    let (first, track) = (names.count(), spec.track && spec.holds == Holds::Number);
    ["own", "mean", "most"].into_iter().for_each(|of| names.add(format_args!("counter {of} {}", spec.id)));
    for of in ["own", "most"].into_iter().filter(|_| track) {
        (0..STEPS).for_each(|step| names.add(format_args!("track {of} {} {step}", spec.id)));
    }
    Some(SeatCounter { counter, open, first, track })
}

/// The first feature for kinds of pieces, and for each kind, the first feature of its class.
fn number_pieces(catalog: &Catalog, names: &mut impl Names) -> (usize, Vec<usize>) {
    let kinds = names.count();
    for kind in &catalog.kinds {
        ["own", "home", "mean"].into_iter().for_each(|of| names.add(format_args!("piece {of} {}", kind.id)));
    }
    let mut classes: Vec<SymbolId> = catalog.kinds.iter().map(|kind| kind.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let first = names.count();
    for class in &classes {
        let name = catalog.symbols.name(class.index());
        ["own", "home", "mean"].into_iter().for_each(|of| names.add(format_args!("class {of} {name}")));
    }
    // Every class was collected above.
    let of = |class: &SymbolId| first + 3 * classes.binary_search(class).unwrap_or(0);
    (kinds, catalog.kinds.iter().map(|kind| of(&kind.class)).collect())
}

fn number_zone(catalog: &Catalog, zone: ZoneKindId, types: &[SymbolId], names: &mut impl Names) -> Option<SeatZone> {
    let spec = &catalog.zones[zone.index()];
    let open = spec.visible == Visible::Everyone;
    if spec.scope != Scope::Faction {
        return None;
    }
    let first = names.count();
    ["own", "mean"].into_iter().for_each(|of| names.add(format_args!("cards {of} {}", spec.id)));
    let mut add = |of: &str, is_seen: bool| {
        let first = names.count();
        for card_type in types.iter().filter(|_| is_seen) {
            names.add(format_args!("type {of} {} {}", spec.id, catalog.symbols.name(card_type.index())));
        }
        for design in catalog.designs.iter().filter(|_| is_seen) {
            names.add(format_args!("card {of} {} {}", spec.id, design.id));
        }
        is_seen.then_some(first)
    };
    let (own, others) = (add("own", open || spec.visible == Visible::Owner), add("other", open));
    Some(SeatZone { zone, first, own, others })
}
