//! The figures of many games: which there are, and their estimates.
//!
//! **Cards.** Three questions are asked of each design, and only the first has a causal answer.
//!
//! *Drawing* is an experiment if chance alone decided which card came (see `decks`). Let a seat draw a card that is of
//! the design with the known chance `p`; `T` is 1 if it is and 0 otherwise, and `Y` is 1 if the seat wins the game. `T`
//! is independent of everything before the draw, so
//!
//! `E[(T − p)(Y − m)] = p(1 − p) · (chance of winning with this card − chance with another card of the deck)`
//!
//! for every number `m` that was fixed before the draw. `m` only reduces the variance; the win share of the seat is used.
//! The estimate is the ratio `Σ(T − p)(Y − m) / Σ p(1 − p)` over all random draws. It is the mean of the effects over
//! the draws, weighted by `p(1 − p)`: the overlap weights of F. Li, K. L. Morgan and A. M. Zaslavsky, "Balancing
//! Covariates via Propensity Score Weighting", Journal of the American Statistical Association 113 (2018), 390–400,
//! with odds that are known instead of estimated. Each draw is compared with what the same seat could have drawn from
//! the same deck at the same moment, so neither the faction nor the stage of the game can bias it.
//!
//! *Playing* and *holding* a card at the end are results of choices. A seat that is ahead has more to play. Their
//! figures compare seats of the same faction with and without: with `X` 1 for with, the estimate is
//! `Σ(X − X̄)(Y − Ȳ) / Σ(X − X̄)²`, with means by faction. They say what goes with winning, not what causes it.

use std::collections::BTreeSet;

use principes_app::setup::Setup;
use principes_core::{Catalog, DesignId, SeatId, SymbolId, Value};

use super::estimate::Estimate;
use super::record::GameRecord;

/// Fewer games in which a card was drawn or missed, or fewer seats with or without it, are too few to say anything about
/// it: the normal approximation is then not good enough in the tails that many intervals at once need.
pub const FEWEST: u64 = 100;
/// Fewer games are too few for an interval of a mean.
pub const FEWEST_GAMES: u64 = 30;

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// The share of games that a faction wins.
    Faction(String),
    /// The share of games that the seat at this place in the turn order wins, from 1.
    Place(usize),
    /// The share of games that end for a cause.
    Ending(String),
    /// The share of games without a winner.
    NoWinner,
    /// The mean number of rounds.
    Rounds,
    /// The mean number of answers.
    Answers,
    /// The share of games that the seat with the most points after this many quarters wins, among games in which one
    /// seat led.
    Leader(usize),
    /// The share of games whose winner had the fewest points at half-time, among games in which the seats differed.
    Comeback,
    /// What a card goes with or does to the chance of winning.
    Card(Effect, String),
}

/// What a seat does with a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It draws the card at random.
    Draw,
    /// It has the card in its hand or in play at the end.
    Hold,
    /// It puts the card into play.
    Play,
}

impl Effect {
    /// All of them.
    pub const ALL: [Effect; 3] = [Effect::Draw, Effect::Hold, Effect::Play];

    /// Whether the figure says what the card causes.
    pub fn is_causal(self) -> bool {
        self == Effect::Draw
    }
}

/// The estimate of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The measured number, with what its interval needs.
    pub estimate: Estimate,
    /// What it rests on: games or, for cards, draws or seats of games with the card.
    pub events: u64,
    /// The number of games with such an event.
    pub games: u64,
    /// Whether these are enough for an interval.
    pub is_enough: bool,
}

/// Finished games of one table, with what their figures need.
pub struct Sample<'a> {
    catalog: &'a Catalog,
    seats: Vec<SeatId>,
    records: &'a [GameRecord],
    shares: Vec<f64>,
}

impl<'a> Sample<'a> {
    /// The games of a table.
    pub fn new(catalog: &'a Catalog, table: &Setup, records: &'a [GameRecord]) -> Self {
        let seats: Vec<SeatId> = table.players.iter().map(|(seat, _)| *seat).collect();
        let share =
            |seat: &SeatId| records.iter().filter(|game| game.won(*seat)).count() as f64 / records.len().max(1) as f64;
        Sample { catalog, shares: seats.iter().map(share).collect(), seats, records }
    }

