//! Finds a game in which a seat can play a card. Bots play ordinary games until one reaches such a position, so the
//! game can be saved, taken back and repeated like any other.
//!
//! An option that names a card need not play it: a card can also be sold, discarded or kept. A card is *played* by an
//! option if one of its hooks runs as a consequence, or if it comes to a zone in which its hooks are live, and if that
//! would not happen after another option of the same decision. A card without hooks is played if it moves, as soon as
//! the seat has made all choices about it.

use std::collections::BTreeMap;

use principes_core::bots::{Bot, Players, forward};
use principes_core::*;
use principes_scripting::LuaHost;
use serde::Serialize;

use crate::packs::OpenPacks;
use crate::save::Save;
use crate::session::SessionError;
use crate::setup::{Player, Setup, SetupError, SetupRequest, derive_seed, set_up};

/// The number of answers after which a game without the card is abandoned.
const ANSWERS_OF_GAME: usize = 2_000;
/// The number of answers in which a card that was chosen must act.
const ANSWERS_TO_ACT: usize = 12;
/// How many options of one game are tried out.
const MOST_TRIED: usize = 60;
/// Asides are asked for once in this many answers.
const ASIDES: usize = 8;

/// Why no game was found.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The table cannot be set up.
    #[error(transparent)]
    Setup(SetupError),
    /// A game does not start or fails.
    #[error(transparent)]
    Game(Box<SessionError>),
    /// No seat has a person.
    #[error("no person has a seat")]
    NoPerson,
    /// The search ended without success.
    #[error("{}", .0.told())]
    NotFound(Tried),
}

impl<E: Into<SessionError>> From<E> for TrialError {
    fn from(error: E) -> Self {
        TrialError::Game(Box::new(error.into()))
    }
}

/// What a search has tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// The number of games begun.
    pub games: u64,
    /// The number of answers in all of them.
    pub answers: u64,
    /// In how many games an option of the person named the card, without playing it.
    pub named: u64,
    /// In how many games each other seat could play it, by the ids of factions.
    pub others: BTreeMap<String, u64>,
    /// In how many games one of its hooks ran, no matter what caused it.
    pub acted: u64,
}

impl Tried {
    /// What was tried and why it was not enough, in a sentence.
    fn told(&self) -> String {
        let Tried { games, answers, named, others, acted } = self;
        let what = format!(
            "no position in which you can play this card was found in {games} games with {answers} answers of random and greedy bots"
        );
        let seats: Vec<String> = others.iter().map(|(id, games)| format!("`{id}` ({games})")).collect();
        let why = match (seats.is_empty(), named, acted) {
            (false, ..) => format!("only other seats could play it: {}", seats.join(", ")),
            (true, 0, 0) => "no decision of your seat named it, and none of its hooks ran".to_owned(),
            (true, 0, acted) => format!("its hooks ran in {acted} games, but never by a choice of your seat"),
            (true, named, 0) => format!("in {named} games you could choose it, but that did not make it act"),
            (true, named, acted) => format!(
                "in {named} games you could choose it, but that did not make it act; its hooks ran in {acted} games \
                 without a choice of your seat"
            ),
        };
        format!("{what}; {why}")
    }
}

/// A bot that takes what names a card until it holds one, and then keeps it: an option that played it would have ended
/// the search. Otherwise it chooses at random.
struct Seeker {
    random: Box<dyn Bot<LuaHost>>,
    card: DesignId,
    rng: rng::Rng,
}

impl Bot<LuaHost> for Seeker {
    fn choose(&mut self, game: &Game<LuaHost>, decision: &Decision) -> DecisionOption {
        let catalog = game.catalog();
        let zone = |card: usize| game.table().world.card_zone(CardId::at(card));
        let is_own = |card: &usize| catalog.zone_list[zone(*card).index()].1 == Some(decision.seat);
        let copies = (0..catalog.cards.len()).filter(|card| catalog.cards[*card] == self.card);
        let holds = copies.into_iter().any(|card| is_own(&card));
        let mut liked = forward(game, decision);
        liked.retain(|option| names(catalog, option, self.card) != holds);
        // What it does not know may be better, so not always.
        match liked.len() {
            1.. if self.rng.below(8) > 0 => liked[self.rng.below(liked.len() as u32) as usize],
            _ => self.random.choose(game, decision),
        }
    }
}

/// A bot that leaves a card alone: what happens then is a consequence of what was chosen before.
struct Abstainer {
    random: Box<dyn Bot<LuaHost>>,
    card: DesignId,
    rng: rng::Rng,
}

impl Bot<LuaHost> for Abstainer {
    fn choose(&mut self, game: &Game<LuaHost>, decision: &Decision) -> DecisionOption {
        let mut others = forward(game, decision);
        others.retain(|option| !names(game.catalog(), option, self.card));
        match others.len() {
            0 => self.random.choose(game, decision),
            _ => others[self.rng.below(others.len() as u32) as usize],
        }
    }
}

