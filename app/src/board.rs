//! The board as data, for any game: what a viewer sees of spaces, pieces, counters and zones, with names and without
//! rules. Displays draw it; factions and kinds of pieces are given by their places in the lists.

mod tiles;

use std::collections::BTreeMap;

use principes_core::catalog::{Scope, Visible};
use principes_core::*;
use serde::Serialize;

pub use self::tiles::{GridOnBoard, TileOnBoard};
use crate::words::Words;

/// The note after the name of a space in the fog.
pub const FOG: &str = "░░";
/// A zone with more cards is counted rather than listed, unless its cards are live.
const LISTED: usize = 2;
/// Longer tracks are shown as a number only.
const LONGEST_TRACK: i32 = 20;

/// The table as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Board {
    /// The phase under way.
    pub phase: Option<Name>,
    /// All factions, in catalog order: playable ones first.
    pub factions: Vec<FactionOnBoard>,
    /// The kinds of pieces that have names; others are not for players' eyes.
    pub kinds: Vec<KindOnBoard>,
    /// All spaces, in catalog order.
    pub spaces: Vec<SpaceOnBoard>,
    /// The grid on which tiles are laid, if the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridOnBoard>,
    /// What the marks of spaces mean.
    pub marks: Marks,
    /// Counters of the game that have names and are not zero.
    pub counters: Vec<CounterOnBoard>,
    /// Open zones of the game that hold cards.
    pub zones: Vec<ZoneOnBoard>,
    /// Everybody who ever had a seat: in turn order, then those who are out.
    pub seats: Vec<SeatOnBoard>,
    /// The cards that only the viewer sees, and those of the game that are live; none for spectators.
    pub hand: Option<Vec<HandZone>>,
}

/// An id and what it is called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Name {
    /// Id in the pack.
    pub id: String,
    /// What it is called.
    pub name: String,
}

/// A faction.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FactionOnBoard {
    /// Id in the pack.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Its color, as a word.
    pub color: String,
    /// Whether it controls a space or has a piece on one.
    pub is_on_board: bool,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KindOnBoard {
    /// Id in the pack.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Whether one of them is on a space.
    pub is_on_board: bool,
}

/// A space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SpaceOnBoard {
    /// Id in the pack.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Where to draw it: x to the east, y to the south, in units of the pack's choice.
    pub at: (i32, i32),
    /// Spaces that can be entered from here, by their places in the list.
    pub exits: Vec<usize>,
    /// The faction whose borders contain it.
    pub home: Option<usize>,
    /// Who controls it, if the viewer sees that.
    pub controller: Option<usize>,
    /// A note after its name; often empty.
    pub mark: String,
    /// The id of what the note names, or its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark_of: Option<String>,
    /// The tile that lies on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile: Option<TileOnBoard>,
    /// The pieces on it: occupying ones first, then by owner and kind.
    pub pieces: Vec<PieceGroup>,
}

/// Pieces of one kind and owner on a space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceGroup {
    /// Whose, by place in the list of factions.
    pub owner: Option<usize>,
    /// Which kind, by place in the list of kinds.
    pub kind: usize,
    /// How many, at least 1.
    pub count: usize,
}

/// What the marks of spaces mean.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marks {
    /// No space has one.
    None,
    /// What the space adds to a counter of its controller, which is called so.
    Points(String),
    /// What a track says of the space: its name, and each short mark with its long name.
    Track {
        /// What the track is called.
        name: String,
        /// Short marks with their long names, if they differ.
        items: Vec<(String, String)>,
    },
}

/// A counter with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CounterOnBoard {
    /// Id in the pack.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Its value, in words.
    pub value: String,
    /// Its place on a short track.
    pub track: Option<Track>,
    /// Whether it counts something, and does not name something.
    pub is_number: bool,
}

/// A place on a track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Track {
    /// The place.
    pub value: i32,
    /// The least place.
    pub min: i32,
    /// The greatest place.
    pub max: i32,
}

/// A zone of cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ZoneOnBoard {
    /// Id in the pack.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// How many cards are in it.
    pub count: usize,
    /// The names of its cards from the top; none if a display counts them only, because they are hidden or many.
    pub cards: Option<Vec<String>>,
    /// The designs of those cards that the viewer sees, from the top, by their ids.
    pub designs: Vec<String>,
}

/// A seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatOnBoard {
    /// By place in the list of factions.
    pub faction: usize,
    /// Whether it still plays.
    pub is_playing: bool,
    /// Whether it is its turn.
    pub is_active: bool,
    /// How many spaces it controls.
    pub controlled: usize,
    /// Its counters, tracks first.
    pub counters: Vec<CounterOnBoard>,
    /// Its zones that hold cards.
    pub zones: Vec<ZoneOnBoard>,
}

