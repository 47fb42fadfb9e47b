//! The state of a training, and the player that it makes.

use std::sync::Arc;

use principes_core::bots::Model;
use principes_core::bots::features::{OptionFeature, PositionFeatures};
use principes_core::catalog::Trained;
use rustc_hash::FxHashMap;

use super::gradient::Gradient;
use super::weights::Weights;

/// Weights of options below this are not exported; they hardly change a choice.
const LEAST_POLICY: f32 = 0.06;

/// The state of the training.
pub struct Learned {
    /// Those of the value and of the policy, as they are now.
    pub(super) weights: Arc<Weights>,
    value_sums: Vec<[f64; 2]>,
    policy_sums: FxHashMap<OptionFeature, f64>,
    /// Sums of squares and numbers of the values of position features, for their scale.
    squares: Vec<(f64, f64)>,
    games: u64,
    unfinished: u64,
}

/// How fast weights follow.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// The step size of positions.
    pub value: f64,
    /// The step size of options.
    pub policy: f64,
}

/// The sums of squared gradients before the first one, so that the first games, and things that rarely happen, do not
/// count too much. A game has hundreds of positions and a single winner, so gradients of positions are large.
const CAUTION_VALUE: f64 = 1e5;
const CAUTION_POLICY: f64 = 4.0;

impl Learned {
    /// The state before the first game: all options are equal.
    pub fn new(features: &PositionFeatures, usual_end: i32) -> Self {
        let count = features.count();
        Learned {
            weights: Arc::new(Weights { value: vec![[0.0; 2]; count], policy: FxHashMap::default(), usual_end }),
            value_sums: vec![[CAUTION_VALUE; 2]; count],
            policy_sums: FxHashMap::default(),
            squares: vec![(0.0, 0.0); count],
            games: 0,
            unfinished: 0,
        }
    }

    /// The state of a player that has been trained before.
    pub fn continued(features: &PositionFeatures, trained: &Trained) -> Self {
        let mut learned = Learned::new(features, trained.usual_end);
        let logit = |weight: i32, unit: i32| (f64::from(weight) / f64::from(unit)) as f32;
        let weights = Arc::make_mut(&mut learned.weights);
        for (known, own) in trained.value.iter().zip(&mut weights.value) {
            *own = known.map(|weight| logit(weight, Model::VALUE_UNIT));
        }
        let policy = trained.policy().iter();
        weights.policy =
            policy.map(|(feature, weight)| (OptionFeature(*feature), logit(*weight, Model::POLICY_UNIT))).collect();
        learned
    }

    /// Prepares for lessons: what was learned so far stays, but the step sizes start over.
    pub(super) fn begin_lessons(&mut self) {
        self.policy_sums.clear();
        self.value_sums.fill([CAUTION_VALUE; 2]);
    }

    /// Takes a step for each finished game, in order, out of this many games.
    pub(super) fn follow(&mut self, batch: &[Gradient], games: u64, rates: Rates) {
        self.games += games;
        self.unfinished += games - batch.len() as u64;
        let weights = Arc::make_mut(&mut self.weights);
        for (at, square, count) in batch.iter().flat_map(|gradient| &gradient.squares) {
            let (sum, seen) = &mut self.squares[*at as usize];
            *sum += square;
            *seen += count;
        }
        for (at, slope) in batch.iter().flat_map(|gradient| &gradient.value) {
            let at = *at as usize;
            let (sum, seen) = self.squares[at];
            let scale = if seen > 0.0 { (sum / seen).sqrt().max(0.05) } else { 1.0 };
            for end in 0..2 {
                let slope = slope[end] / scale;
                self.value_sums[at][end] += slope * slope;
                weights.value[at][end] += (rates.value * slope / self.value_sums[at][end].sqrt() / scale) as f32;
            }
        }
        for (feature, slope) in batch.iter().flat_map(|gradient| &gradient.policy) {
            let sum = self.policy_sums.entry(*feature).or_insert(CAUTION_POLICY);
            *sum += slope * slope;
            *weights.policy.entry(*feature).or_default() += (rates.policy * slope / sum.sqrt()) as f32;
        }
    }

    /// The number of games that it comes from.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of games that did not end, and taught nothing.
    pub fn unfinished(&self) -> u64 {
        self.unfinished
    }

    /// What a player needs to know of it. Small weights of options, which hardly change a choice, are left out.
    pub fn trained(&self) -> Trained {
        let relevant = self.weights.policy.iter().filter(|(_, weight)| weight.abs() >= LEAST_POLICY);
        let weight = |weight: f32, unit: i32| {
            let most = f64::from(Model::MOST);
            (f64::from(weight) * f64::from(unit)).clamp(-most, most).round() as i32
        };
        let policy = relevant.map(|(feature, logit)| (feature.0, weight(*logit, Model::POLICY_UNIT))).collect();
        let value = self.weights.value.iter().map(|ends| ends.map(|logit| weight(logit, Model::VALUE_UNIT))).collect();
        Trained::new(value, policy, self.weights.usual_end)
    }
}