/// Searches for a decision of a person at which that person can play the card. Returns the record of a game that ends
/// there. `is_over` learns what was tried after every few answers, and ends the search.
///
/// # Errors
/// [`TrialError`].
pub fn search(
    packs: &OpenPacks,
    setup: &SetupRequest,
    card: DesignId,
    is_over: &mut dyn FnMut(&Tried) -> bool,
) -> Result<Save, TrialError> {
    let mut search = Search { packs, host: packs.host()?, card, hooks: hooks(packs, card), tried: Tried::default() };
    let mut seed = setup.seed;
    while !is_over(&search.tried) {
        seed = derive_seed(seed, 1) >> 11;
        let table = set_up(&packs.catalog, &SetupRequest { seed, ..setup.clone() }).map_err(TrialError::Setup)?;
        if !table.players.iter().any(|(_, player)| *player == Player::Human) {
            return Err(TrialError::NoPerson);
        }
        if let Some(game) = search.play(&table, seed, is_over)? {
            return search.record(&table, game.record());
        }
    }
    Err(TrialError::NotFound(search.tried))
}

/// The script hooks of a design.
fn hooks(packs: &OpenPacks, card: DesignId) -> Vec<HookId> {
    packs.catalog.designs[card.index()].listeners.iter().map(|listener| listener.hook).collect()
}

/// Whether an option names a card.
fn names(catalog: &Catalog, option: &DecisionOption, card: DesignId) -> bool {
    option.args.iter().any(|value| match value {
        Value::Card(of) => catalog.cards[of.index()] == card,
        Value::Design(of) => *of == card,
        _ => false,
    })
}

/// Something that a card does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    /// A hook of it runs.
    Hook(HookId),
    /// Its hooks become live.
    Live,
    /// It has no hooks, and moves.
    Moves,
}

struct Search<'p> {
    packs: &'p OpenPacks,
    host: LuaHost,
    card: DesignId,
    /// The hooks of the card.
    hooks: Vec<HookId>,
    tried: Tried,
}

