//! Pairs of worlds that differ only in what a seat cannot see show that seat the same views, options, prompts and
//! events, over whole random games of every pack. (`properties.rs` tests what a seat sees at one moment. Here games
//! continue, so that hidden information has many chances to leak.)
//!
//! The worlds differ in one of four ways: what the seat cannot see (cards, what is in the fog) is dealt again; another
//! seat makes another secret choice; another seat moves differently under the fog; or the board differs wherever the
//! seat has not looked. As long as the pack's declarations (counters, pieces, zones) hide the difference, nothing else
//! may reveal it. While others choose secretly, and where the seat has not looked, nothing may reveal it at all.
//!
//! `PRINCIPES_PAIRS` is the number of pairs for each pack (default: 8). Before a release:
//! `PRINCIPES_PAIRS=10000 cargo test --release --test it hidden_information::`.

use std::sync::Arc;

use crate::common::{self, DECISION_CAP, Pack, give, load, next_answer, root, whole_games};
use principes_core::Frame;
use principes_core::SeenEvent;
use principes_core::bots::{Bot, RandomBot};
use principes_core::catalog::Visible;
use principes_core::rng::Rng;
use principes_core::*;
use principes_scripting::LuaHost;
use principes_source::{MemoryPack, PackSource, folder};

fn pairs() -> u64 {
    std::env::var("PRINCIPES_PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(8)
}

/// A leak: the seat learned something that it may not know.
#[derive(Debug)]
struct Leak(String);

/// How the worlds of a pair differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
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
    fn all_of(catalog: &Catalog) -> &'static [Difference] {
        use Difference::*;
        match catalog.fog {
            Some(_) => &[SecretChoice, UnseenBoard, Imagined, UnseenChoice],
            None => &[SecretChoice, Imagined],
        }
    }
}

/// The result of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The seat cannot tell the games apart.
    Alike,
    /// The difference was revealed in a way that the pack declares.
    Parted,
}

/// Two games and a seat that must not be able to tell them apart.
struct Pair<'a> {
    pack: &'a Pack,
    seat: SeatId,
    left: Game<LuaHost>,
    right: Game<LuaHost>,
}

fn is_secret(game: &Game<LuaHost>) -> bool {
    matches!(game.table().world.flow().last(), Some(Frame::Simultaneous(_)))
}

