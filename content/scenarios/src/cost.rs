//! What edits and expectations of scenarios cost, in steps as scripts are charged for them.

use principes_core::ids::SpaceId;
use principes_core::{PieceFilter, Table};
use principes_schemas::{Edit, Expect};

use crate::lookup;

/// The number of things that may be examined or copied for one step.
const EXAMINED: usize = 4;

fn examined(things: usize) -> u64 {
    1 + (things / EXAMINED) as u64
}

/// The cost of a copy of the table, or of a look at everything on it.
pub(crate) fn of_table(table: &Table) -> u64 {
    examined(table.world.things())
}

/// The cost of an edit: a look at the table, and for each piece or card that it moves, a walk over those beside it.
pub(crate) fn of_edit(table: &Table, edit: &Edit) -> u64 {
    let catalog = &table.catalog;
    let on_space = |space: SpaceId| examined(table.world.on_space(space).count());
    let moved = match edit {
        Edit::Place(e) => {
            let pool = lookup::kind(catalog, e.place.as_str()).map_or(0, |kind| catalog.pieces.span(Some(kind)).len());
            let on_space = lookup::space(catalog, e.at.as_str()).map_or(0, on_space);
            u64::from(e.count) * (examined(pool) + on_space)
        }
        Edit::Remove(e) => {
            let kind = lookup::kind(catalog, e.remove.as_str()).ok();
            let at = lookup::space(catalog, e.from.as_str()).ok();
            let pieces = table.find_pieces(&PieceFilter { kind, at, on_map: Some(true), ..PieceFilter::default() });
            table.tally(pieces).into_iter().map(|(space, count)| u64::from(count) * on_space(space)).sum()
        }
        Edit::Clear(_) => catalog.cards.len() as u64,
        Edit::Counter(_) | Edit::Card(_) => 0,
    };
    of_table(table) + moved
}

/// The cost of an expectation. What somebody sees is worked out for everything in the game.
pub(crate) fn of_expect(table: &Table, expect: &Expect) -> u64 {
    match expect {
        Expect::Sees(_) | Expect::Hides(_) => table.world.things() as u64,
        _ => of_table(table),
    }
}
