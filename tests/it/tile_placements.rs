//! Legal placements of tiles, counted: from the start of a game and from five fixed layouts. The layouts are in
//! `positions/lanes.json`, each with its numbers and the reason for them. A separate count that reads only the files of
//! the pack must give the same numbers, and so must the lists that scripts get.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common::{self, Pack, root};
use principes_core::*;
use serde::Deserialize;
use serde_json::Value as Json;

#[derive(Deserialize)]
struct Layouts {
    layouts: Vec<Layout>,
}

/// A fixed layout, and how many placements there are on it.
#[derive(Deserialize)]
struct Layout {
    id: String,
    /// Why the numbers are what they are.
    why: String,
    /// Design, cell, rotation.
    laid: Vec<(String, String, u8)>,
    /// Placements of each design that fits at all.
    designs: BTreeMap<String, usize>,
    /// Ways to lay two tiles of the bag, one after the other.
    two: Option<usize>,
}

/// The edges of a design, its links, its copies.
type Design = (Vec<char>, Vec<Vec<usize>>, usize);

/// The content of the files: the edges of each design, its copies, and which edges may meet.
struct Files {
    designs: BTreeMap<String, Design>,
    meets: BTreeSet<(char, char)>,
}

fn read(path: &str) -> Json {
    serde_json::from_str(&std::fs::read_to_string(root().join(path)).unwrap()).unwrap()
}

fn files() -> Files {
    let number = |value: &Json| value.as_u64().unwrap() as usize;
    let mut designs = BTreeMap::new();
    for card in read("mods/classics/lanes/tiles.json")["cards"].as_array().unwrap() {
        let links = card["tile"]["links"].as_array().into_iter().flatten();
        let links = links.map(|link| link.as_array().unwrap().iter().map(number).collect()).collect();
        let edges = card["tile"]["edges"].as_str().unwrap().chars().collect();
        let copies = card.get("copies").map_or(1, number);
        designs.insert(card["id"].as_str().unwrap().to_owned(), (edges, links, copies));
    }
    let game = read("mods/classics/lanes/game.json");
    let edges = game["procedures"][0]["edges"].as_array().unwrap().clone();
    let sign = |id: &Json| {
        edges.iter().find(|edge| edge["id"] == *id).unwrap()["sign"].as_str().unwrap().chars().next().unwrap()
    };
    let pairs =
        edges.iter().flat_map(|edge| edge["meets"].as_array().unwrap().iter().map(move |other| (&edge["id"], other)));
    let meets = pairs.flat_map(|(one, other)| [(sign(one), sign(other)), (sign(other), sign(one))]).collect();
    Files { designs, meets }
}

type Cell = (i32, i32);
type Lying = BTreeMap<Cell, (String, usize)>;

fn cell(name: &str) -> Cell {
    let column = i32::from(name.as_bytes()[0] - b'a');
    (column, name[1..].parse::<i32>().unwrap() - 1)
}

