//! Laid tiles as data.

use std::ops::Range;

use principes_core::catalog::TileRule;
use principes_core::*;
use serde::Serialize;

use crate::words::Words;

/// The grid on which tiles are laid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GridOnBoard {
    /// The number of sides of a cell: 4 or 6.
    pub sides: usize,
    /// The cells, by index in the list of spaces.
    pub cells: Range<usize>,
    /// The signs of edges and their names.
    pub edges: Vec<(char, String)>,
}

/// A laid tile. Sides are those of the map, clockwise from the north-east or from the north.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TileOnBoard {
    /// The id of the design.
    pub id: String,
    /// The title in the language of the viewer.
    pub title: String,
    /// The rotation, in sides clockwise.
    pub rotation: u8,
    /// The owner, by index in the list of factions.
    pub owner: Option<usize>,
    /// The sign of the edge at each side.
    pub edges: Vec<char>,
    /// For each side, the sides linked with it inside the tile, including itself. Empty for sides without a network.
    pub links: Vec<Vec<usize>>,
    /// Whether sides of the same network are not linked.
    pub is_split: bool,
}

/// The grid of a game, if it has one.
pub(crate) fn grid(words: &Words) -> Option<GridOnBoard> {
    let tiles = words.catalog().tiles.as_deref()?;
    let first = tiles.first.index();
    let edge = |edge: &catalog::EdgeKind| (edge.sign, words.value(Value::Symbol(edge.id), None));
    Some(GridOnBoard {
        sides: tiles.sides(),
        cells: first..first + tiles.len(),
        edges: tiles.edges.iter().map(edge).collect(),
    })
}

/// The signs of a design's edges, clockwise from side 0. `None` if it is not a tile.
pub(crate) fn edges(catalog: &Catalog, design: DesignId) -> Option<String> {
    let tiles = catalog.tiles.as_deref()?;
    let tile = tiles.tile(design)?;
    Some(tile.edges.iter().take(tiles.sides()).map(|kind| tiles.edges[usize::from(*kind)].sign).collect())
}

/// The laid tiles of a view with their spaces.
pub(crate) fn laid(words: &Words, view: &View) -> Vec<(SpaceId, TileOnBoard)> {
    let Some(tiles) = words.catalog().tiles.as_deref() else { return Vec::new() };
    view.tiles.iter().filter_map(|(space, laid)| Some((*space, tile(words, view, tiles, *laid)?))).collect()
}

fn tile(words: &Words, view: &View, tiles: &TileRule, laid: Laid) -> Option<TileOnBoard> {
    let catalog = words.catalog();
    let design = catalog.cards[laid.card.index()];
    let spec = tiles.tile(design)?;
    let sides = tiles.sides();
    let printed = |side: usize| (side + sides - usize::from(laid.rotation)) % sides;
    let links = if laid.joined { &spec.whole } else { &spec.links };
    let joined = |side: usize| {
        let mask = links[printed(side)];
        (0..sides).filter(|other| mask >> printed(*other) & 1 == 1).collect::<Vec<usize>>()
    };
    let holder = view.zones.iter().find(|zone| zone.cards.contains(&Some(laid.card)));
    Some(TileOnBoard {
        id: catalog.designs[design.index()].id.clone(),
        title: words.value(Value::Card(laid.card), None),
        rotation: laid.rotation,
        owner: holder.and_then(|zone| zone.owner).map(FactionId::index),
        edges: (0..sides).map(|side| tiles.edges[usize::from(spec.edges[printed(side)])].sign).collect(),
        links: (0..sides).map(joined).collect(),
        is_split: (0..sides).any(|side| links[side] != spec.whole[side]),
    })
}
