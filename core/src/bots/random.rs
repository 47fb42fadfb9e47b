//! The bot that chooses at random.

use super::bot::{Bot, is_retreat};
use crate::game::Game;
use crate::ids::*;
use crate::rng::Stream;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption};

/// Chooses uniformly among all options that do not take something back, and sometimes plays an aside.
#[derive(Clone, Debug)]
pub struct RandomBot {
    rng: Stream,
}

/// The bot considers its asides once in this many opportunities.
const ASIDE_ODDS: u32 = 12;

impl RandomBot {
    /// A bot with its own seed.
    pub fn new(seed: u64) -> Self {
        RandomBot { rng: Stream::new(seed) }
    }
}

impl<S: Scripts> Bot<S> for RandomBot {
    fn choose(&mut self, game: &Game<S>, decision: &Decision) -> DecisionOption {
        let forward = decision.options.iter().filter(|option| !is_retreat(game, option)).count();
        if forward == 0 {
            return decision.options[self.rng.below(decision.options.len() as u32) as usize];
        }
        let pick = self.rng.below(forward as u32) as usize;
        let mut options = decision.options.iter().filter(|option| !is_retreat(game, option));
        // `pick` is below the number of options that pass the filter.
        options.nth(pick).copied().unwrap_or(decision.options[0])
    }

    fn aside(&mut self, game: &mut Game<S>, seat: SeatId) -> Option<DecisionOption> {
        if self.rng.below(ASIDE_ODDS) != 0 {
            return None;
        }
        let options = game.asides(seat).ok()?;
        let pick = self.rng.below(options.len() as u32) as usize;
        options.get(pick).copied()
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = Stream::new(seed);
    }
}
