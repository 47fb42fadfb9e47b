//! Compares the kernel's tiles with a naive implementation of the same rules, on random layouts of hexagons and
//! squares.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_core::catalog::{
    CatalogParts, Design, EdgeKind, Faction, Grid, Kind, PieceSpec, Props, Scope, Space, Tile, TileRule, Visible,
    ZoneKind,
};
use principes_core::rng::Rng;
use principes_core::*;

const BAG: ZoneId = ZoneId(0);
const MAP: [ZoneId; 2] = [ZoneId(1), ZoneId(2)];
const RED: FactionId = FactionId(0);
const BLUE: FactionId = FactionId(1);
/// Road, river, and two kinds of edges without a network.
const ROAD: u8 = 0;
const RIVER: u8 = 1;
const KINDS: usize = 5;

fn edges() -> Vec<EdgeKind> {
    // Road meets road and waste; river only river; field meets field and waste; rock only rock, never the border; shore
    // meets rock, and never an empty cell.
    let meets = [0b01001, 0b00010, 0b01100, 0b11101, 0b11000];
    let network = [Some(0), Some(1), None, None, None];
    let kind = |at: usize| EdgeKind {
        id: SymbolId(0),
        sign: char::from(b'a' + at as u8),
        network: network[at],
        meets: (0..KINDS)
            .filter(|other| meets[at] >> other & 1 == 1 || meets[*other] >> at & 1 == 1)
            .fold(0, |m, o| m | 1 << o),
        meets_empty: at != 4,
        meets_border: at != 3,
    };
    (0..KINDS).map(kind).collect()
}

/// A game of two seats with random tiles, all in a bag. Tiles with the property have it in color 1 or 2.
fn table(grid: Grid, seed: u64, tiles: usize) -> Table {
    let mut rng = Rng::new(seed);
    let mut catalog = CatalogParts::new("toy");
    let word = SymbolId::at(catalog.symbols.intern("word"));
    let color = SymbolId::at(catalog.symbols.intern("color"));
    let networks = ["road", "river"].map(|name| SymbolId::at(catalog.symbols.intern(name)));
    catalog.factions = ["red", "blue"].map(|id| Faction::new(id, word)).to_vec();
    (catalog.playable, catalog.seats) = (2, (2, 2));
    let cells = grid.cells();
    let across = grid.across();
    let space = |at: usize| {
        let mut exits: Vec<SpaceId> = across[at].iter().flatten().map(|there| SpaceId::at(*there)).collect();
        exits.sort_unstable();
        Space {
            id: Grid::id(cells[at]),
            kind: word,
            home: None,
            at: grid.place(cells[at]),
            exits,
            on_control: Vec::new(),
            pieces: Vec::new(),
            props: Props::default(),
        }
    };
    catalog.spaces = (0..cells.len()).map(space).collect::<Vec<_>>().into();
    let zone = |id: &str, scope, offset| ZoneKind {
        id: id.to_owned(),
        scope,
        visible: Visible::Everyone,
        active: false,
        offset,
    };
    catalog.zones = vec![zone("bag", Scope::Game, 0), zone("map", Scope::Faction, 1)].into();
    catalog.zone_list = vec![(ZoneKindId(0), None), (ZoneKindId(1), Some(RED)), (ZoneKindId(1), Some(BLUE))];
    let watch = SymbolId::at(catalog.symbols.intern("watch"));
    for watches in [0, 1] {
        let mut props = Props::default();
        props.set(watch, Value::Int(watches));
        catalog.kinds.push(Kind {
            id: format!("kind-{watches}"),
            class: word,
            occupies: false,
            stats: Props::default(),
            on_control: Vec::new(),
            props,
            fogged: false,
        });
    }
    let pieces = (0..12).map(|at| PieceSpec { kind: KindId::at(at % 2), owner: Some(FactionId::at(at / 2 % 2)) });
    catalog.pieces = pieces.collect::<Vec<_>>().into();
    let sides = grid.sides();
    let kinds = edges();
    let mut designs = Vec::new();
    for at in 0..tiles {
        // Mostly edges of three kinds, so that many tiles fit.
        let mut side =
            || if rng.below(8) == 0 { rng.below(KINDS as u32) as u8 } else { [ROAD, 2, 3][rng.below(3) as usize] };
        let edges = std::array::from_fn(|_| side());
        let link = |rng: &mut Rng| (rng.below(1 << sides)) as u8;
        let links: Vec<u8> = match rng.below(3) {
            0 => vec![link(&mut rng)],
            1 => vec![link(&mut rng), link(&mut rng)],
            _ => Vec::new(),
        };
        designs.push(Some(Tile::new(&kinds, sides, edges, &links)));
        let mut props = Props::default();
        props.set(color, Value::Int(rng.below(3) as i32));
        catalog.designs.push(Design {
            id: format!("tile-{at}"),
            card_type: word,
            faction: None,
            start: BAG,
            copies: 1,
            props,
            params: BTreeMap::new(),
            listeners: Vec::new(),
        });
        catalog.cards.push(DesignId::at(at));
    }
    let mut rule = TileRule::new(grid, SpaceId(0), kinds, designs);
    rule.zones = vec![ZoneKindId(1)];
    rule.networks = networks.to_vec();
    (catalog.counter_values, catalog.tiles) = (rule.len(), Some(Box::new(rule)));
    let config = GameConfig { seats: vec![RED, BLUE], seed: 1, options: Vec::new() };
    let mut found = None;
    let game = Game::prepared(Arc::new(catalog.build().expect("the parts fit")), Nothing, config, false, |table| {
        found = Some(table.clone());
        Ok(())
    });
    assert!(game.is_ok());
    found.expect("the game was prepared")
}

