//! The bots of a search.

use principes_app::setup::{Player, derive_seed};
use principes_core::bots::{Bot, Players, forward};
use principes_core::rng::Stream;
use principes_core::*;
use principes_scripting::LuaHost;

use super::named::{Playing, names};

/// A bot that likes some options better than others.
struct Liking {
    random: Box<dyn Bot<LuaHost>>,
    card: DesignId,
    taste: Taste,
    rng: Stream,
}

/// What a bot likes.
#[derive(Clone, Copy)]
enum Taste {
    /// Options that name the card, until the seat holds one; then those that do not: an option that played it would
    /// have ended the search.
    Seek,
    /// Options that do not name the card: what happens then is a consequence of what was chosen before.
    Abstain,
    /// Some verbs and values, which this seed draws.
    Verbs(u64),
}

impl Liking {
    fn weight(&self, game: &Playing, decision: &Decision, option: &DecisionOption, holds: bool) -> u32 {
        let is_it = names(game.catalog(), option, self.card);
        match self.taste {
            Taste::Seek => {
                if is_it == holds {
                    1
                } else {
                    12
                }
            }
            Taste::Abstain => u32::from(!is_it),
            Taste::Verbs(seed) => {
                let verb = option.verb.map_or(0, |verb| 1 + verb.index() as u64);
                // Where options are values, such as yes and no, the values differ.
                let value = match option.args.iter().next() {
                    Some(value) if option.verb.is_none() => u64::from(value.to_bits() as u32),
                    _ => 0,
                };
                let kind = decision.kind.index() as u64;
                let drawn = derive_seed(seed, derive_seed(kind << 32 | verb, value));
                [1, 4, 4, 16][(drawn >> 20) as usize % 4]
            }
        }
    }

    /// Whether a zone of the seat has a copy.
    fn holds(&self, game: &Playing, seat: SeatId) -> bool {
        let catalog = game.catalog();
        let copies = (0..catalog.cards.len()).filter(|card| catalog.cards[*card] == self.card).map(CardId::at);
        matches!(self.taste, Taste::Seek)
            && copies.into_iter().any(|card| game.table().world.card_owner(catalog, card) == Some(seat))
    }
}

impl Bot<LuaHost> for Liking {
    fn choose(&mut self, game: &Playing, decision: &Decision) -> DecisionOption {
        let options = forward(game, decision);
        let holds = self.holds(game, decision.seat);
        let weights: Vec<u32> = options.iter().map(|option| self.weight(game, decision, option, holds)).collect();
        let mut pick = self.rng.below(weights.iter().sum());
        for (option, weight) in options.iter().zip(weights) {
            if pick < weight {
                return *option;
            }
            pick -= weight;
        }
        self.random.choose(game, decision)
    }

    fn aside(&mut self, game: &mut Playing, seat: SeatId) -> Option<DecisionOption> {
        match self.taste {
            Taste::Abstain => None,
            Taste::Seek | Taste::Verbs(_) => self.random.aside(game, seat),
        }
    }
}

/// Bots for some seats, all of a kind.
fn all(
    seats: &[SeatId],
    catalog: &Catalog,
    card: DesignId,
    of: impl Fn(SeatId) -> (u64, Option<Taste>),
) -> Players<LuaHost> {
    let bot = |seat: &SeatId| {
        let (seed, taste) = of(*seat);
        let player = if taste.is_some() { Player::Random } else { Player::Greedy };
        let random = player.bot(catalog, seed, None)?;
        let Some(taste) = taste else { return Some((*seat, random)) };
        let liking = Liking { random, card, taste, rng: Stream::new(derive_seed(seed, 7)) };
        Some((*seat, Box::new(liking) as Box<dyn Bot<LuaHost>>))
    };
    seats.iter().filter_map(bot).collect()
}

/// Bots that leave the card alone.
pub(super) fn abstainers(seats: &[SeatId], catalog: &Catalog, card: DesignId) -> Players<LuaHost> {
    all(seats, catalog, card, |_| (1, Some(Taste::Abstain)))
}

/// Bots for game number `game` of a search. Most seek the card, or like verbs that differ from game to game. Few look
/// ahead, because that takes long; true if one does.
pub(super) fn of_game(
    seats: &[SeatId],
    catalog: &Catalog,
    card: DesignId,
    (game, seed): (u64, u64),
) -> (Players<LuaHost>, bool) {
    let greedy = seats.get((game / 16) as usize % seats.len().max(1)).filter(|_| game % 16 == 15);
    let bots = all(seats, catalog, card, |seat| {
        let own = derive_seed(seed, u64::from(seat.0));
        let taste = match game % 4 {
            _ if greedy == Some(&seat) => None,
            0 | 2 => Some(Taste::Seek),
            // All seats alike: some things need several.
            1 => Some(Taste::Verbs(seed)),
            _ => Some(Taste::Verbs(own)),
        };
        (own, taste)
    });
    (bots, greedy.is_some())
}
