//! Judges the position of a seat.

use super::bot::forward;
use crate::game::Game;
use crate::ids::*;
use crate::scripts::Scripts;

/// The most options that bots try.
pub(super) const MOST_LOOKED_AT: usize = 24;

/// The value of a seat's position: 100 for each point of its tracks, minus the mean of the other seats, as changed by
/// the pack's `bot.value` hooks. A won game is worth 1,000,000, a lost one −1,000,000, a draw half of that.
pub fn evaluate<S: Scripts>(game: &mut Game<S>, seat: SeatId) -> i32 {
    const WON: i32 = 1_000_000;
    if let Some(outcome) = game.outcome() {
        return match outcome.winner {
            Some(winner) if winner == seat => WON,
            Some(_) => -WON,
            None => -WON / 2,
        };
    }
    let catalog = game.catalog().clone();
    let table = game.table();
    let tracks: Vec<CounterId> = (0..catalog.counters.len())
        .map(CounterId::at)
        .filter(|counter| catalog.counters[counter.index()].track)
        .collect();
    let standing = |of: SeatId| -> i32 {
        tracks.iter().map(|track| 100 * table.raw(*track, Value::Faction(of)).unwrap_or(0)).sum()
    };
    let others: Vec<SeatId> = table.world.seats().filter(|other| *other != seat).collect();
    let mut value = standing(seat);
    if !others.is_empty() {
        value -= others.iter().map(|other| standing(*other)).sum::<i32>() / others.len() as i32;
    }
    game.query(catalog.kernel.bot_value, value, &[Value::Faction(seat)]).unwrap_or(value)
}

/// The value of a position for a seat. A drafted movement is not on the table yet, so it is carried out first: a picked
/// piece goes to its best destination, then the draft is committed.
pub(super) fn judge<S: Scripts>(mut game: Game<S>, seat: SeatId) -> i32 {
    let Some(decision) = game.pending().into_iter().find(|decision| decision.seat == seat).cloned() else {
        return evaluate(&mut game, seat);
    };
    let catalog = game.catalog().clone();
    let Some(movement) = &catalog.movement else { return evaluate(&mut game, seat) };
    if decision.kind == movement.to {
        let destinations = forward(&game, &decision).into_iter().take(MOST_LOOKED_AT);
        let best = destinations.filter_map(|destination| {
            let mut copy = game.clone();
            copy.answer(seat, destination).ok()?;
            Some(judge(copy, seat))
        });
        return best.max().unwrap_or(i32::MIN);
    }
    if decision.kind == movement.pick {
        let done = decision.options.iter().find(|option| option.verb == Some(catalog.words.done)).copied();
        if done.is_some_and(|done| game.answer(seat, done).is_err()) {
            return i32::MIN;
        }
    }
    evaluate(&mut game, seat)
}