/// The script host of a game without scripts.
#[derive(Clone)]
struct Nothing;

impl scripts::Scripts for Nothing {
    type Live = ();
    fn options(&self, _: HookId, _: &[Value], _: &mut Table) -> Result<Vec<DecisionOption>, scripts::ScriptError> {
        Ok(Vec::new())
    }
    fn start(
        &self,
        _: &mut (),
        _: u32,
        _: LiveHook,
        _: &[Value],
        _: &mut Table,
    ) -> Result<scripts::Step, scripts::ScriptError> {
        Ok(scripts::Step::Done)
    }
    fn query(&self, _: HookPointId, value: i32, _: &[Value], _: &mut Table) -> Result<i32, scripts::ScriptError> {
        Ok(value)
    }
    fn resume(
        &self,
        _: &mut (),
        _: u32,
        _: &scripts::Reply,
        _: &mut Table,
    ) -> Result<scripts::Step, scripts::ScriptError> {
        Ok(scripts::Step::Done)
    }
    fn reopen(&self, _: &mut (), _: u32, _: &mut Table) -> Result<Option<Vec<DecisionOption>>, scripts::ScriptError> {
        Ok(None)
    }
}

/// The naive implementation: maps by column and row, one side after the other.
struct Naive<'t> {
    table: &'t Table,
    tiles: &'t TileRule,
    cells: Vec<(i32, i32)>,
    steps: Vec<(i32, i32)>,
}

type Cell = (i32, i32);
/// An edge of a laid tile: its cell and its side of the map.
type End = (Cell, usize);

