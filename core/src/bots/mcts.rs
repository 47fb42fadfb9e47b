//! The bot that searches in games that its seat may imagine.

use std::rc::Rc;

use super::bot::{Bot, forward};
use super::result::decide;
use super::search::{Workers, searches};
use crate::game::Game;
use crate::rng::Rng;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption};

/// Searches in games that its seat may imagine ([`Search`](super::Search)).
#[derive(Clone)]
pub struct MctsBot {
    rng: Rng,
    playouts: u32,
    workers: Option<Rc<dyn Workers>>,
}

impl MctsBot {
    /// A bot with its own seed and a number of playouts for each decision. With workers, searches run in parallel; the
    /// choice is the same.
    pub fn new(seed: u64, playouts: u32, workers: Option<Rc<dyn Workers>>) -> Self {
        MctsBot { rng: Rng::new(seed), playouts, workers }
    }
}

impl<S: Scripts> Bot<S> for MctsBot {
    fn choose(&mut self, game: &Game<S>, decision: &Decision) -> DecisionOption {
        let options = forward(game, decision);
        let fallback = options.first().copied().unwrap_or(decision.options[0]);
        if options.len() < 2 {
            return fallback;
        }
        let searches = searches(decision.seat, self.playouts, &mut self.rng);
        let together = self.workers.as_ref().filter(|_| searches.len() > 1);
        let results = together.and_then(|workers| workers.search(game.state(), &searches));
        let results = results.unwrap_or_else(|| searches.iter().map(|search| search.run(game)).collect());
        decide(&results).unwrap_or(fallback)
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
