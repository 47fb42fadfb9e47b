//! Tiles: the grid, the kinds of edges, and the sides of a card.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::basics::*;

/// The cells on which tiles are laid. Each is a space, named by the letters of its column and the number of its row: `k11`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// The shape of its cells.
    pub shape: GridShape,
    /// Keyword of their kind of space, e.g. `cell`.
    pub kind: Keyword,
    /// For hexagons: the number of steps from the cell in the middle to the border.
    #[serde(default)]
    #[schemars(range(min = 1, max = 60))]
    pub radius: Option<u16>,
    /// For squares: the number of cells from west to east.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub columns: Option<u16>,
    /// For squares: the number of cells from north to south.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub rows: Option<u16>,
}

/// The shape of the cells of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GridShape {
    /// Hexagons with a corner at the top. Sides count clockwise from the north-east.
    Hexagons,
    /// Squares. Sides count clockwise from the north.
    Squares,
}

/// A kind of edge.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// The keyword that names it.
    pub id: Keyword,
    /// The character that represents it in the `edges` of tiles and on displays.
    #[schemars(regex(pattern = r"^[!-~]$"))]
    pub sign: String,
    /// The network it belongs to. Touching edges of one network are joined.
    #[serde(default)]
    pub network: Option<Keyword>,
    /// The edges that it may touch. It is enough if one of the two names the other.
    #[serde(default)]
    pub meets: Vec<Keyword>,
    /// Whether it may face an empty cell. Default: true.
    #[serde(default = "yes")]
    pub empty: bool,
    /// Whether it may face the border of the grid. Default: true.
    #[serde(default = "yes")]
    pub border: bool,
}

/// The sides of a card that is laid on the grid.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    /// The signs of its edges, clockwise from side 0.
    #[schemars(regex(pattern = r"^[!-~]{4,6}$"))]
    pub edges: String,
    /// Sides that are joined inside the tile. If any side of a network is listed here, only the listed ones are joined.
    /// Default: all sides of a network are joined.
    #[serde(default)]
    pub links: Vec<Link>,
}

/// Sides of a tile that are joined, counted clockwise from 0.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Link(#[schemars(length(min = 1, max = 6), inner(range(min = 0, max = 5)))] pub Vec<u8>);

fn yes() -> bool {
    true
}
