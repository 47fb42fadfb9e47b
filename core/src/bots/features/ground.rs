//! What a seat sees on and around a space, and how far the game has come.

use super::LAST_STAGE;
use crate::catalog::{Catalog, Scope, Visible, mask_has};
use crate::ids::*;
use crate::state::{Frame, Table};

/// The occupying pieces on a space that a seat sees: its own, and those of others.
pub(super) fn pieces_on(table: &Table, seat: SeatId, space: SpaceId) -> (i32, i32) {
    let catalog = &table.catalog;
    let (mut own, mut others) = (0, 0);
    for piece in table.world.on_space(space) {
        let kind = catalog.pieces[piece.index()].kind;
        if !catalog.kinds[kind.index()].occupies || !sees_piece(table, seat, piece, space) {
            continue;
        }
        match table.world.piece(piece).owner() {
            Some(owner) if owner == seat => own += 1,
            _ => others += 1,
        }
    }
    (own, others)
}

/// Whether a seat sees a piece on a space.
pub(super) fn sees_piece(table: &Table, seat: SeatId, piece: PieceId, space: SpaceId) -> bool {
    table.catalog.fog.is_none() || mask_has(table.piece_seen_by(piece, Some(space)), Some(seat))
}

/// Whether a seat sees a space.
pub(super) fn sees_space(table: &Table, seat: SeatId, space: SpaceId) -> bool {
    table.catalog.fog.is_none() || mask_has(table.seen_by(space), Some(seat))
}

/// Who controls a space, as a seat sees it: 0 nobody or not seen, 1 the seat itself, 2 another.
pub(super) fn controlled_by(table: &Table, seat: SeatId, space: SpaceId) -> i32 {
    match table.world.controller(space) {
        Some(owner) if sees_space(table, seat, space) => {
            if owner == seat {
                1
            } else {
                2
            }
        }
        _ => 0,
    }
}

/// The iteration of the outermost loop, from 1; 0 outside of it.
pub fn iteration(table: &Table) -> i32 {
    match table.world.flow().first() {
        Some(Frame::Turns(turns)) => turns.levels.get(1).map_or(0, |level| level.iteration),
        _ => 0,
    }
}

/// How far the game has come, from 0 to [`LAST_STAGE`]: the iteration of the outermost loop, compared with the one in
/// which games usually end.
pub fn stage(table: &Table, usual_end: i32) -> i32 {
    (iteration(table) - 1)
        .clamp(0, i32::from(i16::MAX))
        .saturating_mul(LAST_STAGE)
        .checked_div(usual_end.max(1))
        .unwrap_or(0)
        .min(LAST_STAGE)
}

/// The sum of the tracks of a seat that everybody sees.
pub(super) fn standing(table: &Table, tracks: &[CounterId], seat: SeatId) -> i32 {
    tracks.iter().fold(0, |sum, track| sum.saturating_add(table.raw(*track, Value::Faction(seat)).unwrap_or(0)))
}

/// The tracks of seats that everybody sees.
pub(super) fn open_tracks(catalog: &Catalog) -> Vec<CounterId> {
    let is_open = |counter: &CounterId| {
        let spec = &catalog.counters[counter.index()];
        spec.track && spec.scope == Scope::Faction && spec.visible == Visible::Everyone
    };
    (0..catalog.counters.len()).map(CounterId::at).filter(is_open).collect()
}
