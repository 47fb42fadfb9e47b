//! Twin games: two games that differ only in what a seat cannot see must look the same to that seat.
//!
//! The games differ in one of four ways: what the seat cannot see (cards, what is in the fog) is dealt again; another
//! seat makes another secret choice; another seat moves differently under the fog; or the board differs wherever the
//! seat has not looked. As long as the pack's declarations (counters, pieces, zones) hide the difference, nothing else
//! may reveal it. While others choose secretly, and where the seat has not looked, nothing may reveal it at all.

use std::fmt::{self, Debug};
use std::sync::Arc;

use principes_core::bots::{Bot, RandomBot};
use principes_core::catalog::{PhaseBody, Visible};
use principes_core::rng::Rng;
use principes_core::*;
use principes_findings::budget::Effort;
use principes_scripting::LuaHost;

use crate::smoke::PlayMeter;

/// The most answers of a pair, and the most answers with which one game may catch up with the other.
const MOST_ANSWERS: usize = 20_000;
/// The most games for one pair, and the distance between their numbers.
const ATTEMPTS: u64 = 6;
const ANOTHER_GAME: u64 = 1_000_000;

/// The most answers before the games of a pair begin to differ.
const LONGEST_WAIT: usize = 60;

/// A leak: a seat learned something that it may not know.
#[derive(Debug)]
pub struct Leak {
    /// Who learned it.
    pub seat: SeatId,
    /// What differs.
    pub what: Leaking,
    /// The hook that revealed it, if it is known.
    pub hook: Option<HookId>,
    /// The game: its seed, and its number of answers.
    pub moment: (u64, usize),
    /// What the seat sees in each of the games.
    pub seen: [String; 2],
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Leak { seat, what, moment: (seed, answers), seen: [left, right], .. } = self;
        write!(f, "seed {seed}, {answers} answers, seat {}: {what} differ\nleft:  {left}\nright: {right}", seat.0)
    }
}

/// What reveals a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaking {
    /// The events.
    Log,
    /// Whether the seat is asked, the prompt, or the options.
    Decision,
    /// The rest of the view.
    View,
    /// The asides that are open to it.
    Asides,
}

impl fmt::Display for Leaking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Leaking::Log => "the lines of the log",
            Leaking::Decision => "the prompt or the options",
            Leaking::View => "the views",
            Leaking::Asides => "the asides",
        })
    }
}

/// How the games of a pair differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The right game is one that the seat may imagine instead of the left one.
    Imagined,
    /// Another seat has made another secret choice.
    SecretChoice,
    /// Another seat has made another choice, which the seat cannot see. Such choices exist only under a fog.
    UnseenChoice,
    /// The boards differ where the seat does not look before a certain moment.
    UnseenBoard,
}

impl Difference {
    /// Those that are possible with a catalog; none if it keeps no secrets.
    pub fn all_of(catalog: &Catalog) -> &'static [Difference] {
        use Difference::*;
        let chooses_in_secret = catalog.phases.iter().any(|phase| matches!(phase.body, PhaseBody::Simultaneous(_)));
        let hides_something = catalog.zones.iter().any(|zone| zone.visible != Visible::Everyone)
            || catalog.counters.iter().any(|counter| counter.visible != Visible::Everyone);
        match catalog.fog {
            Some(_) => &[SecretChoice, UnseenBoard, Imagined, UnseenChoice],
            None if chooses_in_secret => &[SecretChoice, Imagined],
            None if hides_something => &[Imagined],
            None => &[],
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The seat cannot tell the games apart.
    Alike,
    /// The difference was revealed in a way that the pack declares.
    Parted,
}

/// Pairs of games of some packs.
pub struct Twins<'a> {
    /// What the packs compile to.
    pub catalog: &'a Arc<Catalog>,
    /// A host for the games.
    pub host: &'a LuaHost,
    /// The configuration of the game with a number.
    pub config: &'a dyn Fn(u64) -> GameConfig,
    /// When to stop.
    pub effort: &'a Effort,
}

