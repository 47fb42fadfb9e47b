//! The bot that looks one step ahead.

use super::bot::{Bot, forward};
use super::judge::{MOST_LOOKED_AT, judge};
use crate::game::Game;
use crate::rng::Rng;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption};

/// Tries every option once in a game that its seat may imagine, and takes the one with the best position for the seat
/// ([`evaluate`](super::evaluate)).
#[derive(Clone, Debug)]
pub struct GreedyBot {
    rng: Rng,
}

impl GreedyBot {
    /// A bot with its own seed.
    pub fn new(seed: u64) -> Self {
        GreedyBot { rng: Rng::new(seed) }
    }
}

impl<S: Scripts> Bot<S> for GreedyBot {
    fn choose(&mut self, game: &Game<S>, decision: &Decision) -> DecisionOption {
        let mut options = forward(game, decision);
        self.rng.shuffle(&mut options);
        options.truncate(MOST_LOOKED_AT);
        let fallback = options.first().copied().unwrap_or(decision.options[0]);
        if options.len() < 2 {
            return fallback;
        }
        let Some(imagined) = game.imagine(decision.seat, &mut self.rng) else { return fallback };
        let mut best = (i32::MIN, fallback);
        for option in options {
            let mut copy = imagined.clone();
            if copy.answer(decision.seat, option).is_err() {
                continue;
            }
            let value = judge(copy, decision.seat);
            if value > best.0 {
                best = (value, option);
            }
        }
        best.1
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
