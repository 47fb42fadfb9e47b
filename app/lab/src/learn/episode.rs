//! One game between learning players and older selves, with everything that can be learned from it.

use std::sync::Arc;

use principes_core::bots::arithmetic::{chance, exp};
use principes_core::bots::features::{LAST_STAGE, OptionFeature, OptionScan, PositionFeatures, iteration, stage};
use principes_core::bots::{ANY_OPTION, Look, Model, forward, look_ahead};
use principes_core::rng::{Rng, Stream};
use principes_core::scripts::Scripts;
use principes_core::*;

use super::weights::Weights;

/// A game with more answers teaches nothing.
const LONGEST: usize = 20_000;
/// A position is never judged to be farther from even than this many logits.
const MOST_SURE: f64 = 8.0;
/// How many logits of the policy a logit of the value is worth to a player who looks ahead.
const SHARPNESS: f64 = 5.0;
/// Chances to draw are in parts of this.
const DRAW: u32 = 1 << 24;

/// A decision of a learning seat.
pub struct Step {
    /// Who decides.
    pub seat: SeatId,
    /// The part of [`Episode::numbers`] that describes the position.
    pub position: (u32, u32),
    /// The stage of the game, from 0 to 1.
    pub stage: f64,
    /// The chance to win, as it seemed.
    pub chance: f64,
    /// For each option: its part of [`Episode::features`], and its probability.
    pub options: Vec<((u32, u32), f64)>,
    /// The option taken.
    pub taken: usize,
    /// What looking ahead taught: the options looked at, with the shares that they should have among themselves.
    pub lesson: Vec<(usize, f64)>,
}

/// A game.
#[derive(Default)]
pub struct Episode {
    /// Its decisions in order.
    pub steps: Vec<Step>,
    /// Features of positions with their values.
    pub numbers: Vec<(u32, i32)>,
    /// Features of options.
    pub features: Vec<OptionFeature>,
    /// Who won; `None` for a draw.
    pub winner: Option<SeatId>,
    /// The last iteration of the outermost loop.
    pub end: i32,
    /// Whether the game ended properly.
    pub finished: bool,
}

/// Who plays a seat.
#[derive(Clone)]
pub struct Learner {
    /// Where it sits.
    pub seat: SeatId,
    /// What it knows.
    pub weights: Arc<Weights>,
    /// Whether it learns from the game.
    pub learns: bool,
}

/// A player that looks ahead at some decisions, and teaches what it sees.
pub struct Teacher {
    /// What it knows.
    pub model: Model,
    /// It looks at one in this many decisions.
    pub every: u32,
}

/// Plays a game.
pub fn play<S: Scripts>(
    mut game: Game<S>,
    features: &PositionFeatures,
    players: &[Learner],
    teacher: Option<&Teacher>,
    rng: &mut Stream,
) -> Episode {
    let mut episode = Episode::default();
    game.record_events(false);
    while game.outcome().is_none() && game.record().len() < LONGEST {
        episode.end = episode.end.max(iteration(game.table()));
        let Some(decision) = game.pending().first().map(|decision| (*decision).clone()) else { return episode };
        let Some(player) = players.iter().find(|player| player.seat == decision.seat) else { return episode };
        let options = forward(&game, &decision);
        let option = match options.len() {
            0 => decision.options[0],
            1 => options[0],
            _ => {
                let taken = episode.decide(game.table(), features, player, &decision, &options, rng);
                if let Some(teacher) = teacher.filter(|teacher| player.learns && rng.below(teacher.every) == 0) {
                    episode.teach(&game, teacher, &decision, &options, rng);
                }
                options[taken]
            }
        };
        if game.answer(decision.seat, option).is_err() {
            return episode;
        }
    }
    episode.finished = game.outcome().is_some();
    episode.winner = game.outcome().and_then(|outcome| outcome.winner);
    episode
}

impl Episode {
    /// Draws an option and records the decision, if the player learns.
    fn decide(
        &mut self,
        table: &Table,
        features: &PositionFeatures,
        player: &Learner,
        decision: &Decision,
        options: &[DecisionOption],
        rng: &mut Stream,
    ) -> usize {
        let weights = &player.weights;
        let (begin, numbers) = (self.features.len(), self.numbers.len());
        let scan = OptionScan::new(features, table, decision, weights.usual_end);
        let mut parts = Vec::with_capacity(options.len());
        for option in options {
            let (from, mut logit) = (self.features.len(), 0.0f64);
            scan.scan(option, &mut |feature| {
                logit += f64::from(weights.policy.get(&feature).copied().unwrap_or(0.0));
                self.features.push(feature);
            });
            parts.push(((from as u32, self.features.len() as u32), logit));
        }
        let most = parts.iter().map(|(_, logit)| *logit).fold(f64::MIN, f64::max);
        let mut sum = 0.0;
        for (_, logit) in &mut parts {
            *logit = exp(*logit - most);
            sum += *logit;
        }
        let mut left = sum * f64::from(rng.below(DRAW)) / f64::from(DRAW);
        let drawn = parts.iter().position(|(_, share)| {
            left -= share;
            left < 0.0
        });
        let taken = drawn.unwrap_or(0);
        if !player.learns {
            self.features.truncate(begin);
            return taken;
        }
        parts.iter_mut().for_each(|(_, share)| *share /= sum);
        let stage = f64::from(stage(table, weights.usual_end)) / f64::from(LAST_STAGE);
        let mut logit = 0.0;
        features.scan(table, decision.seat, &mut |at, number| {
            let [early, late] = weights.value[at].map(f64::from);
            logit += f64::from(number) * (early + (late - early) * stage);
            self.numbers.push((at as u32, number));
        });
        self.steps.push(Step {
            seat: decision.seat,
            position: (numbers as u32, self.numbers.len() as u32),
            stage,
            chance: chance(logit),
            options: parts,
            taken,
            lesson: Vec::new(),
        });
        taken
    }

    /// Looks ahead from the decision that was recorded last.
    fn teach<S: Scripts>(
        &mut self,
        game: &Game<S>,
        teacher: &Teacher,
        decision: &Decision,
        options: &[DecisionOption],
        rng: &mut Stream,
    ) {
        let mut chance = Rng::new(u64::from(rng.below(u32::MAX)));
        let looks = look_ahead(&teacher.model, game, decision, ANY_OPTION, &mut chance);
        let Some(step) = self.steps.last_mut() else { return };
        let bounded = |value: i64| (value as f64 / f64::from(Model::VALUE_UNIT)).clamp(-MOST_SURE, MOST_SURE);
        let best = looks.iter().map(|look| bounded(look.value)).fold(f64::MIN, f64::max);
        let place = |option: &DecisionOption| options.iter().position(|known| known == option);
        let improved = |look: &Look| {
            let at = place(&look.option)?;
            // Options that look equally good keep their shares: a lesson does not take back what own play taught.
            Some((at, step.options[at].1 * exp(SHARPNESS * (bounded(look.value) - best))))
        };
        let mut lesson: Vec<(usize, f64)> = looks.iter().filter_map(improved).collect();
        let sum: f64 = lesson.iter().map(|(_, share)| share).sum();
        lesson.iter_mut().for_each(|(_, share)| *share /= sum);
        step.lesson = if sum > 0.0 { lesson } else { Vec::new() };
    }
}