/// Cards that are before the viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HandZone {
    /// Id in the pack.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Its cards, equal ones together.
    pub cards: Vec<CardFace>,
}

/// A card as printed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CardFace {
    /// Id of the design.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its text, numbers filled in.
    pub text: Option<String>,
    /// How many of them.
    pub count: usize,
}

impl Board {
    /// The board as the viewer of a view sees it.
    pub fn new(words: &Words, view: &View) -> Board {
        Observer { catalog: words.catalog(), words, view }.board()
    }
}

/// Who looks, at what, with which words.
struct Observer<'a> {
    catalog: &'a Catalog,
    words: &'a Words,
    view: &'a View,
}

/// Pieces that are listed together: not occupying ones last, then by owner and kind.
type GroupKey = (bool, Option<FactionId>, KindId);

impl Observer<'_> {
    fn board(&self) -> Board {
        let catalog = self.catalog;
        let named: Vec<KindId> = (0..catalog.kinds.len())
            .map(KindId::at)
            .filter(|kind| self.words.is_named("kind", &catalog.kinds[kind.index()].id))
            .collect();
        Board {
            phase: self.view.phase.map(|phase| {
                let id = &catalog.phases[phase.index()].id;
                Name { id: id.clone(), name: self.words.named("phase", id) }
            }),
            factions: (0..catalog.factions.len()).map(FactionId::at).map(|faction| self.faction(faction)).collect(),
            kinds: named.iter().map(|kind| self.kind(*kind)).collect(),
            spaces: self.spaces(&named),
            grid: tiles::grid(self.words),
            marks: self.meaning_of_marks(),
            counters: self.game_counters(),
            zones: self.game_zones(),
            seats: self.seated().into_iter().map(|seat| self.seat(seat)).collect(),
            hand: self.view.seat.map(|seat| self.hand(seat)),
        }
    }

    fn faction(&self, faction: FactionId) -> FactionOnBoard {
        let spec = &self.catalog.factions[faction.index()];
        let stands = |(_, piece): (PieceId, Piece)| piece.owner() == Some(faction) && piece.space().is_some();
        FactionOnBoard {
            id: spec.id.clone(),
            name: self.words.named("faction", &spec.id),
            color: spec.color.clone(),
            is_on_board: self.view.control.contains(&Some(faction)) || self.view.seen_pieces().any(stands),
        }
    }

    fn kind(&self, kind: KindId) -> KindOnBoard {
        let stands =
            |(id, piece): (PieceId, Piece)| self.catalog.pieces[id.index()].kind == kind && piece.space().is_some();
        KindOnBoard {
            id: self.catalog.kinds[kind.index()].id.clone(),
            name: self.words.value(Value::Kind(kind), None),
            is_on_board: self.view.seen_pieces().any(stands),
        }
    }

    fn spaces(&self, named: &[KindId]) -> Vec<SpaceOnBoard> {
        let marks = self.marks();
        let mut groups = vec![BTreeMap::<GroupKey, usize>::new(); self.catalog.spaces.len()];
        for (id, piece) in self.view.seen_pieces() {
            let kind = self.catalog.pieces[id.index()].kind;
            if let Some(space) = piece.space().filter(|_| named.contains(&kind)) {
                let occupies = self.catalog.kinds[kind.index()].occupies;
                *groups[space.index()].entry((!occupies, piece.owner(), kind)).or_default() += 1;
            }
        }
        let group = |((_, owner, kind), count): (GroupKey, usize)| PieceGroup {
            owner: owner.map(FactionId::index),
            // Only named kinds were counted.
            kind: named.iter().position(|known| *known == kind).unwrap_or_default(),
            count,
        };
        let mut laid: BTreeMap<SpaceId, TileOnBoard> = tiles::laid(self.words, self.view).into_iter().collect();
        let all = self.catalog.spaces.iter().enumerate().zip(marks).zip(groups);
        all.map(|(((at, space), mark), groups)| SpaceOnBoard {
            id: space.id.clone(),
            name: self.words.value(Value::Space(SpaceId::at(at)), None),
            at: space.at,
            exits: space.exits.iter().map(|exit| exit.index()).collect(),
            home: space.home.map(FactionId::index),
            controller: self.view.control[at].map(FactionId::index),
            mark,
            mark_of: self.marked(SpaceId::at(at)),
            tile: laid.remove(&SpaceId::at(at)),
            pieces: groups.into_iter().map(group).collect(),
        })
        .collect()
    }

    /// The text of a card, after the edges of a tile.
    fn face_text(&self, design: DesignId) -> Option<String> {
        let text = self.words.card_text(design);
        let Some(edges) = tiles::edges(self.catalog, design) else { return text };
        Some(text.map_or(edges.clone(), |text| format!("{edges} {text}")))
    }

    /// What is shown beside the name of each space: what it adds to the first derived counter of its controller, or
    /// else what a track of spaces says about it.
    fn marks(&self) -> Vec<String> {
        let catalog = self.catalog;
        let mut marks = vec![String::new(); catalog.spaces.len()];
        let Some(derived) = catalog.counters.iter().find_map(|counter| counter.derived) else {
            let Some(track) = self.space_track() else { return marks };
            if catalog.counters[track.index()].visible == Visible::Fog {
                marks.fill(FOG.to_owned());
            }
            for (counter, owner, value) in &self.view.counters {
                if let (Value::Space(space), true) = (*owner, *counter == track) {
                    let is_empty = *value == Value::Nil;
                    marks[space.index()] = if is_empty { String::new() } else { self.words.mark(track, *value) };
                }
            }
            return marks;
        };
        let mut values = vec![0; catalog.spaces.len()];
        for (at, space) in catalog.spaces.iter().enumerate() {
            values[at] = derived.space.map_or(0, |prop| space.props.int(prop));
        }
        if let Some(stat) = derived.piece {
            for (id, piece) in self.view.seen_pieces() {
                if let Some(space) = piece.space() {
                    values[space.index()] += catalog.kinds[catalog.pieces[id.index()].kind.index()].stats.int(stat);
                }
            }
        }
        for (mark, value) in marks.iter_mut().zip(values).filter(|(_, value)| *value != 0) {
            *mark = value.to_string();
        }
        marks
    }

    /// The id of what a track of spaces says about a space.
    fn marked(&self, space: SpaceId) -> Option<String> {
        let catalog = self.catalog;
        if catalog.counters.iter().any(|counter| counter.derived.is_some()) {
            return None;
        }
        let track = self.space_track()?;
        let says =
            |(counter, owner, _): &&(CounterId, Value, Value)| *counter == track && *owner == Value::Space(space);
        Some(match self.view.counters.iter().find(says)?.2 {
            Value::Faction(faction) => catalog.factions[faction.index()].id.clone(),
            Value::Space(other) => catalog.spaces[other.index()].id.clone(),
            Value::Design(design) => catalog.designs[design.index()].id.clone(),
            Value::Card(card) => catalog.designs[catalog.cards[card.index()].index()].id.clone(),
            Value::Int(number) => number.to_string(),
            _ => return None,
        })
    }

    fn meaning_of_marks(&self) -> Marks {
        if let Some(counter) = self.catalog.counters.iter().position(|counter| counter.derived.is_some()) {
            return Marks::Points(self.words.value(Value::Counter(CounterId::at(counter)), None));
        }
        let Some(track) = self.space_track() else { return Marks::None };
        let values = self.view.counters.iter().filter(|(of, _, value)| *of == track && *value != Value::Nil);
        let mut items: Vec<(String, String)> = values
            .map(|(_, _, value)| (self.words.mark(track, *value), self.words.counter_value(track, *value)))
            .filter(|(mark, name)| mark != name)
            .collect();
        items.sort_unstable();
        items.dedup();
        Marks::Track { name: self.words.value(Value::Counter(track), None), items }
    }

    /// A counter of spaces that displays show as a track.
    fn space_track(&self) -> Option<CounterId> {
        let is_track = |counter: &catalog::Counter| counter.track && counter.scope == Scope::Space;
        self.catalog.counters.iter().position(is_track).map(CounterId::at)
    }

    fn counter(&self, counter: CounterId, value: Value) -> CounterOnBoard {
        let spec = &self.catalog.counters[counter.index()];
        let track = match value {
            Value::Int(value) if spec.track && spec.max <= LONGEST_TRACK => {
                Some(Track { value, min: spec.min, max: spec.max })
            }
            _ => None,
        };
        CounterOnBoard {
            id: spec.id.clone(),
            name: self.words.value(Value::Counter(counter), None),
            value: if track.is_some() {
                self.words.value(value, None)
            } else {
                self.words.counter_value(counter, value)
            },
            track,
            is_number: matches!(value, Value::Int(_)),
        }
    }

    fn game_counters(&self) -> Vec<CounterOnBoard> {
        let shown = self.view.counters.iter().filter(|(counter, owner, value)| {
            let spec = &self.catalog.counters[counter.index()];
            *owner == Value::Nil
                && !spec.option
                && self.words.is_named("counter", &spec.id)
                && !matches!(value, Value::Nil | Value::Int(0))
        });
        shown
            .map(|(counter, _, value)| CounterOnBoard { track: None, ..self.named_counter(*counter, *value) })
            .collect()
    }

    /// A counter whose value is always shown in words.
    fn named_counter(&self, counter: CounterId, value: Value) -> CounterOnBoard {
        CounterOnBoard { value: self.words.counter_value(counter, value), ..self.counter(counter, value) }
    }

    fn card_names(&self, zone: &ZoneView) -> Vec<String> {
        zone.cards.iter().flatten().map(|card| self.words.value(Value::Card(*card), None)).collect()
    }

    fn game_zones(&self) -> Vec<ZoneOnBoard> {
        let mut zones = Vec::new();
        for zone in self.view.zones.iter().filter(|zone| zone.owner.is_none()) {
            let id = &self.catalog.zones[zone.zone.index()].id;
            let cards = self.card_names(zone);
            if !cards.is_empty() && self.words.is_named("zone", id) {
                zones.push(self.zone(zone, Some(cards)));
            }
        }
        zones
    }

    fn zone(&self, zone: &ZoneView, cards: Option<Vec<String>>) -> ZoneOnBoard {
        ZoneOnBoard {
            id: self.catalog.zones[zone.zone.index()].id.clone(),
            name: self.words.value(Value::Zone(zone.zone), None),
            count: zone.cards.len(),
            cards,
            designs: zone.cards.iter().flatten().map(|card| self.catalog.id_of(Value::Card(*card))).collect(),
        }
    }

    /// Everybody who ever had a seat, in turn order, then those who are out.
    fn seated(&self) -> Vec<SeatId> {
        let mut seats = self.view.order.clone();
        for seat in (0..self.catalog.playable).map(FactionId::at) {
            let has_cards = self.view.zones.iter().any(|zone| zone.owner == Some(seat) && !zone.cards.is_empty());
            if !seats.contains(&seat) && has_cards {
                seats.push(seat);
            }
        }
        seats
    }

    fn seat(&self, seat: SeatId) -> SeatOnBoard {
        let own = self.view.counters.iter().filter(|(_, owner, _)| *owner == Value::Faction(seat));
        let mut counters: Vec<&(CounterId, Value, Value)> = own.collect();
        counters.sort_by_key(|(counter, ..)| !self.catalog.counters[counter.index()].track);
        counters.retain(|(counter, _, value)| {
            let spec = &self.catalog.counters[counter.index()];
            let shown = spec.track || spec.supply.is_some() || !matches!(value, Value::Nil | Value::Int(0));
            shown && self.words.is_named("counter", &spec.id)
        });
        SeatOnBoard {
            faction: seat.index(),
            is_playing: self.view.order.contains(&seat),
            is_active: self.view.active == Some(seat),
            controlled: self.view.control.iter().filter(|owner| **owner == Some(seat)).count(),
            counters: counters.into_iter().map(|(counter, _, value)| self.counter(*counter, *value)).collect(),
            zones: self.seat_zones(seat),
        }
    }

    fn seat_zones(&self, seat: SeatId) -> Vec<ZoneOnBoard> {
        let own = self.view.zones.iter().filter(|zone| zone.owner == Some(seat) && !zone.cards.is_empty());
        own.filter_map(|zone| {
            let spec = &self.catalog.zones[zone.zone.index()];
            if spec.scope != Scope::Faction || !self.words.is_named("zone", &spec.id) {
                return None;
            }
            // Zones that are live or short are read; heaps are counted.
            let cards = self.card_names(zone);
            let is_read = spec.visible == Visible::Everyone && (spec.active || cards.len() <= LISTED);
            Some(self.zone(zone, is_read.then_some(cards)))
        })
        .collect()
    }

    fn hand(&self, seat: SeatId) -> Vec<HandZone> {
        let mut zones = Vec::new();
        for zone in &self.view.zones {
            let spec = &self.catalog.zones[zone.zone.index()];
            let mine = zone.owner == Some(seat) && (spec.visible == Visible::Owner || spec.active);
            let everyones = zone.owner.is_none() && spec.active;
            if !(mine || everyones) || zone.cards.is_empty() {
                continue;
            }
            let mut designs: Vec<(DesignId, usize)> = Vec::new();
            for card in zone.cards.iter().flatten() {
                let design = self.catalog.cards[card.index()];
                match designs.iter_mut().find(|(known, _)| *known == design) {
                    Some((_, count)) => *count += 1,
                    None => designs.push((design, 1)),
                }
            }
            let face = |(design, count): (DesignId, usize)| CardFace {
                id: self.catalog.designs[design.index()].id.clone(),
                title: self.words.value(Value::Design(design), None),
                text: self.face_text(design),
                count,
            };
            zones.push(HandZone {
                id: spec.id.clone(),
                name: self.words.value(Value::Zone(zone.zone), None),
                cards: designs.into_iter().map(face).collect(),
            });
        }
        zones
    }
}
