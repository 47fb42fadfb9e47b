//! One look ahead: what a position is worth to a seat after each of its options, once the turn has been played on.

use super::bot::{forward, next_decision, turn};
use super::judge::MOST_LOOKED_AT;
use super::model::Model;
use crate::game::Game;
use crate::ids::*;
use crate::rng::Rng;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption, Turns};

/// A margin that leaves no option out.
pub const ANY_OPTION: i64 = i64::MAX;
/// The most answers after which a position is judged.
const LONGEST_LOOK: usize = 24;
/// The value of a won game, above all others.
const WON: i64 = 1000 * Model::VALUE_UNIT as i64;

/// An option of a decision, and what a seat thinks of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// What the seat would answer.
    pub option: DecisionOption,
    /// How much the policy is drawn to it: a logit in parts of [`Model::POLICY_UNIT`].
    pub logit: i64,
    /// The value of the position after it: a logit in parts of [`Model::VALUE_UNIT`]. Ended games are beyond all others.
    pub value: i64,
}

/// Tries the most promising options of a decision in a game that its seat may imagine: those that the policy prefers, and
/// at most `margin` less than the best one, in parts of [`Model::POLICY_UNIT`]. The policy plays the turn to its end, for
/// all seats; then the position is judged. Of equal options, those that come first are first. Returns none if there is
/// nothing to choose, or if no game can be imagined.
pub fn look_ahead<S: Scripts>(
    model: &Model,
    game: &Game<S>,
    decision: &Decision,
    margin: i64,
    rng: &mut Rng,
) -> Vec<Look> {
    let promising = promising(model, game, decision, margin);
    if promising.len() < 2 {
        return Vec::new();
    }
    game.imagine(decision.seat, rng).map_or_else(Vec::new, |imagined| try_each(model, &imagined, decision, promising))
}

/// [`look_ahead`] in a game that was imagined.
pub(super) fn look_into<S: Scripts>(model: &Model, imagined: &Game<S>, decision: &Decision) -> Vec<Look> {
    try_each(model, imagined, decision, promising(model, imagined, decision, ANY_OPTION))
}

/// The options that are worth a look, best first, with what the policy thinks of them.
fn promising<S: Scripts>(
    model: &Model,
    game: &Game<S>,
    decision: &Decision,
    margin: i64,
) -> Vec<(i64, DecisionOption)> {
    let options = forward(game, decision);
    if options.len() < 2 {
        return Vec::new();
    }
    let logits = model.logits(game.table(), decision, &options);
    let mut ranked: Vec<(i64, DecisionOption)> = logits.into_iter().zip(options).collect();
    // The sort is stable, so options that are equal for the policy keep their order.
    ranked.sort_by_key(|(logit, _)| std::cmp::Reverse(*logit));
    ranked.truncate(MOST_LOOKED_AT);
    let best = ranked[0].0;
    ranked.retain(|(logit, _)| best.saturating_sub(*logit) <= margin);
    ranked
}

fn try_each<S: Scripts>(
    model: &Model,
    imagined: &Game<S>,
    decision: &Decision,
    options: Vec<(i64, DecisionOption)>,
) -> Vec<Look> {
    let begin = turn(imagined);
    let look = |(logit, option)| {
        let mut copy = imagined.clone();
        copy.answer(decision.seat, option).ok()?;
        play_on(model, &mut copy, decision.seat, begin);
        Some(Look { option, logit, value: judged(model, &copy, decision.seat) })
    };
    options.into_iter().filter_map(look).collect()
}

/// The value of a position for a seat, also of the end of a game: a logit in parts of [`Model::VALUE_UNIT`].
pub(super) fn judged<S: Scripts>(model: &Model, game: &Game<S>, seat: SeatId) -> i64 {
    match game.outcome() {
        Some(outcome) => match outcome.winner {
            Some(winner) if winner == seat => WON,
            Some(_) => -WON,
            None => 0,
        },
        None => model.value(game.table(), seat),
    }
}

/// Lets the policy play a turn to its end, so that a march, a payment or a battle is not judged halfway. Of several
/// seats that are asked, `seat` answers first.
pub(super) fn play_on<S: Scripts>(model: &Model, game: &mut Game<S>, seat: SeatId, begin: Option<&Turns>) {
    for _ in 0..LONGEST_LOOK {
        if turn(game) != begin {
            return;
        }
        let Some(decision) = next_decision(game, seat) else { return };
        let Some(option) = model.preferred(game, &decision) else { return };
        if game.answer(decision.seat, option).is_err() {
            return;
        }
    }
}
