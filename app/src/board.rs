//! The board as data, for any game: what a viewer sees of spaces, pieces, counters and zones, with names but without
//! rules. Displays draw it. Factions and kinds are given by their indices in the lists.

mod tiles;

use std::collections::BTreeMap;

use principes_core::catalog::{Scope, Visible};
use principes_core::*;
use schemars::JsonSchema;
use serde::Serialize;

pub use self::tiles::{GridOnBoard, TileOnBoard};
use crate::words::Words;

/// The note after the name of a fogged space.
pub const FOG: &str = "░░";
/// A zone with more cards is shown as a number, unless its cards are live.
const LISTED: usize = 2;
/// Longer tracks are shown only as a number.
const LONGEST_TRACK: i32 = 20;

/// The table as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeenBoard {
    /// The current phase.
    pub phase: Option<Name>,
    /// All factions, in catalog order: playable ones first.
    pub factions: Vec<FactionOnBoard>,
    /// The kinds of pieces that have names. Players do not see the others.
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
    /// Hidden zones of the game that hold cards: its decks.
    pub decks: Vec<ZoneOnBoard>,
    /// Every faction that has ever had a seat: in turn order, then the eliminated ones.
    pub seats: Vec<SeatOnBoard>,
    /// The cards that only the viewer sees, and the cards of the game that are live. `None` for spectators.
    pub hand: Option<Vec<HandZone>>,
}

/// An id and a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Name {
    /// The id in the pack.
    pub id: String,
    /// The name in the language of the viewer.
    pub name: String,
}

/// A faction with what it has in front of it, whether it has a seat or not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FactionOnBoard {
    /// The id in the pack.
    pub id: String,
    /// The name in the language of the viewer.
    pub name: String,
    /// Its color, as a word.
    pub color: String,
    /// Whether it controls a space or has a piece on one.
    pub is_on_board: bool,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KindOnBoard {
    /// The id in the pack.
    pub id: String,
    /// The name in the language of the viewer.
    pub name: String,
    /// Whether one of these pieces is on a space.
    pub is_on_board: bool,
}

/// A space with everything on it that the viewer sees.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SpaceOnBoard {
    /// The id in the pack.
    pub id: String,
    /// The name in the language of the viewer.
    pub name: String,
    /// Where to draw it: x to the east, y to the south, in units of the pack's choice.
    pub at: (i32, i32),
    /// Spaces that can be entered from here, by index.
    pub exits: Vec<usize>,
    /// The faction whose borders contain it.
    pub home: Option<usize>,
    /// Who controls it, if the viewer sees that.
    pub controller: Option<usize>,
    /// A note after its name, often empty.
    pub mark: String,
    /// The id of the thing that the note names, or its number.
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
    /// The owner, by index in the list of factions.
    pub owner: Option<usize>,
    /// The kind, by index in the list of kinds.
    pub kind: usize,
    /// How many, at least 1.
    pub count: usize,
}

/// What the marks of spaces mean.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Marks {
    /// No space has one.
    None,
    /// The space adds to a counter of its controller. The text is the name of that counter.
    Points(String),
    /// The value of a track on the space: the name of the track, and each short mark with its long name.
    Track {
        /// The name of the track.
        name: String,
        /// Short marks with their long names, if they differ.
        items: Vec<(String, String)>,
    },
}

/// A counter with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CounterOnBoard {
    /// The id in the pack.
    pub id: String,
    /// The name in the language of the viewer.
    pub name: String,
    /// The value in words.
    pub value: String,
    /// Its position on a short track.
    pub track: Option<Track>,
    /// Whether it counts something rather than names something.
    pub is_number: bool,
}

/// A position on a track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Track {
    /// The position.
    pub value: i32,
    /// The lowest position.
    pub min: i32,
    /// The highest position.
    pub max: i32,
}

