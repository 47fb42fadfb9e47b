//! What packs compile to. It never changes during a game, and it does not depend on a game in progress.
//!
//! - `catalog`, `build`: the [`Catalog`] itself, how it is built from its parts, and the conversion from ids in packs to
//!   the kernel's numbers
//! - `names`, `props`: keywords, and properties by keyword
//! - `setup`: playable factions, setup options, and [`GameConfig`]
//! - `board`, `pieces`, `cards`, `counters`: what is on the table
//! - `visibility`: who may see it
//! - `hooks`: hook points and their listeners
//! - `flow`: phases and their decisions
//! - `control`, `movement`, `battle`: the settings of the kernel's own procedures
//! - `limits`: how many of each thing there may be
//! - `grid`, `tiles`: cards with edges, and the cells on which they are laid
//! - `filters`: filters for spaces and pieces

mod battle;
mod board;
mod build;
mod cards;
#[expect(clippy::module_inception, reason = "the file of the type `Catalog`")]
mod catalog;
mod control;
mod counters;
mod filters;
mod flow;
mod grid;
mod hooks;
mod limits;
mod movement;
mod names;
mod pieces;
mod props;
mod setup;
mod tiles;
mod trained;
mod visibility;

pub use battle::{BattleRule, BattleStep, Face, Fighter};
pub use board::{Board, Space, StartPieces, StartWhen};
pub use build::{CatalogError, CatalogErrors};
pub use cards::{Design, ZoneKind, ZoneKinds};
pub use catalog::{Catalog, CatalogParts};
pub use control::{ControlRule, ControlScore};
pub use counters::{Counter, Derived, Holds, Scope};
pub use filters::{KindOrClass, PieceFilter, SpaceFilter};
pub use flow::{AsideRule, DecisionKind, Offer, Phase, PhaseBody, PhaseDecision, Times};
pub use grid::{Grid, MOST_SIDES};
pub use hooks::{Change, ChangeFor, Hook, HookPoint, HookPointKind, HookSource, KernelPoints, Listener, Rule};
pub(crate) use limits::NOBODY;
pub use limits::{FactionSet, MOST_ENTITIES, MOST_FACTIONS, MOST_FOG_FACTIONS};
pub use movement::MovementRule;
pub use names::{Keywords, Names};
pub use pieces::{Kind, PieceBox, PieceSpec};
pub use props::Props;
pub use setup::{Faction, GameConfig, Variant};
pub(crate) use tiles::{ALL_EDGES, edge_bits, turn_sides};
pub use tiles::{EdgeKind, MOST_EDGES, RotatedTile, Tile, TileRule};
pub use trained::Trained;
pub use visibility::Visible;
pub(crate) use visibility::mask_has;
