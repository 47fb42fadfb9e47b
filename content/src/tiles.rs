//! From the procedure `tiles` and the sides of cards to the kernel's settings of tiles.

use principes_core::catalog as core;
use principes_core::ids::*;
use principes_model::Merged;
use principes_schemas as schemas;

use crate::compile::Compiler;
use crate::grid;

/// Whether the game has tiles.
pub fn are_used(merged: &Merged) -> bool {
    merged.procedures.iter().any(|entry| matches!(&*entry.value, schemas::Procedure::Tiles { .. }))
}

/// The settings of tiles, if the game has tiles. `offset` is where the tiles on the cells begin in the flat list of
/// counters. `None` if something does not fit, which the checks have reported.
pub fn compile(compiler: &mut Compiler<'_>, offset: usize) -> Option<core::TileRule> {
    let merged = compiler.merged;
    let (grid, zones, edges, veto) = merged.procedures.iter().find_map(|entry| match &*entry.value {
        schemas::Procedure::Tiles { grid, zones, edges, veto, .. } => Some((grid, zones, edges, veto)),
        _ => None,
    })?;
    let grid = grid::of(grid)?;
    let mut networks: Vec<SymbolId> = Vec::new();
    let mut kinds = Vec::new();
    for edge in edges {
        let network = edge.network.as_ref().map(|name| {
            let name = compiler.symbol(name.as_str());
            networks.iter().position(|known| *known == name).unwrap_or_else(|| {
                networks.push(name);
                networks.len() - 1
            })
        });
        let names = |one: &schemas::Edge, other: &schemas::Edge| one.meets.contains(&other.id);
        let meets = edges.iter().enumerate().filter(|(_, other)| names(edge, other) || names(other, edge));
        kinds.push(core::EdgeKind {
            id: compiler.symbol(edge.id.as_str()),
            sign: edge.sign.chars().next()?,
            network,
            meets: meets.fold(0, |mask, (at, _)| mask | 1 << at),
            meets_empty: edge.empty,
            meets_border: edge.border,
        });
    }
    let tile = |entry: &principes_model::Sourced<schemas::Card>| match &entry.value.tile {
        None => Some(None),
        Some(tile) => design(tile, edges, &kinds, grid.sides()).map(Some),
    };
    let designs = merged.cards.iter().map(tile).collect::<Option<_>>()?;
    let mut rule = core::TileRule::new(grid, SpaceId::at(merged.cells), kinds, designs);
    rule.zones = zones.iter().map(|zone| compiler.zone(zone)).collect::<Option<_>>()?;
    rule.networks = networks;
    rule.veto = match veto {
        Some(id) => Some(HookPointId::at(compiler.points.iter().position(|point| point.id == id.as_str())?)),
        None => None,
    };
    rule.offset = offset;
    rule.copies_differ = merged.counters.iter().any(|entry| entry.value.scope == schemas::CounterScope::Card);
    Some(rule)
}

/// The kernel's tile; `None` if its edges or links do not fit the grid.
pub fn design(
    tile: &schemas::Tile,
    edges: &[schemas::Edge],
    kinds: &[core::EdgeKind],
    sides: usize,
) -> Option<core::Tile> {
    if tile.edges.chars().count() != sides {
        return None;
    }
    let mut signs = [0; core::MOST_SIDES];
    for (to, sign) in signs.iter_mut().zip(tile.edges.chars()) {
        *to = u8::try_from(edges.iter().position(|edge| edge.sign.starts_with(sign))?).ok()?;
    }
    let link = |link: &schemas::Link| {
        let inside = link.0.iter().all(|side| usize::from(*side) < sides);
        inside.then(|| link.0.iter().fold(0, |mask, side| mask | 1 << side))
    };
    let links = tile.links.iter().map(link).collect::<Option<Vec<u8>>>()?;
    Some(core::Tile::new(kinds, sides, signs, &links))
}