fn asked(game: &Game<LuaHost>, fits: impl Fn(SeatId) -> bool) -> Option<Decision> {
    game.pending().into_iter().find(|ask| fits(ask.seat)).cloned()
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

impl Pair<'_> {
    fn place(&self) -> String {
        let catalog = self.pack.catalog();
        let (seat, answers) = (catalog.id_of(Value::Faction(self.seat)), self.left.record().len());
        format!("{}, seed {}, {answers} answers, {seat} looks", self.pack.name, self.left.config().seed)
    }

    fn seen_events(&self, events: &[Event]) -> Vec<SeenEvent> {
        events.iter().filter_map(|event| event.seen_by(self.pack.catalog(), Some(self.seat))).collect()
    }

    /// Whether the seat notices a difference in the events since the last time or in its present view. With `strict`,
    /// nothing may leak, whatever the pack declares.
    fn compare(&mut self, strict: bool) -> Result<State, Leak> {
        let (lefts, rights) = (self.left.take_events(), self.right.take_events());
        let (lefts, rights) = (self.seen_events(&lefts), self.seen_events(&rights));
        let (left, right) = (self.left.table().view(Some(self.seat)), self.right.table().view(Some(self.seat)));
        let opened: [Vec<&SeenEvent>; 2] =
            [&lefts, &rights].map(|seen| seen.iter().filter(|event| opens(event)).collect());
        if !strict && (declared(&left) != declared(&right) || opened[0] != opened[1]) {
            return Ok(State::Parted);
        }
        let place = self.place();
        let leak = |what: &str, left: &dyn std::fmt::Debug, right: &dyn std::fmt::Debug| {
            Err(Leak(format!("{place}: {what}\nleft:  {left:?}\nright: {right:?}")))
        };
        if lefts != rights {
            let at = lefts.iter().zip(&rights).take_while(|(left, right)| left == right).count();
            return leak("the log differs", &lefts.get(at), &rights.get(at));
        }
        if left.decisions != right.decisions {
            return leak("the prompt or the options differ", &left.decisions, &right.decisions);
        }
        if left != right {
            return leak("the view differs", &left, &right);
        }
        let asides = (self.left.asides(self.seat), self.right.asides(self.seat));
        if asides.0 != asides.1 {
            return leak("the asides differ", &asides.0, &asides.1);
        }
        Ok(State::Alike)
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
        self.left.answer(ask.seat, choice).unwrap_or_else(|error| panic!("{}: {error}", self.place()));
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
        for _ in 0..DECISION_CAP {
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
        loop {
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
            assert!(looks < DECISION_CAP, "{}: no end", self.place());
        }
        Ok(looks)
    }
}

/// Plays a random game until `enough` is true. False if it ended before.
fn play_until(game: &mut Game<LuaHost>, bot: &mut RandomBot, mut enough: impl FnMut(&Game<LuaHost>) -> bool) -> bool {
    for _ in 0..DECISION_CAP {
        if enough(game) {
            return true;
        }
        let Some(ask) = asked(game, |_| true) else { return false };
        let choice = bot.choose(game, &ask);
        game.answer(ask.seat, choice).unwrap();
    }
    false
}

fn sees(table: &Table, seat: SeatId, space: SpaceId) -> bool {
    table.seen_by(space) >> seat.0 & 1 == 1
}

/// Swaps spaces under the fog, together with all of their counters.
fn stir(table: &mut Table, spaces: &[SpaceId], rng: &mut Rng) {
    let catalog = table.catalog.clone();
    let mut from = spaces.to_vec();
    rng.shuffle(&mut from);
    for (at, _) in catalog.counters.iter().enumerate().filter(|(_, counter)| counter.visible == Visible::Fog) {
        let counter = CounterId::at(at);
        let old: Vec<Value> = from.iter().map(|space| table.value(counter, Value::Space(*space)).unwrap()).collect();
        for (space, value) in spaces.iter().zip(old) {
            table.set_value(counter, value, Value::Space(*space)).unwrap();
        }
    }
}

/// One pair. Returns how often the seat could have noticed something; 0 if the pair could not be played.
fn play_pair(pack: &Pack, number: u64, difference: Difference) -> Result<usize, Leak> {
    let host = pack.host();
    let mut rng = Rng::new(number.wrapping_mul(0x9e37_79b9) ^ difference as u64);
    let mut bot = RandomBot::new(number);
    let mut left = pack.game(host, number);
    let seats: Vec<SeatId> = left.table().world.seats().collect();
    let seat = seats[rng.below(seats.len() as u32) as usize];
    if difference == Difference::UnseenBoard {
        return play_on_another_board(pack, left, seat, &mut bot, &mut rng);
    }
    // Plays some decisions, then on to a decision of the right kind.
    let mut wait = rng.below(if seats.len() == 1 { 40 } else { 60 });
    let found = play_until(&mut left, &mut bot, |game| {
        let here = asked(game, |s| s != seat).is_some_and(|ask| ask.options.len() > 1);
        let fits = match difference {
            Difference::SecretChoice => here && is_secret(game),
            Difference::UnseenChoice => here && !is_secret(game),
            _ => true,
        };
        wait = wait.saturating_sub(1);
        fits && wait == 0
    });
    if !found {
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
    let mut pair = Pair { pack, seat, left, right };
    let secret_phase = pair.secret_phase();
    if difference != Difference::Imagined {
        let ask = asked(&pair.left, |s| s != seat).unwrap();
        let (one, other) = (bot.choose(&pair.left, &ask), bot.choose(&pair.left, &ask));
        pair.left.answer(ask.seat, one).unwrap();
        pair.right.answer(ask.seat, other).unwrap();
        if !pair.catch_up(&mut bot) {
            return Ok(0);
        }
    }
    if pair.left.digest() == pair.right.digest() {
        return Ok(0);
    }
    pair.play_on(secret_phase, &mut bot, &mut rng)
}

/// The same game twice, on boards that differ wherever the seat does not look before a certain moment.
fn play_on_another_board(
    pack: &Pack,
    mut left: Game<LuaHost>,
    seat: SeatId,
    bot: &mut RandomBot,
    rng: &mut Rng,
) -> Result<usize, Leak> {
    let mut ahead = left.clone();
    let answers = 1 + rng.below(50) as usize;
    play_until(&mut ahead, bot, |game| game.record().len() >= answers);
    let table = ahead.table();
    let spaces = (0..pack.catalog().spaces.len()).map(SpaceId::at);
    let unseen: Vec<SpaceId> = spaces.filter(|space| !sees(table, seat, *space)).collect();
    let mut right = pack.game(pack.host(), left.config().seed);
    right
        .edit(|table| {
            stir(table, &unseen, rng);
            Ok(())
        })
        .unwrap();
    if left.digest() == right.digest() {
        return Ok(0);
    }
    left.take_events();
    right.take_events();
    let mut pair = Pair { pack, seat, left, right };
    pair.compare(true)?;
    for (at, answer) in ahead.record().iter().enumerate() {
        pair.left.answer(answer.seat, answer.option).unwrap();
        if pair.right.answer(answer.seat, answer.option).is_err() {
            let who = if answer.seat == seat { "the seat" } else { "another" };
            return if answer.seat == seat {
                Err(Leak(format!("{}: {who} has other options", pair.place())))
            } else {
                Ok(at)
            };
        }
        pair.compare(true)?;
    }
    Ok(ahead.record().len())
}

/// The most games for one pair, and the distance between their numbers.
const ATTEMPTS: u64 = 6;
const ANOTHER_GAME: u64 = 1_000_000;

/// Plays pairs of a pack. Returns for each kind of difference how many pairs could be compared.
fn look_for_leaks(pack: &Pack, pairs: u64) -> Result<Vec<(Difference, usize)>, Leak> {
    let mut looked: Vec<(Difference, usize)> = Difference::all_of(pack.catalog()).iter().map(|d| (*d, 0)).collect();
    for number in 0..pairs {
        let (difference, count) = &mut looked[number as usize % Difference::all_of(pack.catalog()).len()];
        // If a game showed the seat nothing, another one may.
        for attempt in 0..ATTEMPTS {
            if play_pair(pack, number + attempt * ANOTHER_GAME, *difference)? > 0 {
                *count += 1;
                break;
            }
        }
    }
    Ok(looked)
}

#[test]
fn a_seat_cannot_tell_worlds_apart_that_differ_only_in_what_it_cannot_see() {
    let mut looked_in_all = 0;
    for pack in whole_games() {
        let looked = look_for_leaks(&pack, pairs()).unwrap_or_else(|Leak(leak)| panic!("{leak}"));
        looked_in_all += looked.iter().map(|(_, count)| count).sum::<usize>();
        // On a fogged board, every kind of difference is possible.
        let idle = looked.iter().filter(|(_, count)| *count == 0).map(|(difference, _)| difference);
        if pack.catalog().fog.is_some() && pairs() >= 8 {
            assert_eq!(idle.count(), 0, "{}: no pair of some kind: {looked:?}", pack.name);
        }
    }
    assert!(looked_in_all > 0, "no world ever differed");
}

// Planted leaks ----------------------------------------------------------------------------------------------------

/// A copy of a pack's folder in memory in which texts of some files are replaced: file, old text, new text.
fn with_changes(pack: &str, changes: &[(&str, &str, &str)]) -> Pack {
    let source = folder(root().join(pack));
    let mut copy = MemoryPack::new("planted");
    for path in source.list().unwrap().into_iter().filter(|path| !path.ends_with(".snap")) {
        let mut content = source.read(&path).unwrap();
        for (file, from, to) in changes.iter().filter(|(file, ..)| *file == path) {
            let text = String::from_utf8(content).unwrap();
            assert!(text.contains(from), "{file} has no `{from}` any more");
            content = text.replacen(from, to, 1).into_bytes();
        }
        copy = copy.with(&path, content);
    }
    Pack::of(load(&[Arc::new(copy) as Arc<dyn PackSource>]))
}

/// The Prince, changed so that the flow asks for the first secret choice of both seats.
fn asking_by_the_flow() -> Pack {
    let first = "set(counter.hideout, choose(seat, \"hiding.prince\", castles.standing(seat)), seat)";
    let asked = r#""simultaneous": "hiding/hiding.hide",
        "choose": { "decision": "hiding.prince", "options": "exploration/castles.standing" }"#;
    with_changes(
        "mods/the-prince",
        &[
            ("planning/phases.json", "\"simultaneous\": \"hiding/hiding.hide\"", asked),
            ("hiding/hiding.lua", "M.hide(seat)", "M.hide(seat, castle)"),
            ("hiding/hiding.lua", first, "set(counter.hideout, castle, seat)"),
        ],
    )
}

#[test]
fn what_the_flow_asks_for_in_secret_is_secret() {
    let pack = asking_by_the_flow();
    let looked = look_for_leaks(&pack, SEARCH.max(pairs())).unwrap_or_else(|Leak(leak)| panic!("{leak}"));
    assert!(looked.iter().all(|(_, count)| *count > 0), "no pair of some kind: {looked:?}");
}

/// A game of secret bids, which the higher bid wins. `asked` is how the phase asks, `bid` what the script does with an
/// answer.
fn bidding(asked: &str, bid: &str) -> Pack {
    let phases = format!(
        r#"{{"phases": [{{"id": "bids", "simultaneous": "bids.bid"{asked}}}, {{"id": "end", "run": "bids.over"}}]}}"#
    );
    let script = format!(
        "local M = {{}}
        function M.list() return {{ 1, 2, 3 }} end
        {bid}
        function M.over()
          local most = -1
          local best
          for _, seat in seats() do
            if get(counter.bid, seat) > most then
              most, best = get(counter.bid, seat), seat
            end
          end
          win(best, \"most\")
        end
        return M"
    );
    let pack = MemoryPack::new("bidding")
        .with(
            "pack.json",
            r#"{"format": 1, "api": 1, "id": "bidding", "version": "1.0.0", "title": "Bidding", "authors": ["a test"],
            "license": "MIT", "kind": "game", "languages": ["en"], "seats": {"min": 2, "max": 2}}"#,
        )
        .with(
            "factions.json",
            r#"{"factions": [{"id": "red", "playable": true, "group": "player", "color": "red"},
            {"id": "blue", "playable": true, "group": "player", "color": "blue"}]}"#,
        )
        .with("counters.json", r#"{"counters": [{"id": "bid", "scope": "faction", "visible": "everyone", "max": 9}]}"#)
        .with("decisions.json", r#"{"decisions": [{"id": "bid", "doc": "How much."}]}"#)
        .with("phases.json", phases)
        .with("bids.lua", script)
        .with(
            "words.en.json",
            r#"{"messages": {"faction.red": "Red", "faction.blue": "Blue", "counter.bid": "Bid",
            "decision.bid": "Bid", "phase.bids": "Bids", "phase.end": "End", "outcome.most": "most"}}"#,
        );
    Pack::of(load(&[Arc::new(pack) as Arc<dyn PackSource>]))
}

