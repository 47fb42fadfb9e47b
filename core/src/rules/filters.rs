//! Which spaces and pieces match a filter.

use crate::catalog::{KindOrClass, PieceFilter, SpaceFilter};
use crate::ids::*;
use crate::state::{Piece, Table};

impl Table {
    /// The spaces that match a filter, in id order.
    pub fn find_spaces<'a>(&'a self, filter: &'a SpaceFilter) -> impl Iterator<Item = SpaceId> + 'a {
        // Most filters have only a controller, so the other fields can often be skipped.
        let controller = filter.controller.map(|seat| seat.0);
        let asks_more = *filter != SpaceFilter { controller: filter.controller, ..SpaceFilter::default() };
        let asks_rest = filter.asks_rest();
        let fits = move |id: &SpaceId| {
            controller.is_none_or(|seat| self.world.control[id.index()] == seat)
                && (!asks_more || self.fits_more(*id, filter))
                && (!asks_rest || self.fits_rest(*id, filter))
        };
        let spaces = &self.catalog.spaces;
        let alike = filter.first_of.map(|prop| spaces.alike(prop));
        let firsts = alike.unwrap_or_default().iter().filter_map(|group| group.iter().copied().find(fits));
        let mut firsts: Vec<SpaceId> = firsts.collect();
        firsts.sort_unstable();
        // With `beside`, only neighbors need to be checked.
        let near = filter.beside.map(|space| spaces.neighbors(space));
        let others = if alike.is_some() { 0 } else { near.map_or(spaces.len(), <[SpaceId]>::len) };
        let other = move |at: usize| near.map_or_else(|| SpaceId::at(at), |near| near[at]);
        firsts.into_iter().chain((0..others).map(other).filter(fits))
    }

    /// Whether a space matches the fields of a filter except `controller`, `first_of` and those of `fits_rest`.
    fn fits_more(&self, id: SpaceId, filter: &SpaceFilter) -> bool {
        let space = &self.catalog.spaces[id.index()];
        (!filter.empty || self.world.occupant_mask(&self.catalog, id) == 0)
            && filter.kind.is_none_or(|kind| space.kind == kind)
            && filter.home.is_none_or(|home| space.home == Some(home))
            && filter.beside.is_none_or(|beside| self.catalog.spaces.neighbors(beside).contains(&id))
            && (!filter.neutral || self.world.controller(id).is_none())
            && filter.prop.is_none_or(|prop| !matches!(space.props.get(prop), None | Some(Value::Int(0))))
    }

    /// Whether a space matches the fields that few filters have.
    fn fits_rest(&self, id: SpaceId, filter: &SpaceFilter) -> bool {
        filter.marked.is_none_or(|counter| self.is_marked(id, counter))
            && filter.unmarked.is_none_or(|counter| !self.is_marked(id, counter))
            && filter.without.is_none_or(|sort| self.of_kind_or_class(id, sort).next().is_none())
            && filter.uncontrolled_by.is_none_or(|seat| self.world.controller(id) != Some(seat))
            && filter.fewer.is_none_or(|(sort, prop)| {
                usize::try_from(self.catalog.spaces[id.index()].props.int(prop))
                    .is_ok_and(|most| self.of_kind_or_class(id, sort).take(most).count() < most)
            })
    }

    /// Whether a counter of spaces is not 0 on a space.
    fn is_marked(&self, space: SpaceId, counter: CounterId) -> bool {
        self.raw(counter, Value::Space(space)).is_ok_and(|value| value != 0)
    }

    /// The number of these pieces on each space that has any, in id order.
    pub fn tally(&self, pieces: impl Iterator<Item = PieceId>) -> Vec<(SpaceId, u32)> {
        let mut counts = vec![0; self.catalog.spaces.len()];
        for space in pieces.filter_map(|piece| self.world.piece(piece).space()) {
            counts[space.index()] += 1;
        }
        (0..).map(SpaceId::at).zip(counts).filter(|(_, count)| *count > 0).collect()
    }

    /// The pieces that match a filter, in id order.
    pub fn find_pieces(&self, filter: &PieceFilter) -> impl Iterator<Item = PieceId> + '_ {
        let PieceFilter { at, owner, kind, class, occupying, on_map } = *filter;
        let asks_kind = class.is_some() || occupying.is_some();
        // The cheapest test comes first: it rejects most pieces.
        let fits = move |(id, piece): &(PieceId, Piece)| {
            on_map.is_none_or(|on| piece.space().is_some() == on)
                && owner.is_none_or(|owner| piece.owner() == Some(owner))
                && kind.is_none_or(|kind| self.catalog.pieces[id.index()].kind == kind)
                && (!asks_kind || {
                    let kind = self.kind_of(*id);
                    class.is_none_or(|class| kind.class == class)
                        && occupying.is_none_or(|occupying| kind.occupies == occupying)
                })
        };
        let there = at.into_iter().flat_map(|space| self.world.on_space(space));
        let there = there.map(|id| (id, self.world.piece(id)));
        let anywhere = match (at, kind, class) {
            (Some(_), ..) => 0..0,
            (None, None, Some(class)) => self.catalog.pieces.span_of_class(class, &self.catalog.kinds),
            (None, kind, _) => self.catalog.pieces.span(kind),
        };
        there.filter(fits).chain(self.world.pieces_in(anywhere).filter(fits)).map(|(id, _)| id)
    }

    /// The pieces of a kind or class on a space.
    fn of_kind_or_class(&self, space: SpaceId, sort: KindOrClass) -> impl Iterator<Item = PieceId> + '_ {
        self.world.on_space(space).filter(move |piece| {
            let kind = self.catalog.pieces[piece.index()].kind;
            match sort {
                KindOrClass::Kind(wanted) => kind == wanted,
                KindOrClass::Class(wanted) => self.catalog.kinds[kind.index()].class == wanted,
            }
        })
    }
}
