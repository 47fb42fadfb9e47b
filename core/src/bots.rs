//! Bots that know no rules: they see open decisions, views, and copies of the game as their seat may imagine it.

use std::rc::Rc;

use crate::decision::{Ask, Choice};
use crate::game::{AnswerError, Game};
use crate::ids::*;
use crate::rng::{Rng, Stream};
use crate::scripts::Scripts;
use crate::search::{self, Crew};

/// A player without a person.
pub trait Bot<S: Scripts> {
    /// Picks one of the options of a decision.
    fn choose(&mut self, game: &Game<S>, ask: &Ask) -> Choice;

    /// A play beside the decisions that this bot wants to make now. Asked now and then while the game waits.
    fn aside(&mut self, _game: &mut Game<S>, _seat: SeatId) -> Option<Choice> {
        None
    }
}

/// Options that only take something back; bots would go in circles with them.
fn is_retreat<S: Scripts>(game: &Game<S>, choice: &Choice) -> bool {
    let words = &game.catalog().words;
    choice.verb == Some(words.undo) || choice.verb == Some(words.back)
}

/// The options that do not just take something back: those that bots choose among.
pub fn forward<S: Scripts>(game: &Game<S>, ask: &Ask) -> Vec<Choice> {
    ask.options.iter().copied().filter(|choice| !is_retreat(game, choice)).collect()
}

/// Picks uniformly among all options that do not just take something back, and now and then plays beside the decisions.
#[derive(Clone, Debug)]
pub struct RandomBot {
    rng: Stream,
}

/// One in so many opportunities a random bot looks at its plays beside the decisions.
const ASIDE_ODDS: u32 = 12;

impl RandomBot {
    /// A bot with a seed of its own.
    pub fn new(seed: u64) -> Self {
        RandomBot { rng: Stream::new(seed) }
    }
}

impl<S: Scripts> Bot<S> for RandomBot {
    fn choose(&mut self, game: &Game<S>, ask: &Ask) -> Choice {
        let forward = ask.options.iter().filter(|choice| !is_retreat(game, choice)).count();
        if forward == 0 {
            return ask.options[self.rng.below(ask.options.len() as u32) as usize];
        }
        let pick = self.rng.below(forward as u32) as usize;
        let mut options = ask.options.iter().filter(|choice| !is_retreat(game, choice));
        // `pick` is below the number of options that pass the filter.
        options.nth(pick).copied().unwrap_or(ask.options[0])
    }

    fn aside(&mut self, game: &mut Game<S>, seat: SeatId) -> Option<Choice> {
        if self.rng.below(ASIDE_ODDS) != 0 {
            return None;
        }
        let options = game.asides(seat).ok()?;
        let pick = self.rng.below(options.len() as u32) as usize;
        options.get(pick).copied()
    }
}

/// Tries every option once on a copy of the game as the seat may imagine it and takes the one after which the seat
/// stands best: by its tracks against those of the others, and by what the pack's `bot.value` hooks say.
#[derive(Clone, Debug)]
pub struct GreedyBot {
    rng: Rng,
}

/// More options than these are sampled.
const GREEDY_OPTIONS: usize = 24;

impl GreedyBot {
    /// A bot with a seed of its own.
    pub fn new(seed: u64) -> Self {
        GreedyBot { rng: Rng::new(seed) }
    }
}

/// How well a seat stands: its tracks (100 a point) less the mean of the others', and what the pack adds.
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

impl<S: Scripts> Bot<S> for GreedyBot {
    fn choose(&mut self, game: &Game<S>, ask: &Ask) -> Choice {
        let mut options = forward(game, ask);
        self.rng.shuffle(&mut options);
        options.truncate(GREEDY_OPTIONS);
        let fallback = options.first().copied().unwrap_or(ask.options[0]);
        if options.len() < 2 {
            return fallback;
        }
        let Some(imagined) = game.imagine(ask.seat, &mut self.rng) else { return fallback };
        let mut best = (i32::MIN, fallback);
        for option in options {
            let mut copy = imagined.clone();
            if copy.answer(ask.seat, option).is_err() {
                continue;
            }
            let value = judge(copy, ask.seat);
            if value > best.0 {
                best = (value, option);
            }
        }
        best.1
    }
}

