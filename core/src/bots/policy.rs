//! The bot that plays what it has learned, without looking ahead.

use super::bot::Bot;
use super::model::Model;
use crate::catalog::Catalog;
use crate::game::Game;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption};

/// Takes the option that the trained player of its game prefers. It uses no chance: what differs between games is what
/// happens in them.
#[derive(Clone, Debug)]
pub struct PolicyBot {
    model: Option<Model>,
}

impl PolicyBot {
    /// A bot for the game of a catalog. If the packs have no trained player, it takes the first option.
    pub fn new(catalog: &Catalog) -> Self {
        PolicyBot { model: Model::of(catalog) }
    }
}

impl<S: Scripts> Bot<S> for PolicyBot {
    fn choose(&mut self, game: &Game<S>, decision: &Decision) -> DecisionOption {
        let preferred = self.model.as_ref().and_then(|model| model.preferred(game, decision));
        preferred.unwrap_or(decision.options[0])
    }
}