impl Search<'_> {
    /// Plays a game until a person can play the card.
    fn play(
        &mut self,
        table: &Setup,
        seed: u64,
        is_over: &mut dyn FnMut(&Tried) -> bool,
    ) -> Result<Option<Game<LuaHost>>, TrialError> {
        let mut game = self.packs.start(&self.host, table.config.clone())?;
        game.record_events(false);
        let mut players = self.bots(table, seed);
        let people: Vec<SeatId> =
            table.players.iter().filter(|(_, player)| *player == Player::Human).map(|(seat, _)| *seat).collect();
        let runs = self.runs();
        let (mut is_named, mut tried, mut others) = (false, 0, Vec::new());
        self.tried.games += 1;
        for answers in 0..ANSWERS_OF_GAME {
            for (seat, option, is_aside) in self.candidates(&mut game, &people, answers % ASIDES == 0) {
                let is_own = people.contains(&seat);
                is_named |= is_own;
                if tried < MOST_TRIED && (is_own || !others.contains(&seat)) {
                    tried += 1;
                    let plays = self.plays(&game, seat, option, is_aside);
                    if plays && is_own {
                        return Ok(Some(game));
                    }
                    others.extend(plays.then_some(seat));
                }
            }
            self.tried.answers += 1;
            if (answers % 32 == 31 && is_over(&self.tried)) || !bots::step(&mut game, &mut players)? {
                break;
            }
        }
        self.tried.named += u64::from(is_named);
        self.tried.acted += u64::from(self.runs() != runs);
        for seat in others {
            *self.tried.others.entry(self.packs.catalog.factions[seat.index()].id.clone()).or_default() += 1;
        }
        Ok(None)
    }

    /// Bots for all seats: mostly random ones, because they are fast; some seek the card, some look ahead.
    fn bots(&self, table: &Setup, seed: u64) -> Players<LuaHost> {
        let catalog = &self.packs.catalog;
        let game = self.tried.games;
        let bot = |(seat, player): &(SeatId, Player)| {
            let seed = derive_seed(seed, u64::from(seat.0));
            let is_person = *player == Player::Human;
            let kind = match game % 16 {
                7 if is_person => Player::Greedy,
                15 => Player::Greedy,
                _ => Player::Random,
            };
            let bot = kind.bot(catalog, seed, None)?;
            let seeks = is_person && !game.is_multiple_of(4) && kind == Player::Random;
            let seeker = |random| Box::new(Seeker { random, card: self.card, rng: rng::Rng::new(seed) });
            Some((*seat, if seeks { seeker(bot) as Box<dyn Bot<LuaHost>> } else { bot }))
        };
        table.players.iter().filter_map(bot).collect()
    }

    /// The options that name the card, with their seats. Asides of people are asked for from time to time.
    fn candidates(
        &self,
        game: &mut Game<LuaHost>,
        people: &[SeatId],
        with_asides: bool,
    ) -> Vec<(SeatId, DecisionOption, bool)> {
        let catalog = game.catalog().clone();
        let is_it = |option: &DecisionOption| names(&catalog, option, self.card);
        let of = |decision: &&Decision| decision.options.iter().copied().filter(is_it).collect::<Vec<_>>();
        let mut all: Vec<(SeatId, DecisionOption, bool)> = Vec::new();
        for decision in game.pending() {
            all.extend(of(&decision).into_iter().map(|option| (decision.seat, option, false)));
        }
        for seat in people.iter().filter(|_| with_asides) {
            let asides = game.asides(*seat).unwrap_or_default();
            all.extend(asides.into_iter().filter(is_it).map(|option| (*seat, option, true)));
        }
        all
    }

    /// Whether an option plays the card.
    fn plays(&self, game: &Game<LuaHost>, seat: SeatId, option: DecisionOption, is_aside: bool) -> bool {
        let acts = self.acting_after(game, seat, Some((option, is_aside)));
        if acts.is_empty() {
            return false;
        }
        let pending = game.pending();
        let mine = pending.iter().filter(|decision| decision.seat == seat);
        let rest = mine.flat_map(|decision| forward(game, decision));
        let other = rest.into_iter().find(|other| !names(game.catalog(), other, self.card));
        let anyway = match other {
            _ if is_aside => self.acting_after(game, seat, None),
            Some(other) => self.acting_after(game, seat, Some((other, false))),
            // There is nothing else to choose.
            None => Vec::new(),
        };
        acts.iter().any(|act| !anyway.contains(act))
    }

    /// What the card does after an option.
    fn acting_after(&self, game: &Game<LuaHost>, seat: SeatId, option: Option<(DecisionOption, bool)>) -> Vec<Act> {
        let (before, live, places) = (self.host.hook_runs(), self.live(game), self.places(game));
        let mut copy = game.clone();
        let done = match option {
            Some((option, true)) => copy.play_aside(seat, option),
            Some((option, false)) => copy.answer(seat, option),
            None => Ok(()),
        };
        let seats = self.packs.catalog.playable;
        let bot = |seat: usize| {
            let random = Player::Random.bot(&self.packs.catalog, 1, None)?;
            let bot = Abstainer { random, card: self.card, rng: rng::Rng::new(1) };
            Some((FactionId::at(seat), Box::new(bot) as Box<dyn Bot<LuaHost>>))
        };
        let mut players: Players<LuaHost> = (0..seats).filter_map(bot).collect();
        if done.is_ok() {
            for _ in 0..ANSWERS_TO_ACT {
                let is_acting = !self.ran_since(&before).is_empty() || self.live(&copy) > live;
                // A card without hooks that is not moved now may be moved for another reason later.
                let is_chosen = self.hooks.is_empty()
                    && (self.places(&copy) != places || !copy.pending().iter().any(|decision| decision.seat == seat));
                if is_acting || is_chosen || !bots::step(&mut copy, &mut players).unwrap_or(false) {
                    break;
                }
            }
        }
        let mut acts = self.ran_since(&before);
        acts.extend((self.live(&copy) > live).then_some(Act::Live));
        acts.extend((self.hooks.is_empty() && self.places(&copy) != places).then_some(Act::Moves));
        acts
    }

    fn ran_since(&self, before: &[u64]) -> Vec<Act> {
        let now = self.host.hook_runs();
        let ran = self.hooks.iter().filter(|hook| now[hook.index()] > before[hook.index()]);
        ran.map(|hook| Act::Hook(*hook)).collect()
    }

    /// The zones of all copies.
    fn places(&self, game: &Game<LuaHost>) -> Vec<ZoneId> {
        self.copies(game).map(|card| game.table().world.card_zone(card)).collect()
    }

    fn copies<'g>(&'g self, game: &'g Game<LuaHost>) -> impl Iterator<Item = CardId> + 'g {
        let cards = &game.catalog().cards;
        (0..cards.len()).filter(|card| cards[*card] == self.card).map(CardId::at)
    }

    /// The number of copies in zones in which their hooks are live.
    fn live(&self, game: &Game<LuaHost>) -> usize {
        let catalog = game.catalog();
        let copies = self.copies(game);
        let kind = |card: CardId| catalog.zone_list[game.table().world.card_zone(card).index()].0;
        copies.filter(|card| catalog.zones[kind(*card).index()].active).count()
    }

    /// The number of runs of the card's hooks.
    fn runs(&self) -> u64 {
        let all = self.host.hook_runs();
        self.hooks.iter().map(|hook| all[hook.index()]).sum()
    }

    /// The record of a game with these answers.
    fn record(&self, table: &Setup, answers: &[Answer]) -> Result<Save, TrialError> {
        let mut game = self.packs.start(&self.host, table.config.clone())?;
        let mut save = Save::begin(&game, self.packs.packs.clone(), &table.players);
        for answer in answers {
            match answer.aside {
                true => game.play_aside(answer.seat, answer.option)?,
                false => game.answer(answer.seat, answer.option)?,
            }
            save.follow(&game);
        }
        Ok(save)
    }
}