/// Clockwise from the north.
const STEPS: [Cell; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

impl Files {
    fn edge(&self, design: &str, rotation: usize, side: usize) -> char {
        self.designs[design].0[(side + 4 - rotation) % 4]
    }
    /// The rotations of a design that look different.
    fn rotations(&self, design: &str) -> Vec<usize> {
        let (_, links, _) = &self.designs[design];
        let look = |rotation: usize| {
            let edges: String = (0..4).map(|side| self.edge(design, rotation, side)).collect();
            let turn = |link: &Vec<usize>| link.iter().map(|side| (side + rotation) % 4).collect::<BTreeSet<_>>();
            (edges, links.iter().map(turn).collect::<BTreeSet<_>>())
        };
        let mut seen = BTreeSet::new();
        (0..4).filter(|rotation| seen.insert(look(*rotation))).collect()
    }
    fn fits(&self, lying: &Lying, design: &str, at: Cell, rotation: usize) -> bool {
        let mut touches = false;
        for (side, step) in STEPS.iter().enumerate() {
            if let Some((other, turned)) = lying.get(&(at.0 + step.0, at.1 + step.1)) {
                touches = true;
                if !self.meets.contains(&(self.edge(design, rotation, side), self.edge(other, *turned, (side + 2) % 4)))
                {
                    return false;
                }
            }
        }
        touches && !lying.contains_key(&at)
    }
    fn placements(&self, lying: &Lying, design: &str) -> Vec<(Cell, usize)> {
        let cells = (0..9).flat_map(|row| (0..9).map(move |column| (column, row)));
        let of = |at: Cell| {
            self.rotations(design)
                .into_iter()
                .filter(move |turn| self.fits(lying, design, at, *turn))
                .map(move |turn| (at, turn))
        };
        cells.flat_map(of).collect()
    }
    /// Ways to lay two tiles; `left` are the copies in the bag.
    fn two(&self, lying: &Lying, left: &BTreeMap<String, usize>) -> usize {
        let in_bag = |left: &BTreeMap<String, usize>| {
            left.iter().filter(|(_, many)| **many > 0).map(|(id, _)| id.clone()).collect::<Vec<_>>()
        };
        let mut all = 0;
        for first in in_bag(left) {
            let mut rest = left.clone();
            *rest.get_mut(&first).unwrap() -= 1;
            for (at, turn) in self.placements(lying, &first) {
                let mut next = lying.clone();
                next.insert(at, (first.clone(), turn));
                all += in_bag(&rest).iter().map(|second| self.placements(&next, second).len()).sum::<usize>();
            }
        }
        all
    }
}

/// The table before the first phase.
fn empty_table(pack: &Pack) -> Table {
    let config = GameConfig { seats: vec![FactionId(0), FactionId(1)], seed: 1, options: Vec::new() };
    let mut found = None;
    let take = |table: &mut Table| {
        found = Some(table.clone());
        Ok(())
    };
    Game::prepared(Arc::clone(pack.catalog()), pack.fresh_host(), config, false, take).unwrap();
    found.unwrap()
}

fn lay(table: &mut Table, design: &str, space: SpaceId, rotation: u8) {
    let catalog = Arc::clone(&table.catalog);
    let (design, green) =
        (catalog.design(design).unwrap(), catalog.zone_of(catalog.zone("green").unwrap(), None).unwrap());
    let is_free = |card: &CardId| catalog.cards[card.index()] == design && table.laid_at(*card).is_none();
    let card = (0..catalog.cards.len()).map(CardId::at).find(is_free).unwrap();
    table.lay(card, space, rotation.into(), green).unwrap();
}

fn listed(table: &Table, design: &str) -> Vec<Placement> {
    let catalog = &table.catalog;
    let wanted = catalog.design(design).unwrap();
    let free = (0..catalog.cards.len()).map(CardId::at);
    let card = free.filter(|card| catalog.cards[card.index()] == wanted).find(|card| table.laid_at(*card).is_none());
    let tiles = catalog.tiles.as_deref().unwrap();
    card.map_or_else(Vec::new, |card| table.placements(tiles, &[card], &table.frontier(tiles, None)))
}

#[test]
fn placements_are_as_many_as_counted_by_hand_and_from_the_files() {
    let pack = common::pack("mods/classics/lanes");
    let catalog = Arc::clone(pack.catalog());
    let files = files();
    let Layouts { layouts } = serde_json::from_value(read("tests/positions/lanes.json")).unwrap();
    assert_eq!(layouts.len(), 6, "the start and five layouts");
    let mut told = String::new();
    for layout in layouts {
        assert!(!layout.why.is_empty());
        let mut table = empty_table(&pack);
        let mut lying = Lying::new();
        let mut left: BTreeMap<String, usize> =
            files.designs.iter().map(|(id, (.., copies))| (id.clone(), *copies)).collect();
        for (design, at, rotation) in &layout.laid {
            lay(&mut table, design, catalog.space(at).unwrap(), *rotation);
            lying.insert(cell(at), (design.clone(), usize::from(*rotation)));
            *left.get_mut(design).unwrap() -= 1;
        }
        let mut found = BTreeMap::new();
        for design in files.designs.keys().filter(|design| left[*design] > 0) {
            let kernel: BTreeSet<(String, usize)> = listed(&table, design)
                .iter()
                .map(|one| (catalog.id_of(Value::Space(one.space)), one.rotation.into()))
                .collect();
            let name = |(column, row): Cell| format!("{}{}", char::from(b'a' + column as u8), row + 1);
            let naive: BTreeSet<(String, usize)> =
                files.placements(&lying, design).into_iter().map(|(at, turn)| (name(at), turn)).collect();
            assert_eq!(kernel, naive, "{} {design}", layout.id);
            if !kernel.is_empty() {
                found.insert(design.clone(), kernel.len());
            }
        }
        let mut two = 0;
        for design in files.designs.keys().filter(|design| left[*design] > 0) {
            for one in listed(&table, design) {
                let mut next = table.clone();
                next.lay(one.card, one.space, one.rotation.into(), next.world.card_zone(green_card(&next))).unwrap();
                two += files.designs.keys().map(|second| listed(&next, second).len()).sum::<usize>();
            }
        }
        if layout.two.is_some() {
            assert_eq!(two, files.two(&lying, &left), "{}", layout.id);
        }
        if found != layout.designs || layout.two.is_some_and(|wanted| wanted != two) {
            told += &format!("{}: {found:?}, two: {two}\n", layout.id);
        }
    }
    assert!(told.is_empty(), "{told}");
}

/// A card that is in the zone of laid tiles without an owner.
fn green_card(table: &Table) -> CardId {
    let green = table.catalog.zone_of(table.catalog.zone("green").unwrap(), None).unwrap();
    table.world.top(green).unwrap()
}
