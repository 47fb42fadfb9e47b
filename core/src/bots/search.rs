//! Search in imagined games: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012) over options
//! by their names, led by what one look ahead says of each option (predictors as in PUCT, Rosin 2011).
//!
//! Every playout imagines its own world and walks down one tree that all these worlds share, until the seat's next turn
//! is over too; there the position is judged for everybody who chose on the way. A position that a walk comes to for
//! the first time is opened: some of its options, at the root all, are judged by one look ahead, as a greedy player
//! does it. From these promises an option starts; playouts that say otherwise, and enough of them, move the search away
//! from them. Other seats are assumed to play the same way, each for its own good. What they choose secretly
//! at the same time as the seat is drawn by its promise, since they cannot answer to what they do not see.
//!
//! If a game has neither tracks nor hooks that judge positions, walks continue at random to the end of the game.
//!
//! Deterministic, and only additions, products, divisions and square roots, so equal on every machine.
//!
//! This file shares a decision out among independent searches; one search is in `tree`, what they found in `result`.

use super::result::SearchResult;
use super::tree::Tree;
use crate::game::{Game, GameState};
use crate::ids::*;
use crate::rng::Rng;
use crate::scripts::Scripts;

/// One independent search. Several of them, each with its own seed, make a decision together: [`searches`] says
/// how many, [`decide`](super::decide) puts together what they found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// The seat whose decision it is.
    pub seat: SeatId,
    /// Seed of all its chance.
    pub seed: u64,
    /// How many walks through imagined worlds it makes.
    pub playouts: u32,
}

/// Threads that carry out several searches at the same time. Games stay on theirs; what travels is a [`GameState`].
pub trait Workers {
    /// The findings of each search, in the order of the searches; `None` if it cannot carry them out.
    fn search(&self, position: GameState, searches: &[Search]) -> Option<Vec<Vec<SearchResult>>>;
}

/// Each search gets about this many playouts.
const SHARE: u32 = 32;
/// A decision is divided among at most this many searches.
const MOST_SEARCHES: u32 = 16;

/// How many options are tried in the same imagined world, so that chance is equally kind to all of them.
const RIVALS: u32 = 2;

/// The searches for a decision: 1 to 16, whose playouts add up to `playouts`. They do not depend on how many can run at
/// a time.
pub fn searches(seat: SeatId, playouts: u32, rng: &mut Rng) -> Vec<Search> {
    let count = (playouts / SHARE).clamp(1, MOST_SEARCHES);
    (0..count)
        .map(|at| Search {
            seat,
            seed: u64::from(rng.below(u32::MAX)) << 32 | u64::from(rng.below(u32::MAX)),
            playouts: playouts / count + u32::from(at < playouts % count),
        })
        .collect()
}

impl Search {
    /// Carries the search out. Returns the options that it looked at, at most 200; none if no world can be imagined.
    pub fn run<S: Scripts>(&self, game: &Game<S>) -> Vec<SearchResult> {
        let mut tree = Tree::new(game, self.seat, self.seed);
        let mut left = self.playouts;
        while left > 0 {
            let Some(world) = tree.imagine(game) else { break };
            tree.explore(&world, left.min(RIVALS));
            left -= left.min(RIVALS);
        }
        tree.into_results()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_share_the_playouts() {
        for (playouts, count) in [(1, 1), (63, 1), (64, 2), (100, 3), (100_000, 16)] {
            let searches = searches(FactionId(0), playouts, &mut Rng::new(1));
            assert_eq!(searches.len(), count);
            assert_eq!(searches.iter().map(|search| search.playouts).sum::<u32>(), playouts);
            assert!(searches.windows(2).all(|pair| pair[0].seed != pair[1].seed));
        }
    }
}
