//! The games of a search.

use std::collections::BTreeMap;
use std::rc::Rc;

use principes_app::packs::OpenPacks;
use principes_app::save::Save;
use principes_app::setup::{Player, Seating, Setup, SetupRequest, derive_seed, set_up};
use principes_core::bots;
use principes_core::catalog::Scope;
use principes_core::rng::Stream;
use principes_core::*;
use principes_scripting::LuaHost;

use super::acts::{Candidate, Watcher};
use super::named::{Playing, names};
use super::players::{abstainers, of_game};
use super::tried::Tried;
use super::{Found, TrialError, Way};

/// The number of answers after which a game without the card is abandoned.
const ANSWERS_OF_GAME: usize = 2_000;
/// The number of answers after which a continued position is left for another one.
const ANSWERS_ONWARD: usize = 250;
/// How many options of one game are tried out.
const MOST_TRIED: usize = 40;
/// Asides are listed once in this many answers.
const ASIDES: usize = 4;
/// The number of answers between two questions whether the search is over.
const EVERY: usize = 8;
/// A kind of option that has failed this often is tried out less and less often.
const FAILURES: u64 = 12;
/// The most positions for one way in which copies lie in zones.
const MOST_POSITIONS: usize = 24;
/// The most such ways.
const MOST_WAYS: usize = 40;
/// The number of games after which a card that no option ever named is one that acts by itself.
const GAMES_UNNAMED: u64 = 24;

/// The number of games after which a card that nothing ever named, moved or used will not be found.
const GAMES_UNTOUCHED: u64 = 400;

/// A position from which games continue.
struct Position {
    table: Rc<Setup>,
    game: Playing,
    visits: u32,
}

/// The positions in which copies lie alike, by the kind of the first decision.
#[derive(Default)]
struct Alike {
    positions: BTreeMap<DecisionId, Position>,
    visits: u32,
}

/// An answer after which the card acted though nothing named it. Without an answer, the card is in play when the game
/// begins.
struct Caused {
    table: Rc<Setup>,
    before: Vec<Answer>,
    answer: Option<Answer>,
}

pub(super) struct Search<'p> {
    packs: &'p OpenPacks,
    host: LuaHost,
    watcher: Watcher,
    /// The wanted setup, and others.
    setups: Vec<SetupRequest>,
    known: BTreeMap<Vec<ZoneKindId>, Alike>,
    failures: BTreeMap<(DecisionId, Option<SymbolId>), u64>,
    caused: Option<Caused>,
    seed: u64,
    rng: Stream,
    /// The number of games from the start.
    begun: usize,
    tried: Tried,
}

impl<'p> Search<'p> {
    pub(super) fn new(packs: &'p OpenPacks, setup: &SetupRequest, card: DesignId) -> Result<Self, TrialError> {
        let host = packs.host()?;
        Ok(Search {
            packs,
            watcher: Watcher::new(&packs.catalog, host.clone(), card),
            host,
            setups: setups(&packs.catalog, setup),
            known: BTreeMap::new(),
            failures: BTreeMap::new(),
            caused: None,
            seed: setup.seed,
            rng: Stream::new(setup.seed),
            begun: 0,
            tried: Tried::default(),
        })
    }

    pub(super) fn run(mut self, is_over: &mut dyn FnMut(&Tried) -> bool) -> Result<Found, TrialError> {
        while !is_over(&self.tried) {
            self.seed = derive_seed(self.seed, 1) >> 11;
            let (table, game, most) = match self.known_position() {
                Some((table, game)) => (table, game, ANSWERS_ONWARD),
                None => {
                    let Some((table, game)) = self.new_game()? else { continue };
                    (table, game, ANSWERS_OF_GAME)
                }
            };
            if let Some((seat, answers)) = self.play(&table, game, most, is_over)? {
                let save = self.record(&table, seat, &answers)?;
                return Ok(Found { save, way: Way::Played, has_wanted_setup: self.is_wanted(&table) });
            }
            if self.tried.named.is_empty() && self.tried.games >= self.games_unnamed() {
                break;
            }
        }
        match self.caused.take().filter(|_| self.tried.named.is_empty()) {
            Some(Caused { table, before, answer }) => {
                let (seat, before) = match answer {
                    Some(answer) => (answer.seat, before),
                    None => self.first_turn(&table)?,
                };
                let save = self.record(&table, seat, &before)?;
                let way = Way::ByItself(answer.map(|answer| answer.option.key(&self.packs.catalog)));
                Ok(Found { save, way, has_wanted_setup: self.is_wanted(&table) })
            }
            None => Err(TrialError::NotFound(Box::new(self.tried))),
        }
    }

