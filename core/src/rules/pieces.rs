//! Pieces: moving, placing and giving them, with all consequences.

use crate::catalog::Kind;
use crate::ids::*;
use crate::state::{Event, Table};

impl Table {
    /// The kind of a piece.
    pub fn kind_of(&self, piece: PieceId) -> &Kind {
        &self.catalog.kinds[self.catalog.pieces[piece.index()].kind.index()]
    }

    /// Moves a piece to a space or into the pool, with all consequences for control.
    pub fn move_piece(&mut self, piece: PieceId, to: Option<SpaceId>) {
        match self.move_unsettled(piece, to) {
            Some([Some(from), Some(to)]) => self.settle_control(&[from.min(to), from.max(to)]),
            Some([Some(space), None] | [None, Some(space)]) => self.settle_control(&[space]),
            Some([None, None]) | None => {}
        }
    }

    /// Moves several pieces in one step. Control is settled once, after all have arrived.
    pub fn move_pieces(&mut self, moves: &[(PieceId, Option<SpaceId>)]) {
        let mut touched: Vec<SpaceId> = Vec::with_capacity(2 * moves.len());
        for (piece, to) in moves {
            touched.extend(self.move_unsettled(*piece, *to).into_iter().flatten().flatten());
        }
        touched.sort_unstable();
        touched.dedup();
        self.settle_control(&touched);
    }

    /// Moves a piece without settling control. Returns the spaces it left and entered; `None` if it stays.
    fn move_unsettled(&mut self, piece: PieceId, to: Option<SpaceId>) -> Option<[Option<SpaceId>; 2]> {
        let old = self.world.piece(piece);
        let from = old.space();
        if from == to {
            return None;
        }
        let scores = self.kind_of(piece).on_control.clone();
        if let Some(space) = from
            && let Some(seat) = self.world.controller(space)
        {
            for score in &scores {
                self.score(space, seat, *score, -1);
            }
        }
        self.world.set_piece(piece, to);
        if self.record_events {
            let seen = (self.piece_seen_by(piece, from), self.piece_seen_by(piece, to));
            self.emit(Event::Piece { piece, owner: old.owner(), from, to, seen });
        }
        if let Some(space) = to
            && let Some(seat) = self.world.controller(space)
        {
            for score in &scores {
                self.score(space, seat, *score, 1);
            }
        }
        if let (Some(space), Some(owner)) = (from, old.owner()) {
            self.queue_vacated(piece, space, owner);
        }
        Some([from, to])
    }

    /// Puts a piece from the pool on a space; `None` if the pool has none of this kind and owner.
    pub fn place(&mut self, kind: KindId, owner: Option<FactionId>, space: SpaceId) -> Option<PieceId> {
        let piece = self.world.pooled(&self.catalog, kind, owner)?;
        self.move_piece(piece, Some(space));
        Some(piece)
    }

    /// Gives a piece to another owner. It stays where it is, with all consequences for control.
    pub fn give_piece(&mut self, piece: PieceId, owner: Option<FactionId>) {
        let old = self.world.piece(piece);
        let (from, space) = (old.owner(), old.space());
        if from == owner {
            return;
        }
        let seen = self.piece_seen_by(piece, space);
        self.world.set_owner(piece, owner);
        if self.record_events {
            let seen = seen | self.piece_seen_by(piece, space);
            self.emit(Event::Given { piece, from, to: owner, space, seen });
        }
        let Some(space) = space else { return };
        if let Some(from) = from {
            self.queue_vacated(piece, space, from);
        }
        self.settle_control(&[space]);
    }

    /// Queues `space.vacated` if the last occupying piece of a faction has just left a space.
    fn queue_vacated(&mut self, piece: PieceId, space: SpaceId, owner: FactionId) {
        if self.kind_of(piece).occupies && self.world.occupant_mask(&self.catalog, space) >> owner.0 & 1 == 0 {
            self.queue(self.catalog.kernel.space_vacated, Args::new(&[Value::Space(space), Value::Faction(owner)]));
        }
    }
}
