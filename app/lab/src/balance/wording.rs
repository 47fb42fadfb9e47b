//! Numbers and reasons as people read them, the same in every format.

use super::promises::Kept;
use super::report::{Row, Setting};
use super::run::Stopped;

pub use super::digits::{percent, points};

/// The interval of a row, with a function that writes its ends; `None` if it has too few games.
pub fn range(row: &Row, number: impl Fn(f64) -> String) -> Option<String> {
    row.interval.map(|[low, high]| format!("{} to {}", number(low), number(high)))
}

/// The number of games: `1 game`, `2,000 games`.
pub fn games(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "game" } else { "games" })
}

/// A number with commas between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The bots of a setting: `greedy`, or `FACTION=greedy, FACTION=random` if they differ.
pub fn bots(setting: &Setting) -> String {
    let players = &setting.players;
    match players.first() {
        Some(first) if players.iter().all(|player| player.bot == first.bot) => first.bot.clone(),
        _ => {
            let pairs: Vec<String> =
                players.iter().map(|player| format!("{}={}", player.faction, player.bot)).collect();
            pairs.join(", ")
        }
    }
}

/// The result of a promise.
pub fn kept(result: Kept) -> &'static str {
    match result {
        Kept::Kept => "kept",
        Kept::Open => "not enough games",
        Kept::Refuted => "refuted",
    }
}

/// Why no more games were played; `None` if all that were wanted were.
pub fn stopped(reason: Stopped) -> Option<&'static str> {
    match reason {
        Stopped::Games => None,
        Stopped::Precision => Some("the intervals are narrow enough"),
        Stopped::Time => Some("the time was up, so the number of games depends on the machine"),
        Stopped::Interrupted => Some("it was interrupted, so the number of games is a matter of chance"),
    }
}

/// What the figures about drawing cards mean.
pub const DRAW: &str = "Drawing is an experiment: chance alone decides which card comes. The figures say by how much a \
    card changes its seat's chance of winning, compared with the other cards that the deck could have given at that \
    moment.";
/// What the figures about having and playing cards mean.
pub const CHOICE: &str = "Having a card at the end and playing it are results of choices. The figures say what goes \
    with winning, not what causes it: a seat that is ahead can have more and play more. Seats are compared with seats of \
    the same faction.";
/// What intervals of cards mean.
pub const TOGETHER: &str = "There are many cards, and some would stand out by chance alone. The intervals of each column \
    are therefore so wide that in 95 of 100 such reports, all of them are right.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([grouped(7), grouped(1_000), grouped(1_234_567)], ["7", "1,000", "1,234,567"]);
        assert_eq!([points(-0.000_1), points(0.082), points(-0.082)], ["+0.0", "+8.2", "-8.2"]);
    }
}