impl<'t> Naive<'t> {
    fn new(table: &'t Table) -> Self {
        let tiles = table.catalog.tiles.as_deref().expect("the game has tiles");
        let steps = match tiles.grid {
            Grid::Hexagons { .. } => vec![(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)],
            Grid::Squares { .. } => vec![(0, -1), (1, 0), (0, 1), (-1, 0)],
        };
        Naive { table, tiles, cells: tiles.grid.cells(), steps }
    }
    fn position(&self, cell: Cell) -> Option<usize> {
        self.cells.iter().position(|known| *known == cell)
    }
    fn beyond(&self, (x, y): Cell, side: usize) -> Option<Cell> {
        let cell = (x + self.steps[side].0, y + self.steps[side].1);
        self.position(cell).map(|_| cell)
    }
    fn laid(&self, cell: Cell) -> Option<Laid> {
        self.table.laid(self.tiles.space(self.position(cell)?))
    }
    fn design(&self, card: CardId) -> &Tile {
        self.tiles.tile(self.table.catalog.cards[card.index()]).expect("every card is a tile")
    }
    fn edge(&self, card: CardId, rotation: usize, side: usize) -> u8 {
        let sides = self.steps.len();
        self.design(card).edges[(side + 2 * sides - rotation) % sides]
    }
    fn owner(&self, laid: Laid) -> Option<FactionId> {
        self.table.catalog.zone_list[self.table.world.card_zone(laid.card).index()].1
    }
    fn filled(&self) -> Vec<Cell> {
        self.cells.iter().copied().filter(|cell| self.laid(*cell).is_some()).collect()
    }
    fn may_lie(&self, card: CardId, cell: Cell, rotation: usize, root: Option<&BTreeSet<End>>) -> bool {
        let (mut touches, mut joined, mut has_road) = (self.filled().is_empty(), false, false);
        if self.laid(cell).is_some() {
            return false;
        }
        for side in 0..self.steps.len() {
            let edge = self.edge(card, rotation, side);
            has_road |= edge == ROAD;
            let kind = &self.tiles.edges[usize::from(edge)];
            let Some(next) = self.beyond(cell, side) else {
                if !kind.meets_border {
                    return false;
                }
                continue;
            };
            let Some(laid) = self.laid(next) else {
                if !kind.meets_empty {
                    return false;
                }
                continue;
            };
            touches = true;
            let back = (side + self.steps.len() / 2) % self.steps.len();
            let other = self.edge(laid.card, laid.rotation.into(), back);
            if kind.meets >> other & 1 == 0 {
                return false;
            }
            joined |= edge == ROAD && other == ROAD && root.is_some_and(|root| root.contains(&(next, back)));
        }
        touches && (root.is_none() || self.filled().is_empty() || !has_road || joined)
    }
    /// All edges of a network that are connected with these, over tiles of an owner.
    fn stretch(&self, network: u8, from: BTreeSet<End>, owner: Option<FactionId>) -> BTreeSet<End> {
        let mut found = from;
        loop {
            let mut more = found.clone();
            for (cell, side) in &found {
                let laid = self.laid(*cell).expect("something lies there");
                let sides = self.steps.len();
                let design = self.design(laid.card);
                let links = if laid.joined { &design.whole } else { &design.links };
                for other in 0..sides {
                    let (here, there) =
                        [*side, other].map(|side| (side + sides - usize::from(laid.rotation)) % sides).into();
                    if links[here] >> there & 1 == 1 {
                        more.insert((*cell, other));
                    }
                }
                let back = (side + sides / 2) % sides;
                let next = self.beyond(*cell, *side).and_then(|next| Some((next, self.laid(next)?)));
                if let Some((next, laid)) = next
                    && self.edge(laid.card, laid.rotation.into(), back) == network
                    && (owner.is_none() || self.owner(laid) == owner)
                {
                    more.insert((next, back));
                }
            }
            if more == found {
                return found;
            }
            found = more;
        }
    }
    fn ends(&self, cell: Cell, network: u8) -> BTreeSet<End> {
        let Some(laid) = self.laid(cell) else { return BTreeSet::new() };
        let is_way = |side: &usize| self.edge(laid.card, laid.rotation.into(), *side) == network;
        (0..self.steps.len()).filter(is_way).map(|side| (cell, side)).collect()
    }
    /// The connected parts of a set of cells.
    fn parts(&self, cells: &BTreeSet<Cell>) -> BTreeSet<BTreeSet<Cell>> {
        let grow = |first: &Cell| {
            let mut part = BTreeSet::from([*first]);
            loop {
                let around =
                    part.iter().flat_map(|cell| (0..self.steps.len()).filter_map(|side| self.beyond(*cell, side)));
                let more: BTreeSet<Cell> =
                    around.filter(|cell| cells.contains(cell)).chain(part.iter().copied()).collect();
                if more == part {
                    return part;
                }
                part = more;
            }
        };
        cells.iter().map(grow).collect()
    }
    fn named(&self, cells: &[usize]) -> BTreeSet<Cell> {
        cells.iter().map(|cell| self.cells[*cell]).collect()
    }
    fn reached(&self, reached: &Reached) -> BTreeSet<End> {
        let sides = 0..self.steps.len();
        let of = |cell: usize| sides.clone().filter(move |side| reached.sides(cell) >> side & 1 == 1);
        reached.cells().flat_map(|cell| of(cell).map(move |side| (self.cells[cell], side))).collect()
    }
}

fn placements(table: &Table, root: Option<&Stretch>) -> Vec<Placement> {
    let tiles = table.catalog.tiles.as_deref().expect("the game has tiles");
    let cards = table.distinct_tiles(table.world.in_zone(BAG));
    table.placements(tiles, &cards, &table.frontier(tiles, root))
}