/// A zone of cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ZoneOnBoard {
    /// The id in the pack.
    pub id: String,
    /// The name in the language of the viewer.
    pub name: String,
    /// How many cards are in it.
    pub count: usize,
    /// The names of its cards from the top. `None` if only their number is shown, because they are hidden or many.
    pub cards: Option<Vec<String>>,
    /// The ids of the designs that the viewer sees, from the top.
    pub designs: Vec<String>,
    /// Whether all of its cards lie on the board, as tiles.
    pub is_laid: bool,
}

/// A faction that has, or had, a seat, with its player's counters and open cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatOnBoard {
    /// The faction, by index in the list of factions.
    pub faction: usize,
    /// Whether it still plays.
    pub is_playing: bool,
    /// Whether it is the seat's turn.
    pub is_active: bool,
    /// The number of spaces that it controls.
    pub controlled: usize,
    /// Its counters, tracks first.
    pub counters: Vec<CounterOnBoard>,
    /// Its zones that hold cards.
    pub zones: Vec<ZoneOnBoard>,
}

/// Cards in front of the viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct HandZone {
    /// The id in the pack.
    pub id: String,
    /// The name in the language of the viewer.
    pub name: String,
    /// Its cards. Equal cards are grouped.
    pub cards: Vec<CardFace>,
}

/// A card as printed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CardFace {
    /// The id of the design.
    pub id: String,
    /// The title in the language of the viewer.
    pub title: String,
    /// Its text, numbers filled in.
    pub text: Option<String>,
    /// The number of these cards.
    pub count: usize,
}

impl SeenBoard {
    /// The board as the viewer of a view sees it.
    pub fn new(words: &Words, view: &View) -> SeenBoard {
        Observer { catalog: words.catalog(), words, view }.board()
    }
}

/// The viewer, the view and the words for it.
struct Observer<'a> {
    catalog: &'a Catalog,
    words: &'a Words,
    view: &'a View,
}

/// Pieces that are listed together: occupying ones first, then by owner and kind.
type GroupKey = (bool, Option<FactionId>, KindId);

impl Observer<'_> {
    fn board(&self) -> SeenBoard {
        let catalog = self.catalog;
        let named: Vec<KindId> = (0..catalog.kinds.len())
            .map(KindId::at)
            .filter(|kind| self.words.is_named("kind", &catalog.kinds[kind.index()].id))
            .collect();
        SeenBoard {
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
            decks: self.decks(),
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

    /// The text of a card. For a tile, the edges come first.
    fn face_text(&self, design: DesignId) -> Option<String> {
        let text = self.words.card_text(design);
        let Some(edges) = tiles::edges(self.catalog, design) else { return text };
        Some(text.map_or(edges.clone(), |text| format!("{edges} {text}")))
    }

    /// The notes beside the names of spaces: the amount that a space adds to the first derived counter of its
    /// controller or, if there is none, its value on a track.
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

    /// The id of a space's value on a track.
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

    fn decks(&self) -> Vec<ZoneOnBoard> {
        let is_deck = |zone: &&ZoneView| {
            let is_hidden = !zone.cards.is_empty() && zone.cards.iter().all(Option::is_none);
            let id = &self.catalog.zones[zone.zone.index()].id;
            zone.owner.is_none() && is_hidden && self.words.is_named("zone", id)
        };
        self.view.zones.iter().filter(is_deck).map(|zone| self.zone(zone, None)).collect()
    }

    fn zone(&self, zone: &ZoneView, cards: Option<Vec<String>>) -> ZoneOnBoard {
        let is_tile = |card: &Option<CardId>| self.view.tiles.iter().any(|(_, laid)| Some(laid.card) == *card);
        ZoneOnBoard {
            id: self.catalog.zones[zone.zone.index()].id.clone(),
            name: self.words.value(Value::Zone(zone.zone), None),
            count: zone.cards.len(),
            cards,
            designs: zone.cards.iter().flatten().map(|card| self.catalog.id_of(Value::Card(*card))).collect(),
            is_laid: zone.cards.iter().all(is_tile),
        }
    }

    /// Every faction that has ever had a seat, in turn order, then the eliminated ones.
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
            // Live zones and short zones are listed. For the others, only the number of cards is shown.
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