/// The value of a position for a seat. A draft of moves shows nothing on the table, so a movement of the seat is first
/// brought to its end: a picked piece goes where it serves best, then the draft is committed.
pub(crate) fn judge<S: Scripts>(mut game: Game<S>, seat: SeatId) -> i32 {
    let Some(ask) = game.pending().into_iter().find(|ask| ask.seat == seat).cloned() else {
        return evaluate(&mut game, seat);
    };
    let catalog = game.catalog().clone();
    let Some(movement) = &catalog.movement else { return evaluate(&mut game, seat) };
    if ask.decision == movement.to {
        let ways = ask.options.iter().filter(|choice| !is_retreat(&game, choice)).take(GREEDY_OPTIONS);
        let best = ways.filter_map(|way| {
            let mut copy = game.clone();
            copy.answer(seat, *way).ok()?;
            Some(judge(copy, seat))
        });
        return best.max().unwrap_or(i32::MIN);
    }
    if ask.decision == movement.pick {
        let done = ask.options.iter().find(|choice| choice.verb == Some(catalog.words.done)).copied();
        if done.is_some_and(|done| game.answer(seat, done).is_err()) {
            return i32::MIN;
        }
    }
    evaluate(&mut game, seat)
}

/// Searches in games that its seat may imagine ([`crate::search`]).
#[derive(Clone)]
pub struct MctsBot {
    rng: Rng,
    playouts: u32,
    crew: Option<Rc<dyn Crew>>,
}

impl MctsBot {
    /// A bot with a seed of its own and a number of playouts for each decision. With a crew its searches run at the
    /// same time; its choices are the same without.
    pub fn new(seed: u64, playouts: u32, crew: Option<Rc<dyn Crew>>) -> Self {
        MctsBot { rng: Rng::new(seed), playouts, crew }
    }
}

impl<S: Scripts> Bot<S> for MctsBot {
    fn choose(&mut self, game: &Game<S>, ask: &Ask) -> Choice {
        let options = forward(game, ask);
        let fallback = options.first().copied().unwrap_or(ask.options[0]);
        if options.len() < 2 {
            return fallback;
        }
        let searches = search::searches(ask.seat, self.playouts, &mut self.rng);
        let together = self.crew.as_ref().filter(|_| searches.len() > 1);
        let findings = together.and_then(|crew| crew.search(game.snapshot(), &searches));
        let findings = findings.unwrap_or_else(|| searches.iter().map(|search| search.run(game)).collect());
        search::decide(&findings).unwrap_or(fallback)
    }
}

/// The bots of a game, each with its seat. Seats without a bot are left to others.
pub type Players<S> = Vec<(SeatId, Box<dyn Bot<S>>)>;

/// Lets the bots make one step: an answer to an open decision of theirs, or a play beside it. False where no bot has
/// anything to do.
pub fn step<S: Scripts>(game: &mut Game<S>, players: &mut Players<S>) -> Result<bool, AnswerError> {
    if game.outcome().is_some() || players.is_empty() {
        return Ok(false);
    }
    let turn = game.record().len() % players.len();
    let (seat, bot) = &mut players[turn];
    if let Some(choice) = bot.aside(game, *seat) {
        game.play_aside(*seat, choice)?;
        return Ok(true);
    }
    let ours = |ask: &&Ask| players.iter().any(|(seat, _)| *seat == ask.seat);
    let Some(ask) = game.table().asks().find(ours) else { return Ok(false) };
    let seat = ask.seat;
    let Some((_, bot)) = players.iter_mut().find(|(player, _)| *player == seat) else { return Ok(false) };
    let choice = bot.choose(game, ask);
    game.answer(seat, choice)?;
    Ok(true)
}