    fn games_unnamed(&self) -> u64 {
        match self.caused {
            Some(_) => GAMES_UNNAMED,
            None if self.is_untouched() => GAMES_UNTOUCHED,
            None => u64::MAX,
        }
    }

    /// Whether nothing has ever named, moved or used the card.
    fn is_untouched(&self) -> bool {
        self.tried.named.is_empty() && self.caused.is_none() && self.tried.zones.len() < 2
    }

    /// A new game; `None` if the packs refuse this setup, which is not the wanted one.
    fn new_game(&mut self) -> Result<Option<(Rc<Setup>, Playing)>, TrialError> {
        // The wanted setup comes first and most often.
        let every = if self.is_untouched() { 2 } else { 3 };
        let at = if self.begun % every == every - 1 { (self.begun / every) % self.setups.len() } else { 0 };
        self.begun += 1;
        let request = SetupRequest { seed: self.seed, ..self.setups[at].clone() };
        let table = match set_up(&self.packs.catalog, &request) {
            Ok(table) => table,
            Err(error) if at == 0 => return Err(TrialError::Setup(Box::new(error))),
            Err(_) => {
                self.setups.remove(at);
                return Ok(None);
            }
        };
        let game = match self.packs.start(&self.host, table.config.clone()) {
            Ok(game) => game,
            Err(error) if at == 0 => return Err(error.into()),
            Err(_) => {
                self.setups.remove(at);
                return Ok(None);
            }
        };
        let table = Rc::new(table);
        if self.caused.is_none() && self.watcher.counting(&game) > 0 {
            self.caused = Some(Caused { table: table.clone(), before: Vec::new(), answer: None });
        }
        Ok(Some((table, game)))
    }

    /// In every second game, the position that was continued least often, among those whose cards lie in a way that was
    /// continued least often.
    fn known_position(&mut self) -> Option<(Rc<Setup>, Playing)> {
        if self.tried.games.is_multiple_of(2) || self.is_untouched() {
            return None;
        }
        let alike = self.known.values_mut().min_by_key(|alike| alike.visits)?;
        alike.visits += 1;
        let position = alike.positions.values_mut().min_by_key(|position| position.visits)?;
        position.visits += 1;
        Some((position.table.clone(), position.game.clone()))
    }

    /// Plays a game until a seat can play the card. Returns the seat and the answers so far.
    fn play(
        &mut self,
        table: &Rc<Setup>,
        mut game: Playing,
        most: usize,
        is_over: &mut dyn FnMut(&Tried) -> bool,
    ) -> Result<Option<(SeatId, Vec<Answer>)>, TrialError> {
        game.record_events(false);
        let seats = table.config.seats.clone();
        let (mut players, looks_ahead) =
            of_game(&seats, &self.packs.catalog, self.watcher.card, (self.tried.games, self.seed));
        let (mut is_held, mut has_acted, mut left) = (false, false, MOST_TRIED);
        self.tried.games += 1;
        for answers in 0..most {
            for of in self.candidates(&mut game, answers.is_multiple_of(ASIDES)) {
                if left > 0 && self.is_worth_trying(&game, &of) {
                    left -= 1;
                    if self.watcher.plays(&game, of) {
                        return Ok(Some((of.seat, game.record().to_vec())));
                    }
                    self.note_failure(&game, &of);
                }
            }
            is_held |= self.note_position(table, &game);
            let seen = self.watcher.look(&game);
            self.tried.answers += 1;
            if (answers % EVERY == EVERY - 1 && is_over(&self.tried)) || !bots::step(&mut game, &mut players)? {
                break;
            }
            // Bots that look ahead run hooks in games that are not real, and so does a game that was continued.
            if !looks_ahead && answers > 0 && self.watcher.has_acted(&game, &seen) {
                has_acted = true;
                self.note_cause(table, &game);
            }
        }
        self.tried.held += u64::from(is_held);
        self.tried.acted += u64::from(has_acted);
        Ok(None)
    }

