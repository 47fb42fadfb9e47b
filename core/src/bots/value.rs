//! The bot that looks one step ahead and judges by what it has learned.

use super::bot::Bot;
use super::look::{ANY_OPTION, Look, look_ahead};
use super::model::Model;
use crate::catalog::Catalog;
use crate::game::Game;
use crate::rng::Rng;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption};

/// In games with long turns, an option is tried if the policy prefers at most this much another one.
const MARGIN: i64 = Model::POLICY_UNIT as i64 / 2;
/// A game with so few kinds of decisions has short turns. Looking to their ends is cheap, so all options are tried.
const FEW_DECISIONS: usize = 4;
/// How much a logit of the policy counts, in parts of a logit of the value.
const POLICY_PART: i64 = (Model::VALUE_UNIT / Model::POLICY_UNIT) as i64 / 8;

/// Takes the option after which its position looks best ([`look_ahead`]). What the policy prefers decides between
/// options that look alike.
#[derive(Clone, Debug)]
pub struct ValueBot {
    model: Option<Model>,
    margin: i64,
    rng: Rng,
}

impl ValueBot {
    /// A bot for the game of a catalog, with its own seed. If the packs have no trained player, it takes the first
    /// option.
    pub fn new(catalog: &Catalog, seed: u64) -> Self {
        let margin = if catalog.decisions.len() <= FEW_DECISIONS { ANY_OPTION } else { MARGIN };
        ValueBot { model: Model::of(catalog), margin, rng: Rng::new(seed) }
    }
}

impl<S: Scripts> Bot<S> for ValueBot {
    fn choose(&mut self, game: &Game<S>, decision: &Decision) -> DecisionOption {
        let Some(model) = &self.model else { return decision.options[0] };
        let looks = look_ahead(model, game, decision, self.margin, &mut self.rng);
        match best(&looks) {
            Some(look) => look.option,
            None => model.preferred(game, decision).unwrap_or(decision.options[0]),
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

/// The best look; of equal ones, the first.
fn best(looks: &[Look]) -> Option<&Look> {
    looks.iter().reduce(|best, look| if rating(look) > rating(best) { look } else { best })
}

/// How good an option looks, by its value and by the policy, in parts of [`Model::VALUE_UNIT`].
pub(super) fn rating(look: &Look) -> i64 {
    look.value + look.logit * POLICY_PART
}
