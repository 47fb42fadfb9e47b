//! The cards of a game as a table for spreadsheets, and back: what was changed in the table becomes edits of single
//! values in files.

mod cell;
mod csv;
mod import;
mod outcome;
mod table;

pub use csv::{MOST_BYTES, TableError};
pub use import::{Change, Import, import};
pub use outcome::{ImportOutcome, Refused, outcome};

use principes_app::packs::OpenPacks;

use self::table::Table;

/// The cards of a game as a table: one row for each, with its numbers, properties and texts in all languages. Only
/// cards whose ids are wanted are in it.
pub fn export(packs: &OpenPacks, is_wanted: &dyn Fn(&str) -> bool) -> String {
    let table = Table::of(packs);
    let mut rows = vec![table.columns.clone()];
    for card in table.in_order.iter().filter(|card| is_wanted(&card.id)) {
        rows.push(table.columns.iter().map(|column| table.cell(card, column)).collect());
    }
    csv::write(rows.iter().map(Vec::as_slice))
}
