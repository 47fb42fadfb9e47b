//! Legal placements of hexagons in Principatí duello, counted: from the starting world and from five fixed layouts.
//! They are in `positions/duello.json`, each with its numbers and the reason for them. A separate count that reads only
//! the files of the pack must give the same placements as the kernel.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{self, root};
use principes_core::*;
use serde::Deserialize;
use serde_json::Value as Json;

#[derive(Deserialize)]
struct Layouts {
    /// The tiles that setup lays: design, cell, rotation, owner.
    world: Vec<Laying>,
    layouts: Vec<Layout>,
}

type Laying = (String, String, u8, Option<String>);

/// A fixed layout on top of the starting world, and how many placements the first seat has there.
#[derive(Deserialize)]
struct Layout {
    id: String,
    /// Why the numbers are what they are.
    why: String,
    laid: Vec<Laying>,
    /// Kind, cell, owner.
    #[serde(default)]
    pieces: Vec<(String, String, String)>,
    /// Placements in all.
    total: usize,
    /// Placements of each design that fits at all.
    designs: BTreeMap<String, usize>,
}

const SEAT: &str = "rosso";
const PALACE: &str = "r15";
/// How far the border is from the middle.
const RADIUS: i32 = 15;
/// Clockwise from the north-east.
const STEPS: [Cell; 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

/// Axial coordinates, from the middle.
type Cell = (i32, i32);

fn cell(name: &str) -> Cell {
    let (letters, row) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap());
    let digit = |c: char| c as i32 - 'a' as i32;
    let column = letters.chars().fold(-1, |column, c| 26 * (column + 1) + digit(c));
    (column - RADIUS, row.parse::<i32>().unwrap() - RADIUS - 1)
}

struct Design {
    edges: Vec<char>,
    links: Vec<Vec<usize>>,
    hardy: bool,
    bog: bool,
}

/// The rules and tiles in the files.
struct Files {
    designs: BTreeMap<String, Design>,
    meets: BTreeSet<(char, char)>,
    guards: BTreeSet<String>,
}

fn read(path: &str) -> Json {
    serde_json::from_str(&std::fs::read_to_string(root().join(path)).unwrap()).unwrap()
}

fn files() -> Files {
    let is = |json: &Json, name: &str| json["props"][name] == Json::Bool(true);
    let list = |json: &Json| json.as_array().cloned().unwrap_or_default();
    let mut designs = BTreeMap::new();
    for card in list(&read("mods/duello/tiles/tiles.json")["cards"]) {
        let sides = |link: &Json| list(link).iter().map(|side| side.as_u64().unwrap() as usize).collect();
        let design = Design {
            edges: card["tile"]["edges"].as_str().unwrap().chars().collect(),
            links: list(&card["tile"]["links"]).iter().map(sides).collect(),
            hardy: is(&card, "hardy"),
            bog: is(&card, "bog"),
        };
        let roads = design.edges.iter().filter(|edge| **edge == '+').count() as u64;
        assert_eq!(card["props"]["roads"].as_u64().unwrap_or(0), roads, "the prop counts the edges: {}", card["id"]);
        designs.insert(card["id"].as_str().unwrap().to_owned(), design);
    }
    let world = read("mods/duello/setup/world.json");
    let edges = list(&world["procedures"][0]["edges"]);
    let sign = |id: &Json| {
        let edge = edges.iter().find(|edge| edge["id"] == *id).unwrap();
        edge["sign"].as_str().unwrap().chars().next().unwrap()
    };
    let pairs = edges.iter().flat_map(|edge| list(&edge["meets"]).into_iter().map(move |other| (&edge["id"], other)));
    let meets = pairs.flat_map(|(one, other)| [(sign(one), sign(&other)), (sign(&other), sign(one))]).collect();
    let kinds = list(&read("mods/duello/buildings/buildings.json")["kinds"]);
    let guards = kinds.iter().filter(|kind| is(kind, "guards")).map(|kind| kind["id"].as_str().unwrap().to_owned());
    Files { designs, meets, guards: guards.collect() }
}

/// A laid tile: its design, its rotation, whether a bridge joins its banks.
struct Lies {
    design: String,
    rotation: usize,
    joined: bool,
}

struct Naive<'f> {
    files: &'f Files,
    lying: BTreeMap<Cell, Lies>,
    /// Cells next to which the seat may not lay tiles.
    guards: BTreeSet<Cell>,
}

