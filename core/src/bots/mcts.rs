//! The bot that searches in games that its seat may imagine.

use std::rc::Rc;

use super::bot::{Bot, forward};
use super::result::decide;
use super::search::{Crew, searches};
use crate::game::Game;
use crate::rng::Rng;
use crate::scripts::Scripts;
use crate::state::{Ask, Choice};

/// Searches in games that its seat may imagine ([`Search`](super::Search)).
#[derive(Clone)]
pub struct MctsBot {
    rng: Rng,
    playouts: u32,
    crew: Option<Rc<dyn Crew>>,
}

impl MctsBot {
    /// A bot with a seed of its own and a number of playouts for each decision. With workers its searches run at the
    /// same time; it chooses the same without one.
    pub fn new(seed: u64, playouts: u32, crew: Option<Rc<dyn Crew>>) -> Self {
        MctsBot { rng: Rng::new(seed), playouts, crew }
    }
}

impl<S: Scripts> Bot<S> for MctsBot {
    fn choose(&mut self, game: &Game<S>, ask: &Ask) -> Choice {
        let options = forward(game, ask);
        let fallback = options.first().copied().unwrap_or(ask.options[0]);
        if options.len() < 2 {
            return fallback;
        }
        let searches = searches(ask.seat, self.playouts, &mut self.rng);
        let together = self.crew.as_ref().filter(|_| searches.len() > 1);
        let findings = together.and_then(|crew| crew.search(game.snapshot(), &searches));
        let findings = findings.unwrap_or_else(|| searches.iter().map(|search| search.run(game)).collect());
        decide(&findings).unwrap_or(fallback)
    }
}
