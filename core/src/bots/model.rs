//! A trained player, fitted to its game.

use std::sync::Arc;

use super::bot::forward;
use super::features::{LAST_STAGE, OptionFeature, OptionScan, PositionFeatures, stage};
use crate::catalog::{Catalog, Trained};
use crate::game::Game;
use crate::ids::*;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption, Table};

/// The weights of [`Trained`] with the features of the game. Options are chosen by integers alone, so a player chooses
/// alike on every machine.
#[derive(Clone, Debug)]
pub struct Model {
    features: PositionFeatures,
    trained: Arc<Trained>,
}

impl Model {
    /// One logit of [`Model::value`].
    pub const VALUE_UNIT: i32 = 1_000_000;
    /// One logit of [`Model::logits`].
    pub const POLICY_UNIT: i32 = 1_000;
    /// No weight may be farther from 0, or sums could overflow.
    pub const MOST: i32 = 100_000_000;

    /// The player that the packs of a catalog bring, if they bring one.
    pub fn of(catalog: &Catalog) -> Option<Self> {
        catalog.trained.as_ref().map(|trained| Model::new(catalog, Arc::clone(trained)))
    }

    /// A player for the game of a catalog.
    pub fn new(catalog: &Catalog, trained: Arc<Trained>) -> Self {
        Model { features: PositionFeatures::new(catalog), trained }
    }

    /// How good a position is for a seat, by what the seat sees: the logit of its chance to win.
    pub fn value(&self, table: &Table, seat: SeatId) -> i64 {
        let (stage, last) = (i64::from(stage(table, self.trained.usual_end)), i64::from(LAST_STAGE));
        let mut sum = 0i64;
        self.features.scan(table, seat, &mut |at, number| {
            let [early, late] = self.trained.value.get(at).copied().unwrap_or_default().map(weight);
            sum += i64::from(number) * (early * (last - stage) + late * stage);
        });
        sum / last
    }

    /// How much a good player is drawn to each option: the logits of a softmax distribution.
    pub fn logits(&self, table: &Table, decision: &Decision, options: &[DecisionOption]) -> Vec<i64> {
        let scan = OptionScan::new(&self.features, table, decision, self.trained.usual_end);
        let logit = |option: &DecisionOption| {
            let mut sum = 0;
            scan.scan(option, &mut |feature| sum += self.weight(feature));
            sum
        };
        options.iter().map(logit).collect()
    }

    /// The option that the policy prefers; of equal ones, the first. `None` if all options take something back.
    pub fn preferred<S: Scripts>(&self, game: &Game<S>, decision: &Decision) -> Option<DecisionOption> {
        let options = forward(game, decision);
        if options.len() < 2 {
            return options.first().copied();
        }
        let logits = self.logits(game.table(), decision, &options);
        let best = logits.iter().enumerate().fold(0, |best, (at, logit)| if *logit > logits[best] { at } else { best });
        options.get(best).copied()
    }

    fn weight(&self, feature: OptionFeature) -> i64 {
        weight(self.trained.weight(feature.0))
    }
}

/// A weight within its bounds.
fn weight(weight: i32) -> i64 {
    i64::from(weight.clamp(-Model::MOST, Model::MOST))
}