impl Naive<'_> {
    fn edge(&self, design: &str, rotation: usize, side: usize) -> char {
        self.files.designs[design].edges[(side + 6 - rotation) % 6]
    }
    fn beyond(&self, (q, r): Cell, side: usize) -> Cell {
        (q + STEPS[side].0, r + STEPS[side].1)
    }
    /// The road sides that are joined with a road side of a laid tile.
    fn joined(&self, at: Cell, side: usize) -> Vec<usize> {
        let lies = &self.lying[&at];
        let roads = (0..6).filter(|other| self.edge(&lies.design, lies.rotation, *other) == '+');
        let links = &self.files.designs[&lies.design].links;
        let printed = |side: usize| (side + 6 - lies.rotation) % 6;
        let is_joined = |other: &usize| {
            lies.joined
                || links.is_empty()
                || *other == side
                || links.iter().any(|link| link.contains(&printed(side)) && link.contains(&printed(*other)))
        };
        roads.filter(is_joined).collect()
    }
    /// The road sides that the palace reaches.
    fn reached(&self) -> BTreeSet<(Cell, usize)> {
        let palace = cell(PALACE);
        let lies = &self.lying[&palace];
        let mut open: Vec<(Cell, usize)> = (0..6)
            .filter(|side| self.edge(&lies.design, lies.rotation, *side) == '+')
            .map(|side| (palace, side))
            .collect();
        let mut found: BTreeSet<(Cell, usize)> = open.iter().copied().collect();
        while let Some((at, side)) = open.pop() {
            let (next, back) = (self.beyond(at, side), (side + 3) % 6);
            let Some(lies) = self.lying.get(&next) else { continue };
            if self.edge(&lies.design, lies.rotation, back) == '+' {
                for other in self.joined(next, back) {
                    if found.insert((next, other)) {
                        open.push((next, other));
                    }
                }
            }
        }
        found
    }
    fn rotations(&self, design: &str) -> Vec<usize> {
        let links = &self.files.designs[design].links;
        let look = |rotation: usize| {
            let edges: String = (0..6).map(|side| self.edge(design, rotation, side)).collect();
            let turn = |link: &Vec<usize>| link.iter().map(|side| (side + rotation) % 6).collect::<BTreeSet<_>>();
            (edges, links.iter().map(turn).collect::<BTreeSet<_>>())
        };
        let mut seen = BTreeSet::new();
        (0..6).filter(|rotation| seen.insert(look(*rotation))).collect()
    }
    fn fits(&self, reached: &BTreeSet<(Cell, usize)>, id: &str, at: Cell, rotation: usize) -> bool {
        let design = &self.files.designs[id];
        let (mut touches, mut is_linked) = (false, !design.edges.contains(&'+'));
        for side in 0..6 {
            let (next, back) = (self.beyond(at, side), (side + 3) % 6);
            let Some(lies) = self.lying.get(&next) else { continue };
            touches = true;
            let (mine, other) = (self.edge(id, rotation, side), self.edge(&lies.design, lies.rotation, back));
            let off = self.files.designs[&lies.design].bog && !design.hardy;
            if !self.files.meets.contains(&(mine, other)) || off || self.guards.contains(&next) {
                return false;
            }
            is_linked |= mine == '+' && reached.contains(&(next, back));
        }
        touches && is_linked && !self.lying.contains_key(&at)
    }
    fn placements(&self, design: &str) -> BTreeSet<(Cell, usize)> {
        let reached = self.reached();
        let columns = -RADIUS..=RADIUS;
        let all = columns.flat_map(|q| (-RADIUS..=RADIUS).map(move |r| (q, r)));
        let cells = all.filter(|(q, r)| (q + r).abs() <= RADIUS).filter(|at| !self.lying.contains_key(at));
        let turns = self.rotations(design);
        cells
            .flat_map(|at| turns.iter().map(move |turn| (at, *turn)))
            .filter(|(at, turn)| self.fits(&reached, design, *at, *turn))
            .collect()
    }
}

fn seat(table: &Table, id: &str) -> FactionId {
    table.catalog.faction(id).unwrap()
}

fn zone(table: &Table, id: &str, owner: Option<FactionId>) -> ZoneId {
    table.catalog.zone_of(table.catalog.zone(id).unwrap(), owner).unwrap()
}

fn lay(table: &mut Table, (design, at, rotation, owner): &Laying) {
    let owner = owner.as_ref().map(|id| seat(table, id));
    let wanted = table.catalog.design(design).unwrap();
    let place = zone(table, if owner.is_some() { "land" } else { "common" }, owner);
    // Tiles of the owner's set come first, so that sets stay complete. Starting tiles and tiles of merit are in other
    // zones.
    let is_it = |card: &CardId| table.catalog.cards[card.index()] == wanted && table.laid_at(*card).is_none();
    let set = owner.and_then(|owner| table.world.in_zone(zone(table, "set", Some(owner))).find(is_it));
    let elsewhere = || (0..table.catalog.cards.len()).map(CardId::at).find(is_it);
    let card = set.or_else(elsewhere).unwrap_or_else(|| panic!("no `{design}` is left"));
    table.lay(card, table.catalog.space(at).unwrap(), (*rotation).into(), place).unwrap();
}