/// What the other seat sees before it has chosen, after the first seat has made this bid.
fn seen_beside(pack: &Pack, bid: usize) -> String {
    let mut game = pack.game(pack.host(), 1);
    let (first, option) = game.pending().first().map(|ask| (ask.seat, ask.options[bid])).unwrap();
    let other = game.pending().last().map(|ask| ask.seat).unwrap();
    game.take_events();
    game.answer(first, option).unwrap();
    let events: Vec<_> = game.events().iter().filter_map(|event| event.seen_by(pack.catalog(), Some(other))).collect();
    format!("{:?} {events:?}", game.table().view(Some(other)))
}

#[test]
fn a_secret_bid_shows_only_when_all_have_bid() {
    let asked = r#", "choose": {"decision": "bid", "options": "bids.list"}"#;
    let pack = bidding(asked, "function M.bid(seat, gold) set(counter.bid, gold, seat) end");
    assert_eq!(seen_beside(&pack, 0), seen_beside(&pack, 2));
    let mut game = pack.game(pack.host(), 1);
    while let Some((seat, option)) = game.pending().first().map(|ask| (ask.seat, ask.options[2])) {
        game.answer(seat, option).unwrap();
    }
    assert!(game.outcome().is_some());
}

/// A script that asks may ask again, depending on the answer. Therefore, showing something too early is refused.
#[test]
fn a_script_that_shows_a_secret_bid_too_early_is_refused() {
    let pack = bidding("", "function M.bid(seat) set(counter.bid, choose(seat, \"bid\", M.list()), seat) end");
    let mut game = pack.game(pack.host(), 1);
    let before = game.table().world.clone();
    let (seat, option) = game.pending().first().map(|ask| (ask.seat, ask.options[2])).unwrap();
    let error = game.answer(seat, option).unwrap_err().to_string();
    assert!(error.contains("before all seats had chosen"), "{error}");
    assert_eq!(game.table().world, before);
}