/// Lays random tiles, and sometimes joins links or takes a tile off.
fn grow(table: &mut Table, rng: &mut Rng, steps: usize) {
    for _ in 0..steps {
        let all = placements(table, None);
        let Some(one) = all.get(rng.below(all.len().max(1) as u32) as usize) else { return };
        let owner = MAP[rng.below(2) as usize];
        table.lay(one.card, one.space, one.rotation.into(), owner).expect("the placement was listed");
        if rng.below(5) == 0 {
            table.join_links(one.space, true).expect("a tile lies there");
        }
        if rng.below(7) == 0 {
            table.put_card(one.card, BAG, false, true);
        }
    }
}

const GRIDS: [Grid; 2] = [Grid::Hexagons { radius: 3 }, Grid::Squares { columns: 6, rows: 5 }];

#[test]
fn listed_placements_are_those_that_a_brute_force_check_accepts() {
    for (grid, seed) in GRIDS.into_iter().flat_map(|grid| (0..5).map(move |seed| (grid, seed))) {
        let mut table = table(grid, seed, 16);
        let mut rng = Rng::new(seed + 1000);
        for _ in 0..4 {
            let naive = Naive::new(&table);
            let first = naive.filled().first().copied();
            let root = first.map(|cell| Stretch {
                network: 0,
                root: naive.position(cell).expect("it is a cell"),
                side: None,
                owner: None,
            });
            let reached = first.map(|cell| naive.stretch(ROAD, naive.ends(cell, ROAD), None));
            for root in [None, root.as_ref()] {
                let listed: BTreeSet<_> = placements(&table, root).into_iter().collect();
                let reached = reached.as_ref().filter(|_| root.is_some());
                for card in table.world.in_zone(BAG) {
                    for (at, cell) in naive.cells.iter().enumerate() {
                        for rotation in 0..naive.steps.len() {
                            let space = SpaceId::at(at);
                            let may = naive.may_lie(card, *cell, rotation, reached);
                            let obstacle =
                                table.obstacle(card, space, rotation as i32, root).expect("all of these are real");
                            assert_eq!(
                                obstacle.is_none(),
                                may,
                                "{grid:?} {seed} {card:?} {cell:?} {rotation} {obstacle:?}"
                            );
                            // Of rotations that look alike, one is listed.
                            let design = naive.design(card);
                            let look = |turn: usize| {
                                (0..naive.steps.len()).map(|side| naive.edge(card, turn, side)).collect::<Vec<_>>()
                            };
                            let is_listed = design.rotations.iter().any(|turned| {
                                listed.contains(&Placement { card, space, rotation: turned.rotation })
                                    && look(turned.rotation.into()) == look(rotation)
                            });
                            assert_eq!(is_listed, may, "{grid:?} {seed} {card:?} {cell:?} {rotation}");
                        }
                    }
                }
            }
            grow(&mut table, &mut rng, 4);
        }
    }
}