impl Twins<'_> {
    /// Plays some pairs. Returns for each kind of difference how many of them could be compared. Games that fail are
    /// left out.
    ///
    /// # Errors
    /// The first leak.
    pub fn look(&self, pairs: u64) -> Result<Vec<(Difference, usize)>, Leak> {
        let mut looked: Vec<(Difference, usize)> =
            Difference::all_of(self.catalog).iter().map(|difference| (*difference, 0)).collect();
        let meter = PlayMeter::new(self.host, self.effort);
        for number in 0..if looked.is_empty() { 0 } else { pairs } {
            let at = number as usize % looked.len();
            let (difference, count) = &mut looked[at];
            // If a game showed the seat nothing, another one may.
            for attempt in 0..ATTEMPTS {
                if meter.is_over() {
                    return Ok(looked);
                }
                if self.play(number + attempt * ANOTHER_GAME, *difference, &meter)? > 0 {
                    *count += 1;
                    break;
                }
            }
        }
        Ok(looked)
    }

    fn start(&self, number: u64) -> Option<Game<LuaHost>> {
        Game::new(Arc::clone(self.catalog), self.host.clone(), (self.config)(number)).ok()
    }

    /// Plays one pair. Returns how often the seat could have noticed something; 0 if the pair could not be played.
    fn play(&self, number: u64, difference: Difference, meter: &PlayMeter<'_>) -> Result<usize, Leak> {
        let mut rng = Rng::new(number.wrapping_mul(0x9e37_79b9) ^ difference as u64);
        let mut bot = RandomBot::new(number);
        let Some(mut left) = self.start(number) else { return Ok(0) };
        let seats: Vec<SeatId> = left.table().world.seats().collect();
        // The setup may have eliminated everybody.
        let Some(seat) = seats.get(rng.below(seats.len() as u32) as usize).copied() else { return Ok(0) };
        if difference == Difference::UnseenBoard {
            return self.play_on_another_board(left, number, seat, (&mut bot, &mut rng), meter);
        }
        if !play_to_start(&mut left, difference, seat, &mut bot, &mut rng) {
            return Ok(0);
        }
        let right = match difference {
            Difference::Imagined => left.imagine(seat, &mut rng).map(|mut game| {
                game.record_events(true);
                game
            }),
            _ => Some(left.clone()),
        };
        let Some(right) = right else { return Ok(0) };
        left.take_events();
        let mut pair = Pair { seat, left, right, meter };
        let secret_phase = pair.secret_phase();
        if difference != Difference::Imagined && !pair.part(&mut bot) || pair.left.digest() == pair.right.digest() {
            return Ok(0);
        }
        pair.play_on(secret_phase, &mut bot, &mut rng)
    }

    /// The same game twice, on boards that differ wherever the seat does not look before a certain moment.
    fn play_on_another_board(
        &self,
        left: Game<LuaHost>,
        number: u64,
        seat: SeatId,
        (bot, rng): (&mut RandomBot, &mut Rng),
        meter: &PlayMeter<'_>,
    ) -> Result<usize, Leak> {
        let mut ahead = left.clone();
        let answers = 1 + rng.below(50) as usize;
        play_until(&mut ahead, bot, |game| game.record().len() >= answers);
        let table = ahead.table();
        let spaces = (0..self.catalog.spaces.len()).map(SpaceId::at);
        let unseen: Vec<SpaceId> = spaces.filter(|space| table.seen_by(*space) >> seat.0 & 1 == 0).collect();
        let Some(mut right) = self.start(number) else { return Ok(0) };
        let stirred = right.edit(|table| {
            stir(table, &unseen, rng);
            Ok(())
        });
        if stirred.is_err() || left.digest() == right.digest() {
            return Ok(0);
        }
        let mut pair = Pair { seat, left, right, meter };
        pair.left.take_events();
        pair.right.take_events();
        pair.compare(true)?;
        for (at, answer) in ahead.record().iter().enumerate() {
            if meter.is_over() {
                return Ok(at);
            }
            let give = |game: &mut Game<LuaHost>| match answer.aside {
                true => game.play_aside(answer.seat, answer.option).is_ok(),
                false => game.answer(answer.seat, answer.option).is_ok(),
            };
            if !give(&mut pair.left) {
                return Ok(at);
            }
            if !give(&mut pair.right) {
                let options =
                    [&pair.left, &pair.right].map(|game| format!("{:?}", game.table().view(Some(seat)).decisions));
                return if answer.seat == seat { Err(pair.leak(Leaking::Decision, None, options)) } else { Ok(at) };
            }
            pair.compare(true)?;
        }
        Ok(ahead.record().len())
    }
}

fn is_secret(game: &Game<LuaHost>) -> bool {
    matches!(game.table().world.flow().last(), Some(Frame::Simultaneous(_)))
}

fn asked(game: &Game<LuaHost>, fits: impl Fn(SeatId) -> bool) -> Option<Decision> {
    game.pending().into_iter().find(|ask| fits(ask.seat)).cloned()
}

