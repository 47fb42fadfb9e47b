//! Search in imagined games: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012) over options
//! by name, guided by one-step lookahead for each option (predictors as in PUCT, Rosin 2011).
//!
//! Every playout imagines its own world and walks down one tree, shared by all these worlds, until the seat's next turn
//! has ended. There the position is judged for every seat that chose on the way. When a walk reaches a new position,
//! some of its options (at the root, all of them) are judged by one-step lookahead, as a greedy player does. These
//! promises are the prior values of options; enough contrary playouts overrule them. Other seats are assumed to play in
//! the same way, each for itself. Their secret choices at the same time as the seat's are drawn by promise, because
//! they cannot react to what they do not see.
//!
//! With a trained player, the search is smaller and faster (the file `guided`). Its promises come from one look ahead
//! with the learned value. Walks go through the seat's own turn only, drawn to what the policy prefers; the policy plays
//! for the other seats, and plays the turn to its end once a walk has left the tree. Then the learned value judges.
//!
//! If a game has no trained player, and neither tracks nor hooks that judge positions, walks continue at random until
//! the game ends.
//!
//! The search is deterministic. It uses only addition, multiplication, division and square roots, so it gives equal
//! results on every machine.
//!
//! This file divides a decision into independent searches. A single search is in `tree`, its results are in `result`.
//!
//! The number of independent searches depends only on the number of playouts, and their results are combined in order,
//! so the answer is the same no matter how many of them run at a time. The kernel starts no threads. A caller can
//! provide some as `Workers`, and a search is sent to them as a `GameState`.

use super::guided::Guided;
use super::model::Model;
use super::result::SearchResult;
use super::tree::Tree;
use crate::game::{Game, GameState};
use crate::ids::*;
use crate::rng::Rng;
use crate::scripts::Scripts;

/// One independent search. Several searches with different seeds make a decision together: [`searches`] decides how
/// many, and [`decide`](super::decide) combines their results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// The seat that must decide.
    pub seat: SeatId,
    /// The seed of all its chance.
    pub seed: u64,
    /// The number of walks through imagined worlds.
    pub playouts: u32,
}

/// Threads that run several searches in parallel. A game stays on its thread; a [`GameState`] is sent.
pub trait Workers {
    /// The results of each search, in order; `None` if the searches cannot run.
    fn search(&self, position: GameState, searches: &[Search]) -> Option<Vec<Vec<SearchResult>>>;
}

/// The approximate number of playouts for each search.
const SHARE: u32 = 32;
/// The most searches for a decision.
const MOST_SEARCHES: u32 = 16;

/// The number of options that are tried in the same imagined world, so that chance favors none of them.
const RIVALS: u32 = 2;

/// The searches for a decision: 1 to 16, whose playouts add up to `playouts`. They do not depend on how many can run in
/// parallel.
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
    /// Runs the search. Returns the options that it tried, at most 200; none if no world can be imagined.
    pub fn run<S: Scripts>(&self, game: &Game<S>) -> Vec<SearchResult> {
        if let Some(model) = Model::of(game.catalog()) {
            return Guided::new(&model, self.seat, self.seed).run(game, self.playouts, RIVALS);
        }
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