/// The games are the same whether the flow or the script asks, even if they continue as copies.
#[test]
fn the_flow_asks_for_what_the_script_would() {
    let (flow, script) = (asking_by_the_flow(), common::pack("mods/the-prince"));
    let mut asked = 0;
    for number in 0..6 {
        let (mut left, mut right) = (flow.game(flow.host(), number), script.game(script.host(), number));
        let mut bot = RandomBot::new(number);
        while let Some(answer) = next_answer(&mut left, &mut bot) {
            if answer.option.verb.is_none() && is_secret(&left) {
                asked += 1;
            }
            let options = |game: &Game<LuaHost>| {
                let asks = game.pending().into_iter();
                asks.map(|ask| (ask.seat, ask.kind, ask.options.clone())).collect::<Vec<_>>()
            };
            // A script may already ask for the next choice while the flow waits for the other seat.
            let open = options(&right);
            assert!(options(&left).iter().all(|ask| open.contains(ask)), "game {number}: {open:?}");
            left = left.clone();
            give(&mut left, &answer).unwrap();
            give(&mut right, &answer).unwrap();
        }
        let places = |game: &Game<LuaHost>| {
            let table = game.table();
            (0..table.catalog.pieces.len()).map(|at| table.world.piece(PieceId::at(at)).space()).collect::<Vec<_>>()
        };
        assert!(left.outcome().is_some() && left.outcome() == right.outcome(), "game {number}");
        assert_eq!((left.record(), places(&left)), (right.record(), places(&right)), "game {number}");
    }
    assert!(asked > 0, "nobody chose in secret");
}