/// Plays some decisions, then on to a decision with which a difference can begin. False if there was none.
fn play_to_start(
    game: &mut Game<LuaHost>,
    difference: Difference,
    seat: SeatId,
    bot: &mut RandomBot,
    rng: &mut Rng,
) -> bool {
    // A short game must not be over by then.
    let mut ahead = game.clone();
    play_until(&mut ahead, &mut bot.clone(), |game| game.record().len() >= LONGEST_WAIT);
    let mut wait = rng.below(ahead.record().len().max(1) as u32);
    play_until(game, bot, |game| {
        let here = asked(game, |s| s != seat).is_some_and(|ask| ask.options.len() > 1);
        let fits = match difference {
            Difference::SecretChoice => here && is_secret(game),
            Difference::UnseenChoice => here && !is_secret(game),
            _ => true,
        };
        wait = wait.saturating_sub(1);
        fits && wait == 0
    })
}

/// Plays a random game until `enough` is true. False if it ended before.
fn play_until(game: &mut Game<LuaHost>, bot: &mut RandomBot, mut enough: impl FnMut(&Game<LuaHost>) -> bool) -> bool {
    for _ in 0..MOST_ANSWERS {
        if enough(game) {
            return true;
        }
        let Some(ask) = asked(game, |_| true) else { return false };
        let choice = bot.choose(game, &ask);
        if game.answer(ask.seat, choice).is_err() {
            return false;
        }
    }
    false
}

/// Swaps spaces under the fog, together with all of their counters.
fn stir(table: &mut Table, spaces: &[SpaceId], rng: &mut Rng) {
    let catalog = table.catalog.clone();
    let mut from = spaces.to_vec();
    rng.shuffle(&mut from);
    for (at, _) in catalog.counters.iter().enumerate().filter(|(_, counter)| counter.visible == Visible::Fog) {
        let counter = CounterId::at(at);
        let old: Vec<Value> =
            from.iter().map(|space| table.value(counter, Value::Space(*space)).unwrap_or_default()).collect();
        for (space, value) in spaces.iter().zip(old) {
            // The value was that of another space.
            let _ = table.set_value(counter, value, Value::Space(*space));
        }
    }
}

/// The part of a view that follows from the pack's declarations, without decisions of its scripts.
fn declared(view: &View) -> View {
    View { decisions: Vec::new(), waiting_for: Vec::new(), phase: None, active: None, ..view.clone() }
}

/// Whether an event itself reveals something, such as a die or a card whose face the seat sees.
fn opens(event: &SeenEvent) -> bool {
    let card = matches!(event.event, Event::Revealed { .. } | Event::Card { .. }) && !event.hidden;
    card || matches!(event.event, Event::Rolled { .. } | Event::Face { .. })
}

/// An event as a seat sees it, and the hook that logged it.
type Seen = (SeenEvent, Option<HookId>);

/// Two games and a seat that must not be able to tell them apart.
struct Pair<'a> {
    seat: SeatId,
    left: Game<LuaHost>,
    right: Game<LuaHost>,
    meter: &'a PlayMeter<'a>,
}

