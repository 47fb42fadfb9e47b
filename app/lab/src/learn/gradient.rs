//! What a game changes.

use principes_core::SeatId;
use principes_core::bots::features::OptionFeature;
use rustc_hash::FxHashMap;

use super::episode::{Episode, Step};

/// How slowly the return forgets later positions: for the value, and for the policy.
const VALUE_TRACE: f64 = 0.98;
const POLICY_TRACE: f64 = 0.95;
/// How strongly the policy is pulled toward equal chances, so that it keeps trying.
const CALM: f64 = 0.01;

/// The direction in which a game pulls the weights. Lists are sorted.
pub struct Gradient {
    /// Features of positions, for the beginning and the end of games.
    pub value: Vec<(u32, [f64; 2])>,
    /// The sum of the squares and the number of the values of each feature.
    pub squares: Vec<(u32, f64, f64)>,
    /// Features of options.
    pub policy: Vec<(OptionFeature, f64)>,
    /// The mean squared error of the chances.
    pub error: f64,
}

/// How a game pulls the weights of a feature of positions.
#[derive(Default)]
struct Pull {
    /// For the beginning and the end of games.
    slope: [f64; 2],
    /// The sum of the squares of its values.
    square: f64,
    /// The number of positions that have it.
    count: f64,
}

/// The gradient of a game for the seats that learn from it. The policy learns from lessons, or else from its own play.
pub fn gradient(episode: &Episode, seats: &[SeatId], lessons: bool) -> Gradient {
    let mut value: FxHashMap<u32, Pull> = FxHashMap::default();
    let mut policy: FxHashMap<OptionFeature, f64> = FxHashMap::default();
    let (mut error, mut count) = (0.0, 0.0);
    for seat in seats {
        let paid = match episode.winner {
            Some(winner) if winner == *seat => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        let (mut target, mut policy_target, mut next) = (paid, paid, paid);
        for step in episode.steps.iter().rev().filter(|step| step.seat == *seat) {
            target = VALUE_TRACE * target + (1.0 - VALUE_TRACE) * next;
            policy_target = POLICY_TRACE * policy_target + (1.0 - POLICY_TRACE) * next;
            learn_value(episode, step, target - step.chance, &mut value);
            if lessons {
                learn_lesson(episode, step, &mut policy);
            } else {
                learn_policy(episode, step, policy_target - step.chance, &mut policy);
            }
            error += (paid - step.chance) * (paid - step.chance);
            count += 1.0;
            next = step.chance;
        }
    }
    let mut value: Vec<(u32, Pull)> = value.into_iter().collect();
    value.sort_unstable_by_key(|(at, _)| *at);
    let mut policy: Vec<(OptionFeature, f64)> = policy.into_iter().collect();
    policy.sort_unstable_by_key(|(feature, _)| *feature);
    Gradient {
        squares: value.iter().map(|(at, pull)| (*at, pull.square, pull.count)).collect(),
        value: value.into_iter().map(|(at, pull)| (at, pull.slope)).collect(),
        policy,
        error: if count > 0.0 { error / count } else { 0.0 },
    }
}

fn learn_value(episode: &Episode, step: &Step, error: f64, value: &mut FxHashMap<u32, Pull>) {
    let (from, to) = step.position;
    for (at, number) in &episode.numbers[from as usize..to as usize] {
        let number = f64::from(*number);
        let pull = value.entry(*at).or_default();
        pull.slope[0] += error * number * (1.0 - step.stage);
        pull.slope[1] += error * number * step.stage;
        pull.square += number * number;
        pull.count += 1.0;
    }
}

fn learn_policy(episode: &Episode, step: &Step, advantage: f64, policy: &mut FxHashMap<OptionFeature, f64>) {
    let equal = 1.0 / step.options.len() as f64;
    for (at, ((from, to), share)) in step.options.iter().enumerate() {
        let taken = f64::from(u8::from(at == step.taken));
        let slope = advantage * (taken - share) + CALM * (equal - share);
        for feature in &episode.features[*from as usize..*to as usize] {
            *policy.entry(*feature).or_default() += slope;
        }
    }
}

/// Moves the policy toward what looking ahead taught. Options that were not looked at stay as they are.
fn learn_lesson(episode: &Episode, step: &Step, policy: &mut FxHashMap<OptionFeature, f64>) {
    let all: f64 = step.lesson.iter().map(|(at, _)| step.options[*at].1).sum();
    if step.lesson.len() < 2 || all <= 0.0 {
        return;
    }
    for (at, wanted) in &step.lesson {
        let ((from, to), share) = step.options[*at];
        let slope = wanted - share / all;
        for feature in &episode.features[from as usize..to as usize] {
            *policy.entry(*feature).or_default() += slope;
        }
    }
}