/// Enough pairs to find any leak that happens in every game.
const SEARCH: u64 = 48;

#[track_caller]
fn is_caught(file: &str, from: &str, to: &str, how: &str) {
    is_caught_in("mods/the-prince", file, from, to, how);
}

#[track_caller]
fn is_caught_in(pack: &str, file: &str, from: &str, to: &str, how: &str) {
    let pack = with_changes(pack, &[(file, from, to)]);
    match look_for_leaks(&pack, SEARCH) {
        Ok(looked) => panic!("the leak was not found: {looked:?}"),
        Err(Leak(leak)) => assert!(leak.contains(how), "another leak was found: {leak}"),
    }
}

#[test]
fn a_log_line_that_tells_where_the_prince_hides_is_caught() {
    let line = "local post = ";
    let planted = format!("log(\"prince-was-hidden\", seat, get(counter.hideout, seat))\n    {line}");
    is_caught("hiding/hiding.lua", line, &planted, "the log differs");
}

#[test]
fn a_log_line_that_tells_what_lies_in_the_fog_is_caught() {
    let line = "move(prince, tile)";
    let planted = format!("{line}\n    log(\"judged\", seat, prop(get(counter.tile, tile), \"amount\"))");
    is_caught("exploration/exploration.lua", line, &planted, "the log differs");
}

