//! Pieces of a world: their spaces and owners, without consequences.

use super::slots::{NONE, POOL, Piece};
use super::world::World;
use crate::catalog::{Catalog, FactionSet, NOBODY};
use crate::ids::*;

impl World {
    /// Where a piece is and whose it is, by value.
    pub fn piece(&self, piece: PieceId) -> Piece {
        self.pieces[piece.index()]
    }
    /// All pieces in id order.
    pub fn pieces(&self) -> impl Iterator<Item = (PieceId, Piece)> + '_ {
        self.pieces.iter().enumerate().map(|(at, piece)| (PieceId::at(at), *piece))
    }
    /// The pieces in a range of the box.
    pub(crate) fn pieces_in(&self, span: std::ops::Range<usize>) -> impl Iterator<Item = (PieceId, Piece)> + '_ {
        let pieces = self.pieces.get(span.clone()).unwrap_or_default();
        span.zip(pieces).map(|(at, piece)| (PieceId::at(at), *piece))
    }
    /// The pieces on a space, in id order.
    pub fn on_space(&self, space: SpaceId) -> impl Iterator<Item = PieceId> + '_ {
        let mut at = self.heads[space.index()];
        std::iter::from_fn(move || {
            (at != NONE).then(|| {
                let piece = PieceId(at);
                at = self.pieces[piece.index()].next;
                piece
            })
        })
    }
    /// The first piece of a kind and owner in the pool.
    pub fn pooled(&self, catalog: &Catalog, kind: KindId, owner: Option<FactionId>) -> Option<PieceId> {
        catalog.pieces.of_kind(kind).find(|id| {
            let piece = self.piece(*id);
            piece.place == POOL && piece.owner() == owner
        })
    }
    /// Moves a piece without consequences.
    pub(crate) fn set_piece(&mut self, piece: PieceId, to: Option<SpaceId>) {
        let old = self.pieces[piece.index()];
        if let Some(space) = old.space() {
            // Unlinks the piece. Lists are short, so walking them is cheap.
            let mut link = self.heads[space.index()];
            if link == piece.0 {
                self.heads[space.index()] = old.next;
            } else {
                while link != NONE {
                    let next = self.pieces[usize::from(link)].next;
                    if next == piece.0 {
                        self.pieces[usize::from(link)].next = old.next;
                        break;
                    }
                    link = next;
                }
            }
        }
        self.pieces[piece.index()].next = NONE;
        self.pieces[piece.index()].place = to.map_or(POOL, |space| space.0);
        if let Some(space) = to {
            let head = self.heads[space.index()];
            if head == NONE || head > piece.0 {
                self.pieces[piece.index()].next = head;
                self.heads[space.index()] = piece.0;
            } else {
                let mut link = head;
                loop {
                    let next = self.pieces[usize::from(link)].next;
                    if next == NONE || next > piece.0 {
                        self.pieces[piece.index()].next = next;
                        self.pieces[usize::from(link)].next = piece.0;
                        break;
                    }
                    link = next;
                }
            }
        }
    }
    /// Gives a piece to another owner.
    pub(crate) fn set_owner(&mut self, piece: PieceId, owner: Option<FactionId>) {
        self.pieces[piece.index()].owner = owner.map_or(u8::MAX, |f| f.0);
    }
    /// The factions with occupying pieces on a space, and a bit for pieces without an owner.
    #[inline]
    pub fn occupant_mask(&self, catalog: &Catalog, space: SpaceId) -> FactionSet {
        let mut mask = 0;
        for piece in self.on_space(space) {
            if catalog.kinds[catalog.pieces[piece.index()].kind.index()].occupies {
                mask |= 1 << self.pieces[piece.index()].owner.min(NOBODY);
            }
        }
        mask
    }
    /// The factions with occupying pieces on a space.
    pub fn occupants(&self, catalog: &Catalog, space: SpaceId) -> impl Iterator<Item = FactionId> + use<> {
        let mask = self.occupant_mask(catalog, space);
        (0..NOBODY).filter(move |bit| mask >> bit & 1 == 1).map(FactionId)
    }
}