    /// All figures that these games have, in order.
    pub fn figures(&self) -> Vec<Figure> {
        let mut found: BTreeSet<Figure> = BTreeSet::new();
        found.extend(self.seats.iter().map(|seat| Figure::Faction(self.catalog.id_of(Value::Faction(*seat)))));
        found.extend((1..=self.seats.len()).map(Figure::Place));
        let causes: BTreeSet<SymbolId> = self.records.iter().map(|game| game.cause).collect();
        found.extend(causes.iter().map(|cause| Figure::Ending(self.cause(*cause).to_owned())));
        found.extend([Figure::NoWinner, Figure::Answers]);
        if self.records.iter().any(|game| game.rounds.is_some()) {
            found.insert(Figure::Rounds);
        }
        if self.records.iter().any(|game| !game.standings[0].is_empty()) {
            found.extend([1, 2, 3].map(Figure::Leader));
            found.insert(Figure::Comeback);
        }
        for line in self.records.iter().flat_map(|game| &game.cards) {
            let has = [line.draws > 0 && line.spread > 0.0, line.held, line.played];
            let id = || self.catalog.designs[line.design.index()].id.clone();
            let effects = Effect::ALL.into_iter().zip(has).filter(|(_, has)| *has);
            found.extend(effects.map(|(effect, _)| Figure::Card(effect, id())));
        }
        found.into_iter().collect()
    }

    /// The estimate of a figure; `None` if these games do not have it.
    pub fn measure(&self, figure: &Figure) -> Option<Measured> {
        let all = |has: &dyn Fn(&GameRecord) -> bool| self.share(&|game| Some(has(game)));
        match figure {
            Figure::Faction(id) => {
                let seat = self.catalog.faction(id)?;
                self.seats.contains(&seat).then(|| all(&|game| game.won(seat)))
            }
            Figure::Place(place) => {
                let at = |game: &GameRecord| game.order.get(place.checked_sub(1)?).copied();
                (*place <= self.seats.len()).then(|| all(&|game| at(game).is_some_and(|seat| game.won(seat))))
            }
            Figure::Ending(cause) => {
                let cause = self.catalog.symbol(cause);
                Some(all(&|game| Some(game.cause) == cause))
            }
            Figure::NoWinner => Some(all(&|game| game.winner.is_none())),
            Figure::Rounds => self.mean(|game| game.rounds.map(f64::from)),
            Figure::Answers => self.mean(|game| Some(f64::from(game.answers))),
            Figure::Leader(quarter) => {
                let quarter = quarter.checked_sub(1).filter(|quarter| *quarter < 3)?;
                Some(self.share(&|game| {
                    let leader = self.only_leader(&game.standings[quarter])?;
                    Some(game.won(leader))
                }))
            }
            Figure::Comeback => Some(self.share(&|game| self.was_last(game, &game.standings[1]))),
            Figure::Card(effect, id) => {
                let design = self.catalog.design(id)?;
                match effect {
                    Effect::Draw => self.drawing(design),
                    Effect::Hold => self.having(|game, seat| line(game, design, seat).is_some_and(|l| l.held)),
                    Effect::Play => self.having(|game, seat| line(game, design, seat).is_some_and(|l| l.played)),
                }
            }
        }
    }

    /// Whether the same seat has each place in the turn order in all games.
    pub fn order_is_fixed(&self) -> bool {
        self.records.windows(2).all(|pair| pair[0].order == pair[1].order)
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.seats.len()
    }

    /// The keyword of a cause.
    pub fn cause(&self, cause: SymbolId) -> &str {
        self.catalog.symbols.name(cause.index())
    }

    fn share(&self, has: &dyn Fn(&GameRecord) -> Option<bool>) -> Measured {
        let games: Vec<Option<bool>> = self.records.iter().map(has).collect();
        let estimate = Estimate::share(&games);
        let of = estimate.counts().map_or(0, |(_, of)| of);
        Measured { estimate, events: of, games: of, is_enough: of > 0 }
    }