#[test]
fn networks_groups_and_holes_match_the_naive_implementation() {
    let (mut roads, mut holes, mut ends) = (0, 0, 0);
    for (grid, seed) in GRIDS.into_iter().flat_map(|grid| (0..8).map(move |seed| (grid, seed))) {
        let mut table = table(grid, seed, 30);
        grow(&mut table, &mut Rng::new(seed + 2000), 26);
        let naive = Naive::new(&table);
        let tiles = naive.tiles;
        for (network, kind) in [(0, ROAD), (1, RIVER)] {
            for owner in [None, Some(RED), Some(BLUE)] {
                for cell in naive.filled() {
                    let root = naive.position(cell).expect("it is a cell");
                    let reached = table.reached(tiles, &Stretch { network, root, side: None, owner });
                    assert_eq!(naive.reached(&reached), naive.stretch(kind, naive.ends(cell, kind), owner));
                    let open = naive.reached(&reached).into_iter().filter(|(cell, side)| {
                        naive.beyond(*cell, *side).is_some_and(|next| naive.laid(next).is_none())
                    });
                    let open = open.count();
                    assert_eq!(table.open_ends(tiles, &reached), open);
                    ends += open;
                }
                let own = naive
                    .filled()
                    .into_iter()
                    .filter(|cell| owner.is_none() || naive.laid(*cell).is_some_and(|laid| naive.owner(laid) == owner));
                let wanted: BTreeSet<BTreeSet<End>> = own
                    .flat_map(|cell| naive.ends(cell, kind))
                    .map(|end| naive.stretch(kind, BTreeSet::from([end]), owner))
                    .collect();
                let found = table.stretches(tiles, network, owner);
                assert_eq!(found.len(), wanted.len(), "no stretch is listed twice");
                assert_eq!(found.iter().map(|reached| naive.reached(reached)).collect::<BTreeSet<_>>(), wanted);
                roads += wanted.len();
            }
        }
        let color = table.catalog.symbol("color").expect("it is interned");
        for (value, owner) in [(None, None), (Some(Value::Int(2)), Some(RED))] {
            let fits = |cell: &Cell| {
                naive.laid(*cell).is_some_and(|laid| {
                    let found = table.catalog.design_of(laid.card).props.get(color);
                    let fits = value.map_or(found != Some(Value::Int(0)), |value| found == Some(value));
                    fits && (owner.is_none() || naive.owner(laid) == owner)
                })
            };
            let wanted = naive.parts(&naive.cells.iter().copied().filter(fits).collect());
            let found = table.groups(tiles, &Grouping { prop: color, value, owner });
            assert_eq!(found.iter().map(|group| naive.named(group)).collect::<BTreeSet<_>>(), wanted);
        }
        let empty = naive.cells.iter().copied().filter(|cell| naive.laid(*cell).is_none()).collect();
        let mut wanted = naive.parts(&empty);
        let is_border = |cell: &Cell| (0..naive.steps.len()).any(|side| naive.beyond(*cell, side).is_none());
        wanted.retain(|part| !part.iter().any(is_border));
        holes += wanted.len();
        let found = table.enclosed(tiles);
        assert_eq!(found.iter().map(|area| naive.named(area)).collect::<BTreeSet<_>>(), wanted);
    }
    // The layouts have something to find.
    assert!(roads > 300 && holes > 4 && ends > 300, "{roads} {holes} {ends}");
}

#[test]
fn cells_beside_avoided_tiles_and_guards_are_excluded() {
    let (mut avoided, mut guarded, mut kept) = (0, 0, 0);
    for (grid, seed) in GRIDS.into_iter().flat_map(|grid| (0..6).map(move |seed| (grid, seed))) {
        let mut table = table(grid, seed, 24);
        let mut rng = Rng::new(seed + 3000);
        grow(&mut table, &mut rng, 6);
        // Every other piece stands on a tile. The rest stand anywhere, and guard nothing on empty cells.
        let all: Vec<SpaceId> = (0..table.catalog.spaces.len()).map(SpaceId::at).collect();
        let laid: Vec<SpaceId> = all.iter().copied().filter(|space| table.laid(*space).is_some()).collect();
        for piece in 0..12 {
            let among = if piece / 2 % 3 == 0 && !laid.is_empty() { &laid } else { &all };
            table.move_piece(PieceId::at(piece), Some(among[rng.below(among.len() as u32) as usize]));
        }
        let symbol = |name: &str| table.catalog.symbol(name).expect("it is interned");
        let (color, watch) = (symbol("color"), symbol("watch"));
        let naive = &Naive::new(&table);
        let cards = table.distinct_tiles(table.world.in_zone(BAG));
        let all = table.placements(naive.tiles, &cards, &table.frontier(naive.tiles, None));
        for (avoid, guards, seat) in [
            (Some(color), None, None),
            (None, Some(watch), Some(RED)),
            (None, Some(watch), None),
            (Some(color), Some(watch), Some(BLUE)),
            (None, None, Some(RED)),
        ] {
            let beside =
                |cell: Cell| (0..naive.steps.len()).filter_map(|side| naive.beyond(cell, side)).collect::<Vec<_>>();
            let is_avoided = |next: &Cell| {
                let laid = naive.laid(*next);
                laid.is_some_and(|laid| table.catalog.design_of(laid.card).props.int(color) != 0)
            };
            let is_guarded = |next: &Cell| {
                let at = naive.tiles.space(naive.position(*next).expect("it is a cell"));
                let guard = |piece: PieceId| {
                    table.kind_of(piece).props.int(watch) != 0 && table.world.piece(piece).owner() != seat
                };
                naive.laid(*next).is_some() && table.world.on_space(at).any(guard)
            };
            let bans = Bans { avoid, guards, seat };
            let wanted: Vec<Placement> = all
                .iter()
                .filter(|placement| {
                    let around = beside(naive.cells[placement.space.index()]);
                    let (off, held) = (
                        avoid.is_some() && around.iter().any(is_avoided),
                        guards.is_some() && around.iter().any(is_guarded),
                    );
                    let ban = table.ban(naive.tiles, placement.space.index(), &bans);
                    assert_eq!(ban.is_some(), off || held);
                    avoided += usize::from(ban == Some(Obstacle::Avoided));
                    guarded += usize::from(ban == Some(Obstacle::Guarded));
                    !off && !held
                })
                .copied()
                .collect();
            kept += wanted.len();
            let frontier = table.frontier(naive.tiles, None).without(&table, naive.tiles, &bans);
            assert_eq!(table.placements(naive.tiles, &cards, &frontier), wanted);
        }
    }
    assert!(avoided > 300 && guarded > 300 && kept > 300, "{avoided} {guarded} {kept}");
}