#[test]
fn a_prompt_that_tells_a_secret_of_the_last_part_is_caught() {
    let line = "choose(seat, \"planning.castle\", options)";
    let planted =
        "choose(seat, \"planning.castle\", options, { about = { get(counter.hideout, castles.rival(seat)) } })";
    is_caught("planning/planning.lua", line, planted, "the prompt or the options differ");
}

#[test]
fn options_that_depend_on_a_secret_are_caught() {
    let line = "local targets = castles.standing(castles.rival(seat))";
    let planted =
        "local targets = { get(counter.hideout, castles.rival(seat)), castles.standing(castles.rival(seat))[1] }";
    is_caught("planning/planning.lua", line, planted, "the prompt or the options differ");
}

#[test]
fn a_secret_that_everyone_may_see_is_caught() {
    let line = "\"id\": \"hideout\",\n      \"scope\": \"faction\",\n      \"visible\": \"owner\"";
    let open = line.replace("owner", "everyone");
    let (pin, pin_after) = ("{\"visible\": \"owner\"}, \"count\": 5", "{\"visible\": \"owner\"}, \"count\": 4");
    let changes = [("battle/counters.json", line, open.as_str()), ("pins.json", pin, pin_after)];
    let pack = with_changes("mods/the-prince", &changes);
    let mut game = pack.game(pack.host(), 1);
    let mut bot = RandomBot::new(1);
    let refused = std::iter::from_fn(|| next_answer(&mut game, &mut bot).map(|answer| give(&mut game, &answer)));
    let error = refused.filter_map(Result::err).next().expect("it is refused").to_string();
    assert!(error.contains("before all seats had chosen"), "{error}");
}

#[test]
fn a_log_line_that_tells_a_card_of_a_hand_is_caught() {
    let line = "function M.turn(seat)";
    let planted = format!("{line}\n  log(\"position-judged\", seat, top(zone.hand, seat))");
    is_caught_in("content/principes", "actions/actions.lua", line, &planted, "the log differs");
}

#[test]
fn a_log_line_that_tells_of_a_hexagon_that_lies_face_down_is_caught() {
    let line = "add(counter.idle, 1)";
    let planted = format!("{line}\n  log(\"laid\", seat, space.a2, top(discovery.face_down_zone(space.a2)))");
    is_caught_in("mods/hex", "turns/turns.lua", line, &planted, "the log differs");
}

#[test]
fn options_that_depend_on_what_lies_face_down_are_caught() {
    let line = "\n  add_regenerations(options, board, seat)";
    let planted = format!(
        "{line}
  local hidden = top(discovery.face_down_zone(space.a2))
  if #options > 1 and hidden and prop(hidden, \"terrain\") == 3 then
    table.remove(options)
  end"
    );
    is_caught_in("mods/hex", "moves/legal.lua", line, &planted, "the prompt or the options differ");
}
