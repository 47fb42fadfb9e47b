//! What is kept of a game: all that the figures need, and no more, because there are thousands of games.

use principes_core::{DesignId, SeatId, SymbolId};

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// With the seed of the measurement, it gives the seed of the game.
    pub number: u64,
    /// The winner; `None` is a draw.
    pub winner: Option<SeatId>,
    /// The cause of its end.
    pub cause: SymbolId,
    /// The seats in turn order when the first decision was made.
    pub order: Vec<SeatId>,
    /// The number of rounds, if they are counted.
    pub rounds: Option<i32>,
    /// The number of answers.
    pub answers: u32,
    /// The points that each seat had on its tracks after one, two and three quarters of the answers, in seat order.
    /// Empty if the game has no tracks.
    pub standings: [Vec<i32>; 3],
    /// What happened with cards, sorted by design and seat. A pair that is missing had nothing to do with each other.
    pub cards: Vec<CardLine>,
}

/// What a seat and the copies of a design had to do with each other in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardLine {
    /// Which card design.
    pub design: DesignId,
    /// Which player.
    pub seat: SeatId,
    /// Whether the seat put it into play.
    pub played: bool,
    /// Whether the seat had it in its hand or in play at the end.
    pub held: bool,
    /// How often the seat drew it at random.
    pub draws: u16,
    /// How often the seat drew another card at random that could have been it.
    pub misses: u16,
    /// The sum of `drawn − chance` over all random draws of the seat that could have been this design, where `drawn` is
    /// 1 if it was and `chance` is how likely that was.
    pub surplus: f64,
    /// The sum of `chance · (1 − chance)` over the same draws.
    pub spread: f64,
}

impl CardLine {
    /// A line for a pair that has not met.
    pub fn new(design: DesignId, seat: SeatId) -> Self {
        CardLine { design, seat, played: false, held: false, draws: 0, misses: 0, surplus: 0.0, spread: 0.0 }
    }
}

impl GameRecord {
    /// The lines of a design.
    pub fn lines(&self, design: DesignId) -> &[CardLine] {
        let from = self.cards.partition_point(|line| line.design < design);
        let rest = &self.cards[from..];
        &rest[..rest.partition_point(|line| line.design == design)]
    }

    /// Whether the seat won.
    pub fn won(&self, seat: SeatId) -> bool {
        self.winner == Some(seat)
    }
}