/// The kernel's placements, by design.
fn listed(table: &Table) -> BTreeMap<String, BTreeSet<(Cell, usize)>> {
    let catalog = &table.catalog;
    let tiles = catalog.tiles.as_deref().unwrap();
    let symbol = |name: &str| catalog.symbol(name).unwrap();
    let rosso = seat(table, SEAT);
    let root = Stretch {
        network: tiles.network(symbol("road")).unwrap(),
        root: tiles.cell(catalog.space(PALACE).unwrap()).unwrap(),
        side: None,
        owner: None,
    };
    let cards = table.distinct_tiles(table.world.in_zone(zone(table, "set", Some(rosso))));
    let is_hardy = |card: &CardId| catalog.design_of(*card).props.int(symbol("hardy")) != 0;
    let (hardy, tender): (Vec<CardId>, Vec<CardId>) = cards.into_iter().partition(is_hardy);
    let bans = Bans { avoid: None, guards: Some(symbol("guards")), seat: Some(rosso) };
    let off = Bans { avoid: Some(symbol("bog")), ..bans };
    let frontier = |bans: &Bans| table.frontier(tiles, Some(&root)).without(table, tiles, bans);
    let mut all = table.placements(tiles, &hardy, &frontier(&bans));
    all.extend(table.placements(tiles, &tender, &frontier(&off)));
    let mut found: BTreeMap<String, BTreeSet<(Cell, usize)>> = BTreeMap::new();
    for one in all {
        let design = catalog.design_of(one.card).id.clone();
        let at = cell(&catalog.id_of(Value::Space(one.space)));
        found.entry(design).or_default().insert((at, one.rotation.into()));
    }
    found
}

#[test]
fn placements_are_as_many_as_pinned_and_as_the_files_say() {
    let pack = common::pack("mods/duello");
    let files = files();
    let Layouts { world, layouts } = serde_json::from_value(read("tests/positions/duello.json")).unwrap();
    assert_eq!(layouts.len(), 6, "the start and five layouts");
    let start = pack.game(pack.host(), 1).table().clone();
    let mut told = String::new();
    for layout in layouts {
        assert!(!layout.why.is_empty());
        let mut table = start.clone();
        layout.laid.iter().for_each(|laying| lay(&mut table, laying));
        let mut naive = Naive { files: &files, lying: BTreeMap::new(), guards: BTreeSet::new() };
        for (design, at, rotation, _) in world.iter().chain(&layout.laid) {
            let rotation = usize::from(*rotation);
            naive.lying.insert(cell(at), Lies { design: design.clone(), rotation, joined: false });
        }
        let bridges = [("bridge", "s16", "rosso"), ("bridge", "m16", "giallo")];
        let added = layout.pieces.iter().map(|(kind, at, owner)| (kind.as_str(), at.as_str(), owner.as_str()));
        for (kind, at, owner) in bridges.into_iter().chain(added) {
            if !bridges.contains(&(kind, at, owner)) {
                let (kind, space) = (table.catalog.kind(kind).unwrap(), table.catalog.space(at).unwrap());
                let owner = seat(&table, owner);
                table.place(kind, Some(owner), space).unwrap();
            }
            if kind == "bridge" {
                table.join_links(table.catalog.space(at).unwrap(), true).unwrap();
                naive.lying.get_mut(&cell(at)).unwrap().joined = true;
            }
            if owner != SEAT && files.guards.contains(kind) {
                naive.guards.insert(cell(at));
            }
        }
        // Exactly the tiles of the layout are on the grid.
        let tiles = table.catalog.tiles.as_deref().unwrap();
        let laid: BTreeSet<Cell> =
            table.view(None).tiles.iter().map(|(space, _)| cell(&table.catalog.id_of(Value::Space(*space)))).collect();
        assert_eq!(laid, naive.lying.keys().copied().collect(), "{}", layout.id);
        assert_eq!(tiles.len(), 721);
        let kernel = listed(&table);
        for design in files.designs.keys() {
            let set = zone(&table, "set", Some(seat(&table, SEAT)));
            let is_left = table.world.in_zone(set).any(|card| table.catalog.design_of(card).id == *design);
            let wanted = if is_left { naive.placements(design) } else { BTreeSet::new() };
            assert_eq!(kernel.get(design).cloned().unwrap_or_default(), wanted, "{} {design}", layout.id);
        }
        let designs: BTreeMap<String, usize> = kernel.iter().map(|(id, all)| (id.clone(), all.len())).collect();
        let total: usize = designs.values().sum();
        if (total, &designs) != (layout.total, &layout.designs) {
            told += &format!("{}: {total} {}\n", layout.id, serde_json::to_string(&designs).unwrap());
        }
    }
    assert!(told.is_empty(), "{told}");
}
