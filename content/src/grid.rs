//! The cells of the grid on which tiles are laid, which are spaces that no file lists.

use std::sync::Arc;

use principes_core::catalog as core;
use principes_model::{EntityPlace, Merged, Sourced};
use principes_schemas::{self as schemas, Family};
use serde_json::Value;

/// The grid that a procedure declares; `None` if its numbers do not fit its shape, which the checks report.
pub fn of(grid: &schemas::Grid) -> Option<core::Grid> {
    match (grid.shape, grid.radius, grid.columns, grid.rows) {
        (schemas::GridShape::Hexagons, Some(radius), None, None) => Some(core::Grid::Hexagons { radius }),
        (schemas::GridShape::Squares, None, Some(columns), Some(rows)) => Some(core::Grid::Squares { columns, rows }),
        _ => None,
    }
}

/// The ids of the cells that an entity of a file declares.
pub fn ids(family: Family, entity: &Value) -> Vec<String> {
    let grid = entity.get("grid").filter(|_| family == Family::Procedures);
    let grid = grid.and_then(|grid| serde_json::from_value::<schemas::Grid>(grid.clone()).ok());
    let cells = grid.and_then(|grid| of(&grid)).map(core::Grid::cells);
    cells.into_iter().flatten().map(core::Grid::id).collect()
}

/// Adds the cells to the spaces, after those that files list.
pub fn add_cells(merged: &mut Merged) {
    let found = merged.procedures.iter().find_map(|entry| match &*entry.value {
        schemas::Procedure::Tiles { grid, .. } => Some((of(grid)?, grid.kind.clone(), entry.place.clone())),
        _ => None,
    });
    merged.cells = merged.spaces.len();
    let Some((grid, kind, place)) = found else { return };
    let cells = grid.cells();
    let id = |at: usize| core::Grid::id(cells[at]);
    for (at, (cell, beyond)) in cells.iter().zip(grid.across()).enumerate() {
        let space = schemas::Space {
            id: schemas::Id(id(at)),
            kind: kind.clone(),
            home: None,
            at: grid.place(*cell),
            adjacent: beyond.into_iter().flatten().map(|there| schemas::SpaceRef(id(there))).collect(),
            exits: Vec::new(),
            props: schemas::Props::default(),
            on_control: Vec::new(),
            pieces: Vec::new(),
            allow: schemas::Allow::default(),
            notes: None,
            provenance: None,
        };
        let place = EntityPlace { document: place.document, pointer: place.pointer.clone() };
        merged.spaces.push(Sourced { value: Arc::new(space), place });
    }
}