    /// The options that name the card.
    fn candidates(&self, game: &mut Playing, with_asides: bool) -> Vec<Candidate> {
        let catalog = game.catalog().clone();
        let card = self.watcher.card;
        let of = |seat: SeatId, options: &[DecisionOption], aside: bool| {
            let named = options.iter().filter(|option| names(&catalog, option, card));
            named.map(|option| Candidate { seat, option: *option, aside }).collect::<Vec<_>>()
        };
        let mut all: Vec<Candidate> =
            game.pending().into_iter().flat_map(|decision| of(decision.seat, &decision.options, false)).collect();
        // Where another seat must decide, it would decide before a person could play an aside.
        if let ([seat], true) = (&*Self::asked(game), with_asides) {
            let seat = *seat;
            all.extend(of(seat, &game.asides(seat).unwrap_or_default(), true));
        }
        all
    }

    fn asked(game: &Playing) -> Vec<SeatId> {
        game.pending().iter().map(|decision| decision.seat).collect()
    }

    /// What tells kinds of options apart.
    fn kind(game: &Playing, of: &Candidate) -> (DecisionId, Option<SymbolId>) {
        let pending = game.pending();
        let decision = pending.iter().find(|decision| decision.seat == of.seat).or(pending.first());
        (decision.map_or(DecisionId::at(0), |decision| decision.kind), of.option.verb)
    }

    fn is_worth_trying(&mut self, game: &Playing, of: &Candidate) -> bool {
        let failures = self.failures.get(&Self::kind(game, of)).copied().unwrap_or_default();
        failures < FAILURES || self.rng.below((failures / FAILURES) as u32 + 1) == 0
    }

    fn note_failure(&mut self, game: &Playing, of: &Candidate) {
        let kind = Self::kind(game, of);
        *self.failures.entry(kind).or_default() += 1;
        let catalog = game.catalog();
        let verb = match kind.1 {
            Some(verb) => format!("`{}`", catalog.symbols.name(verb.index())),
            None => format!("a choice of `{}`", catalog.decisions[kind.0.index()].id),
        };
        *self.tried.named.entry(verb).or_default() += 1;
    }

    /// Notes where the copies are; true if a seat has one.
    fn note_position(&mut self, table: &Rc<Setup>, game: &Playing) -> bool {
        let catalog = game.catalog();
        let places = self.watcher.places(game);
        let mut kinds: Vec<ZoneKindId> = places.iter().map(|zone| catalog.zone_list[zone.index()].0).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in &kinds {
            let id = &catalog.zones[kind.index()].id;
            if !self.tried.zones.contains(id) {
                self.tried.zones.push(id.clone());
            }
        }
        let is_held = places.iter().any(|zone| catalog.zone_list[zone.index()].1.is_some());
        let Some(decision) = game.pending().first().map(|decision| decision.kind) else { return is_held };
        if !self.known.contains_key(&kinds) && self.known.len() >= MOST_WAYS {
            return is_held;
        }
        let alike = self.known.entry(kinds).or_default();
        let is_new = !alike.positions.contains_key(&decision) && alike.positions.len() < MOST_POSITIONS;
        // Old positions make room for others, so that no dead end stays.
        if is_new || self.rng.below(200) == 0 {
            let visits = alike.positions.get(&decision).map_or(0, |position| position.visits);
            if alike.positions.len() < MOST_POSITIONS || alike.positions.contains_key(&decision) {
                alike.positions.insert(decision, Position { table: table.clone(), game: game.clone(), visits });
            }
        }
        is_held
    }