#[test]
fn a_known_frontier_is_the_present_one() {
    let mut known = KnownFrontier::default();
    let mut lists = BTreeSet::new();
    for seed in 0..4 {
        let mut tables = [table(GRIDS[0], seed, 24), table(GRIDS[0], seed + 9, 24)];
        let mut rng = Rng::new(seed);
        for _ in 0..8 {
            tables.iter_mut().for_each(|table| grow(table, &mut rng, 1));
            // Twice, in turn: what is known is of another table, another root, or the right one.
            for table in tables.iter().flat_map(|table| [table, table]) {
                let tiles = table.catalog.tiles.as_deref().expect("the game has tiles");
                let cards = table.distinct_tiles(table.world.in_zone(BAG));
                let first = table.world.laid_tiles(tiles).next();
                let root = first.map(|(cell, _)| NetworkRoot { network: 0, cell });
                for root in [None, root, root] {
                    let found = table.placements(tiles, &cards, known.of(table, tiles, root));
                    assert_eq!(found, placements(table, root.map(NetworkRoot::stretch).as_ref()));
                    lists.insert(found);
                }
            }
        }
    }
    assert!(lists.len() > 60, "{}", lists.len());
}

#[test]
fn a_tile_stays_until_its_card_leaves_the_zones_of_laid_tiles() {
    let mut table = table(GRIDS[1], 3, 4);
    let (card, other) = (CardId(0), CardId(1));
    table.lay(card, SpaceId(7), 2, MAP[0]).expect("the cell is empty");
    assert_eq!(table.laid(SpaceId(7)), Some(Laid { card, rotation: 2, joined: false }));
    assert_eq!((table.laid_at(card), table.world.card_zone(card)), (Some(SpaceId(7)), MAP[0]));
    assert_eq!(table.view(None).tiles, [(SpaceId(7), Laid { card, rotation: 2, joined: false })]);
    assert!(table.lay(other, SpaceId(7), 0, MAP[1]).is_err(), "the cell is taken");
    assert!(table.lay(other, SpaceId(8), 4, MAP[1]).is_err(), "a square has four rotations");
    assert!(table.lay(other, SpaceId(8), 0, BAG).is_err(), "the bag is not a zone of laid tiles");
    assert!(table.join_links(SpaceId(8), true).is_err(), "the cell is empty");

    table.join_links(SpaceId(7), true).expect("a tile lies there");
    table.lay(card, SpaceId(9), 1, MAP[0]).expect("tiles move");
    assert_eq!((table.laid(SpaceId(7)), table.laid_at(card)), (None, Some(SpaceId(9))));
    let without = table.without_tile(card).expect("it lies on the grid");
    assert_eq!((without.laid(SpaceId(9)), table.laid_at(card)), (None, Some(SpaceId(9))));
    assert!(table.without_tile(other).is_none());
    // It goes to another owner without moving.
    table.put_card(card, MAP[1], false, true);
    assert_eq!((table.laid_at(card), table.world.card_owner(&table.catalog, card)), (Some(SpaceId(9)), Some(BLUE)));
    table.put_card(card, BAG, false, true);
    assert_eq!((table.laid_at(card), table.laid(SpaceId(9))), (None, None));
}
