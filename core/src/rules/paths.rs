//! The destinations of a piece in a movement, and the consents that it needs on the way.

use crate::ids::*;
use crate::state::{Consent, Movement, Table};

/// Whether a piece may continue from a space.
enum Transit {
    /// It may.
    Free,
    /// It must stop.
    Blocked,
    /// It may, with the consent of this seat.
    NeedsConsent(SeatId),
}

/// The last step of a path of a piece.
struct Step {
    space: SpaceId,
    /// The consents that are still needed on the way.
    cost: u32,
    /// The index of the previous step.
    from: usize,
}

/// The useful paths of a piece. A longer path is useful only if it needs fewer new consents.
struct Paths {
    /// The space of the piece, then all steps: the first steps of the paths, then the second ones, and so on.
    steps: Vec<Step>,
    /// For each space, the index at which its best path ends: the one with the fewest new consents and, of those, the
    /// shortest.
    best: Vec<usize>,
}

/// The entry of [`Paths::best`] for a space that no path enters.
const UNREACHED: usize = usize::MAX;

impl Paths {
    /// The spaces that the paths lead to, in id order.
    fn ends(&self) -> impl Iterator<Item = SpaceId> + '_ {
        let ends = self.best.iter().enumerate().filter(|(_, last)| !matches!(**last, 0 | UNREACHED));
        ends.map(|(space, _)| SpaceId::at(space))
    }

    /// The spaces that the best path to an end passes through, from the last to the first.
    fn through(&self, to: SpaceId) -> impl Iterator<Item = SpaceId> + '_ {
        let before = |at: usize| Some(self.steps[at].from).filter(|at| *at != 0);
        std::iter::successors(before(self.best[to.index()]), move |at| before(*at)).map(|at| self.steps[at].space)
    }
}

impl Movement {
    fn transit(&self, table: &Table, owner: Option<FactionId>, space: SpaceId) -> Transit {
        let world = &table.world;
        let own = owner.map_or(0, |f| 1 << f.0) | 1 << self.order.mover.0;
        let mut foreign = world.occupant_mask(&table.catalog, space) & !own;
        if foreign == 0
            && let Some(seat) = world.controller(space)
            && self.guards >> seat.0 & 1 == 1
        {
            foreign = (1 << seat.0) & !own;
        }
        if foreign == 0 {
            return Transit::Free;
        }
        let seat = FactionId(foreign.trailing_zeros() as u8);
        if foreign.is_power_of_two() && world.is_led(seat) { Transit::NeedsConsent(seat) } else { Transit::Blocked }
    }

    /// The space of a piece and its range in steps; `None` in the pool.
    fn start_and_range(&self, table: &Table, piece: PieceId) -> Option<(SpaceId, i32)> {
        let state = table.world.piece(piece);
        let kind = table.catalog.pieces[piece.index()].kind;
        let range = self.ranges.iter().find(|range| (range.owner, range.kind) == (state.owner(), kind));
        Some((state.space()?, range.map_or(0, |range| range.points)))
    }

    /// Whether a piece has any destination.
    pub(super) fn has_destination(&self, table: &Table, piece: PieceId) -> bool {
        let Some((from, points)) = self.start_and_range(table, piece) else { return false };
        let is_destination = |exit: &SpaceId| *exit != from && !self.order.forbid.contains(exit);
        // Nothing can block the first step, so most pieces need no paths.
        points > 0
            && (table.catalog.spaces[from.index()].exits.iter().any(is_destination)
                || self.paths(table, piece).is_some_and(|paths| self.allowed_ends(&paths).next().is_some()))
    }

    /// The spaces on which a move of a piece may end, in id order; none in the pool.
    pub(super) fn destinations(&self, table: &Table, piece: PieceId) -> Vec<SpaceId> {
        self.paths(table, piece).map_or_else(Vec::new, |paths| self.allowed_ends(&paths).collect())
    }

    /// The number of new consents for passing a space; `None` if the piece must stop there.
    fn cost_of_passing(&self, table: &Table, owner: Option<FactionId>, space: SpaceId) -> Option<u32> {
        match self.transit(table, owner, space) {
            Transit::Free => Some(0),
            Transit::Blocked => None,
            Transit::NeedsConsent(seat) => match self.reply(Consent { seat, space }) {
                Some(given) => given.then_some(0),
                None => Some(1),
            },
        }
    }

    /// The paths of a piece; `None` in the pool.
    fn paths(&self, table: &Table, piece: PieceId) -> Option<Paths> {
        let (start, points) = self.start_and_range(table, piece)?;
        let owner = table.world.piece(piece).owner();
        let spaces = &table.catalog.spaces;
        let mut steps = Vec::with_capacity(spaces.len());
        steps.push(Step { space: start, cost: 0, from: 0 });
        let mut best = vec![UNREACHED; spaces.len()];
        best[start.index()] = 0;
        // The steps that were added last.
        let mut ring = 0..1;
        for length in 0..points {
            for at in ring.clone() {
                let Step { space, cost, .. } = steps[at];
                // Leaving the start costs nothing.
                let passing = if length == 0 { Some(0) } else { self.cost_of_passing(table, owner, space) };
                let Some(cost) = passing.map(|passing| cost + passing) else { continue };
                for exit in &spaces[space.index()].exits {
                    let last = &mut best[exit.index()];
                    let as_short = *last >= ring.end;
                    // Of paths with the same cost, the shortest wins, then the one through the first space in id order.
                    let is_better = steps.get(*last).is_none_or(|known| {
                        cost < known.cost || as_short && cost == known.cost && space < steps[known.from].space
                    });
                    let found = Step { space: *exit, cost, from: at };
                    match steps.get_mut(*last) {
                        _ if !is_better => {}
                        Some(known) if as_short => *known = found,
                        _ => {
                            *last = steps.len();
                            steps.push(found);
                        }
                    }
                }
            }
            ring = ring.end..steps.len();
            if ring.is_empty() {
                break;
            }
        }
        Some(Paths { steps, best })
    }

    /// The ends of paths on which a move may end.
    fn allowed_ends(&self, paths: &Paths) -> impl Iterator<Item = SpaceId> {
        paths.ends().filter(|to| !self.order.forbid.contains(to))
    }

    /// The consents that the best path of a piece to a destination needs, given or not, in the order of the path.
    /// `None` if the piece cannot go there.
    pub(super) fn consents_on_path(&self, table: &Table, piece: PieceId, to: SpaceId) -> Option<Vec<Consent>> {
        let paths = self.paths(table, piece)?;
        self.allowed_ends(&paths).find(|end| *end == to)?;
        let owner = table.world.piece(piece).owner();
        let consent = |space| match self.transit(table, owner, space) {
            Transit::NeedsConsent(seat) => Some(Consent { seat, space }),
            _ => None,
        };
        let mut needs: Vec<Consent> = paths.through(to).filter_map(consent).collect();
        needs.reverse();
        Some(needs)
    }

    /// Whether a consent was given; `None` if it was not requested.
    pub(super) fn reply(&self, consent: Consent) -> Option<bool> {
        self.replies.iter().find(|reply| reply.consent == consent).map(|reply| reply.given)
    }
}