    /// Notes the last answer as a cause, if the card acts after it in a game that is played again.
    fn note_cause(&mut self, table: &Rc<Setup>, game: &Playing) {
        let Some((answer, before)) = game.record().split_last() else { return };
        let is_known = self.caused.as_ref().is_some_and(|caused| self.is_wanted(&caused.table));
        if is_known || answer.aside || names(&self.packs.catalog, &answer.option, self.watcher.card) {
            return;
        }
        let Ok(mut again) = self.packs.start(&self.host, table.config.clone()) else { return };
        again.record_events(false);
        let give = |game: &mut Playing, of: &Answer| {
            Candidate { seat: of.seat, option: of.option, aside: of.aside }.give(game).is_ok()
        };
        if !before.iter().all(|answer| give(&mut again, answer)) || Self::asked(&again) != [answer.seat] {
            return;
        }
        let seen = self.watcher.look(&again);
        if give(&mut again, answer) && self.watcher.has_acted(&again, &seen) {
            self.caused = Some(Caused { table: table.clone(), before: before.to_vec(), answer: Some(*answer) });
        }
    }

    /// The first decision of the seat that has the card when the game begins: the seat, and the answers of others before
    /// it. If there is no such seat, or the card is gone by then, the first decision of all.
    fn first_turn(&self, table: &Setup) -> Result<(SeatId, Vec<Answer>), TrialError> {
        let mut game = self.packs.start(&self.host, table.config.clone())?;
        game.record_events(false);
        let catalog = game.catalog().clone();
        let first = Self::asked(&game).first().copied().unwrap_or(table.config.seats[0]);
        let mut owners = self.watcher.copies.iter().filter_map(|card| game.table().world.card_owner(&catalog, *card));
        let Some(seat) = owners.find(|owner| table.config.seats.contains(owner)) else {
            return Ok((first, Vec::new()));
        };
        let others: Vec<SeatId> = table.config.seats.iter().copied().filter(|other| *other != seat).collect();
        let mut players = abstainers(&others, &catalog, self.watcher.card);
        for _ in 0..ANSWERS_ONWARD {
            if Self::asked(&game).contains(&seat) && self.watcher.counting(&game) > 0 {
                return Ok((seat, game.record().to_vec()));
            }
            if !bots::step(&mut game, &mut players)? {
                break;
            }
        }
        Ok((first, Vec::new()))
    }

    fn is_wanted(&self, table: &Setup) -> bool {
        let config = |setup: &Setup| (setup.config.seats.clone(), setup.config.options.clone());
        set_up(&self.packs.catalog, &self.setups[0]).is_ok_and(|wanted| config(&wanted) == config(table))
    }

    /// The record of a game with these answers, in which a person has a seat.
    fn record(&self, table: &Setup, seat: SeatId, answers: &[Answer]) -> Result<Save, TrialError> {
        let mut players = table.players.clone();
        let of = |wanted: &dyn Fn(&(SeatId, Player)) -> bool, all: &[(SeatId, Player)]| all.iter().position(wanted);
        if let (Some(own), Some(person)) =
            (of(&|(of, _)| *of == seat, &players), of(&|(_, player)| *player == Player::Human, &players))
            && players[own].1 != Player::Human
        {
            players[person].1 = players[own].1;
            players[own].1 = Player::Human;
        }
        let mut game = self.packs.start(&self.host, table.config.clone())?;
        let mut save = Save::begin(&game, self.packs, &players);
        for answer in answers {
            Candidate { seat: answer.seat, option: answer.option, aside: answer.aside }.give(&mut game)?;
            save.follow(&game);
        }
        Ok(save)
    }
}

/// The wanted setup, and setups with other numbers of seats, other variants and other options.
fn setups(catalog: &Catalog, wanted: &SetupRequest) -> Vec<SetupRequest> {
    let plain = |players: Option<usize>| SetupRequest {
        variant: None,
        players,
        seating: Seating::Open,
        first: Player::Human,
        rest: Player::Random,
        lead: None,
        ..wanted.clone()
    };
    let mut all = vec![wanted.clone()];
    for seats in (catalog.seats.0..=catalog.seats.1).rev() {
        all.push(plain(Some(usize::from(seats))));
    }
    for variant in &catalog.variants {
        for seats in [variant.seats.1, variant.seats.0] {
            all.push(SetupRequest { variant: Some(variant.id.clone()), ..plain(Some(usize::from(seats))) });
        }
    }
    for counter in catalog.counters.iter().filter(|counter| counter.option && counter.scope == Scope::Game) {
        for value in [counter.min, counter.max].into_iter().filter(|value| *value != counter.start) {
            let mut other = plain(None);
            other.options.insert(counter.id.clone(), value);
            all.push(other);
        }
    }
    all
}