impl Pair<'_> {
    fn leak(&self, what: Leaking, hook: Option<HookId>, seen: [String; 2]) -> Leak {
        let running = || self.left.running_hook().or_else(|| self.right.running_hook());
        let moment = (self.left.config().seed, self.left.record().len());
        Leak { seat: self.seat, what, hook: hook.or_else(running), moment, seen }
    }

    fn seen_events(&self, events: &[Event]) -> Vec<Seen> {
        let hook = |event: &Event| match event {
            Event::Log { hook, .. } => *hook,
            _ => None,
        };
        let catalog = self.left.catalog();
        events.iter().filter_map(|event| Some((event.seen_by(catalog, Some(self.seat))?, hook(event)))).collect()
    }

    /// Whether the seat notices a difference in the events since the last time or in its present view. With `strict`,
    /// nothing may leak, whatever the pack declares.
    fn compare(&mut self, strict: bool) -> Result<State, Leak> {
        let (lefts, rights) = (self.left.take_events(), self.right.take_events());
        let (lefts, rights) = (self.seen_events(&lefts), self.seen_events(&rights));
        let (left, right) = (self.left.table().view(Some(self.seat)), self.right.table().view(Some(self.seat)));
        let opened = |seen: &[Seen]| -> Vec<SeenEvent> { seen.iter().map(|(event, _)| *event).filter(opens).collect() };
        if !strict && (declared(&left) != declared(&right) || opened(&lefts) != opened(&rights)) {
            return Ok(State::Parted);
        }
        fn both(left: &impl Debug, right: &impl Debug) -> [String; 2] {
            [format!("{left:?}"), format!("{right:?}")]
        }
        let at = lefts.iter().zip(&rights).take_while(|(left, right)| left.0 == right.0).count();
        if at < lefts.len().max(rights.len()) {
            let (left, right) = (lefts.get(at), rights.get(at));
            let hook = left.and_then(|seen| seen.1).or(right.and_then(|seen| seen.1));
            return Err(self.leak(Leaking::Log, hook, both(&left.map(|seen| seen.0), &right.map(|seen| seen.0))));
        }
        if left.decisions != right.decisions {
            return Err(self.leak(Leaking::Decision, None, both(&left.decisions, &right.decisions)));
        }
        if left != right {
            return Err(self.leak(Leaking::View, None, both(&left, &right)));
        }
        // If asides cannot be listed, another check reports it.
        let (left, right) = (self.left.asides(self.seat).ok(), self.right.asides(self.seat).ok());
        if left != right {
            return Err(self.leak(Leaking::Asides, None, both(&left, &right)));
        }
        Ok(State::Alike)
    }

    /// Lets another seat choose differently in both games. False if the games cannot go on.
    fn part(&mut self, bot: &mut RandomBot) -> bool {
        let seat = self.seat;
        let Some(ask) = asked(&self.left, |s| s != seat) else { return false };
        let (one, other) = (bot.choose(&self.left, &ask), bot.choose(&self.left, &ask));
        self.left.answer(ask.seat, one).is_ok() && self.right.answer(ask.seat, other).is_ok() && self.catch_up(bot)
    }

    /// Gives the same answer in both games. False if the right game cannot follow.
    fn answer(&mut self, bot: &mut RandomBot, rng: &mut Rng) -> bool {
        let seat = self.seat;
        let (mine, others) = (asked(&self.left, |s| s == seat), asked(&self.left, |s| s != seat));
        let ask = match (mine, others) {
            (Some(mine), Some(others)) => {
                if rng.below(2) == 0 {
                    mine
                } else {
                    others
                }
            }
            (mine, others) => match mine.or(others) {
                Some(ask) => ask,
                None => return false,
            },
        };
        let choice = bot.choose(&self.left, &ask);
        if self.left.answer(ask.seat, choice).is_err() {
            return false;
        }
        let follows = match asked(&self.right, |s| s == ask.seat) {
            Some(theirs) if theirs.options.contains(&choice) => self.right.answer(ask.seat, choice).is_ok(),
            // After another secret choice, other options may be open.
            Some(theirs) if ask.seat != seat && is_secret(&self.right) => {
                let choice = bot.choose(&self.right, &theirs);
                self.right.answer(ask.seat, choice).is_ok()
            }
            Some(_) => false,
            None => ask.seat != seat,
        };
        follows && self.catch_up(bot)
    }

    /// Lets other seats finish their secret choices in the game that is behind, where they have more decisions.
    fn catch_up(&mut self, bot: &mut RandomBot) -> bool {
        let seat = self.seat;
        let phase = |game: &Game<LuaHost>| game.table().view(None).phase;
        for _ in 0..MOST_ANSWERS {
            let wait = |game: &Game<LuaHost>| asked(game, |s| s == seat).is_some();
            if phase(&self.left) == phase(&self.right) && wait(&self.left) == wait(&self.right) {
                return true;
            }
            let behind = [&mut self.left, &mut self.right].into_iter().find(|game| is_secret(game) && !wait(game));
            let Some(game) = behind else { return self.left.outcome().is_some() || self.right.outcome().is_some() };
            let Some(ask) = asked(game, |_| true) else { return false };
            let choice = bot.choose(game, &ask);
            if game.answer(ask.seat, choice).is_err() {
                return false;
            }
        }
        false
    }

    /// The secret phase, if both games are in one.
    fn secret_phase(&self) -> Option<PhaseId> {
        let phase = |game: &Game<LuaHost>| game.table().view(None).phase.filter(|_| is_secret(game));
        phase(&self.left).filter(|left| phase(&self.right) == Some(*left))
    }

    /// Continues until the games have diverged or are over. Returns how often the seat could have noticed something.
    /// `secret_phase` is the phase in which they began to differ.
    fn play_on(
        &mut self,
        mut secret_phase: Option<PhaseId>,
        bot: &mut RandomBot,
        rng: &mut Rng,
    ) -> Result<usize, Leak> {
        let mut looks = 0;
        while looks < MOST_ANSWERS && !self.meter.is_over() {
            // A secret stays one while others are still choosing.
            let now = self.secret_phase();
            let strict = now.is_some() && now == secret_phase;
            if self.compare(strict)? == State::Parted {
                break;
            }
            secret_phase = now;
            looks += 1;
            if self.left.outcome().is_some() || self.right.outcome().is_some() || !self.answer(bot, rng) {
                break;
            }
        }
        Ok(looks)
    }
}