    fn mean(&self, number: impl Fn(&GameRecord) -> Option<f64>) -> Option<Measured> {
        let numbers: Option<Vec<f64>> = self.records.iter().map(number).collect();
        let estimate = Estimate::mean(&numbers.filter(|numbers| !numbers.is_empty())?);
        let games = estimate.games() as u64;
        Some(Measured { estimate, events: games, games, is_enough: games >= FEWEST_GAMES })
    }

    fn only_leader(&self, standing: &[i32]) -> Option<SeatId> {
        let best = standing.iter().max()?;
        let mut leaders = self.seats.iter().zip(standing).filter(|(_, points)| *points == best);
        let (seat, _) = leaders.next()?;
        leaders.next().is_none().then_some(*seat)
    }

    /// Whether nobody had fewer points than the winner; `None` if there is no winner or all had the same.
    fn was_last(&self, game: &GameRecord, standing: &[i32]) -> Option<bool> {
        let (least, most) = (standing.iter().min()?, standing.iter().max()?);
        let winner = game.winner.filter(|_| least < most)?;
        let at = self.seats.iter().position(|seat| *seat == winner)?;
        Some(standing.get(at)? == least)
    }

    /// The effect of drawing a design instead of another card of the same deck.
    fn drawing(&self, design: DesignId) -> Option<Measured> {
        let (mut draws, mut games, mut others) = (0, 0, 0);
        let part = |game: &GameRecord| {
            let mut part = (0.0, 0.0);
            let mut own = 0;
            let mut other = 0;
            for line in game.lines(design) {
                let seat = self.seats.iter().position(|seat| *seat == line.seat);
                let Some(mean) = seat.map(|seat| self.shares[seat]) else { continue };
                part.0 += line.surplus * (f64::from(u8::from(game.won(line.seat))) - mean);
                part.1 += line.spread;
                own += u64::from(line.draws);
                other += u64::from(line.misses);
            }
            draws += own;
            games += u64::from(own > 0);
            others += u64::from(other > 0);
            part
        };
        let parts: Vec<(f64, f64)> = self.records.iter().map(part).collect();
        let estimate = Estimate::ratio(&parts)?;
        Some(Measured { estimate, events: draws, games, is_enough: games >= FEWEST && others >= FEWEST })
    }

    /// How the win shares of seats of the same faction differ with and without something.
    fn having(&self, has: impl Fn(&GameRecord, SeatId) -> bool) -> Option<Measured> {
        let n = self.records.len().max(1) as f64;
        let with: Vec<Vec<bool>> =
            self.records.iter().map(|game| self.seats.iter().map(|seat| has(game, *seat)).collect()).collect();
        let means: Vec<f64> =
            (0..self.seats.len()).map(|seat| with.iter().filter(|game| game[seat]).count() as f64 / n).collect();
        let part = |(game, with): (&GameRecord, &Vec<bool>)| {
            let mut part = (0.0, 0.0);
            for (at, seat) in self.seats.iter().enumerate() {
                let x = f64::from(u8::from(with[at])) - means[at];
                part.0 += x * (f64::from(u8::from(game.won(*seat))) - self.shares[at]);
                part.1 += x * x;
            }
            part
        };
        let parts: Vec<(f64, f64)> = self.records.iter().zip(&with).map(part).collect();
        // Seats that always or never have it cannot be compared.
        let counts = (0..self.seats.len()).map(|seat| with.iter().filter(|game| game[seat]).count() as u64);
        let all = self.records.len() as u64;
        let (mut some, mut none) = (0, 0);
        for count in counts.filter(|count| *count > 0 && *count < all) {
            some += count;
            none += all - count;
        }
        let games = with.iter().filter(|seats| seats.contains(&true)).count() as u64;
        if some == 0 {
            return None;
        }
        let estimate = Estimate::ratio(&parts)?;
        Some(Measured { estimate, events: some, games, is_enough: some >= FEWEST && none >= FEWEST })
    }
}

fn line(game: &GameRecord, design: DesignId, seat: SeatId) -> Option<&super::record::CardLine> {
    game.lines(design).iter().find(|line| line.seat == seat)
}
