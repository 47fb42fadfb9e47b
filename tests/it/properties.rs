//! Properties of every pack over random games: options are accepted, and everything else is refused without effect;
//! nothing is created or lost; a game can be saved at every decision; a record replays; secrets stay secret at every
//! moment (over whole games: `hidden_information.rs`); the same game is the same everywhere; every game ends.
//!
//! Each property is tested briefly, in one game of each pack, and at length: `PRINCIPES_GAMES` games (default: 6). Before a release:
//! `PRINCIPES_GAMES=200 cargo test --release --test it properties::at_length -- --ignored`.

use std::collections::BTreeMap;

use crate::common::{DECISION_CAP, Pack, give, next_answer, whole_games, written};
use principes_core::Frame;
use principes_core::bots::RandomBot;
use principes_core::catalog::{Holds, MOST_FACTIONS, Scope, Visible};
use principes_core::rng::Rng;
use principes_core::*;
use principes_scripting::LuaHost;

/// Games of each pack in the quick tests.
const FEW: u64 = 1;

/// Games of each pack in the tests at length.
fn games() -> u64 {
    std::env::var("PRINCIPES_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(6)
}

/// Tests each property twice: in a few games, and at length.
macro_rules! properties {
    ($($property:ident),* $(,)?) => {
        mod briefly {
            $(#[test] fn $property() { super::$property(super::FEW) })*
        }
        mod at_length {
            $(
                #[test]
                #[ignore = "slow; run by .ci/run"]
                fn $property() { super::$property(super::games()) }
            )*
        }
    };
}

properties! {
    what_is_offered_is_accepted_and_nothing_else,
    nothing_is_created_or_lost,
    a_game_can_be_saved_at_every_decision,
    a_record_replays,
    a_seat_sees_the_same_whatever_it_cannot_see,
    a_secret_choice_shows_nothing_before_all_have_chosen,
}

/// Plays this many random games of every pack. Calls `look` with the game at every decision, and the next answer.
fn at_every_decision(games: u64, mut look: impl FnMut(&Pack, &mut Game<LuaHost>, &Answer, usize)) {
    for pack in whole_games() {
        let host = pack.host();
        for number in 0..games {
            let mut game = pack.game(host, number);
            game.take_events();
            let mut bot = RandomBot::new(number);
            let mut decisions = 0;
            while let Some(answer) = next_answer(&mut game, &mut bot) {
                look(&pack, &mut game, &answer, decisions);
                let written = written(&game, &answer);
                give(&mut game, &answer)
                    .unwrap_or_else(|error| panic!("{}, game {number}, {written}: {error}", pack.name));
                game.take_events();
                decisions += 1;
                assert!(decisions < DECISION_CAP, "{}, game {number}: no end after {decisions} answers", pack.name);
            }
            assert!(
                game.outcome().is_some(),
                "{}, game {number}: no decision is open, but the game is not over",
                pack.name
            );
        }
    }
}

/// The expensive checks run at regular intervals; with hundreds of games, they cover every decision.
const NOW_AND_THEN: usize = 23;

fn what_is_offered_is_accepted_and_nothing_else(games: u64) {
    at_every_decision(games, |pack, game, _, decision| {
        if decision % NOW_AND_THEN != 0 {
            return;
        }
        let digest = game.digest();
        let asks: Vec<Decision> = game.pending().into_iter().cloned().collect();
        let stranger = DecisionOption::verb(game.catalog().words.yes, &[Value::Int(i32::MIN)]);
        for ask in &asks {
            assert!(!ask.options.is_empty(), "{}: a decision without options", pack.name);
            for option in ask.options.iter().take(24) {
                let key = option.key(game.catalog());
                let mut copy = game.clone();
                copy.answer(ask.seat, *option)
                    .unwrap_or_else(|error| panic!("{}: `{key}` is offered: {error}", pack.name));
            }
            assert_eq!(game.answer(ask.seat, stranger), Err(AnswerError::NotOffered));
            assert_eq!(game.play_aside(ask.seat, stranger), Err(AnswerError::NotOffered));
            for seat in (0..game.catalog().playable).map(FactionId::at) {
                if asks.iter().all(|other| other.seat != seat) {
                    assert_eq!(game.answer(seat, ask.options[0]), Err(AnswerError::NotOffered));
                }
            }
        }
        assert_eq!(game.digest(), digest, "{}: a refused answer changed the state", pack.name);
        assert_eq!(game.take_events(), vec![], "{}: a refused answer caused an event", pack.name);
    });
}

/// What is wrong with a world: lost or duplicated things, numbers out of bounds.
fn faults(table: &Table) -> Vec<String> {
    let (catalog, world) = (&table.catalog, &table.world);
    let mut faults = Vec::new();
    let mut seen = vec![0; catalog.cards.len()];
    for zone in (0..catalog.zone_list.len()).map(ZoneId::at) {
        let cards: Vec<CardId> = world.in_zone(zone).collect();
        if cards.len() != world.zone_len(zone) {
            faults.push(format!("zone {zone:?} holds {} cards, but counts {}", cards.len(), world.zone_len(zone)));
        }
        for card in cards {
            seen[card.index()] += 1;
            if world.card_zone(card) != zone {
                faults.push(format!("card {card:?} is in {zone:?}, but has {:?}", world.card_zone(card)));
            }
        }
    }
    faults.extend(
        seen.iter().enumerate().filter(|(_, n)| **n != 1).map(|(card, n)| format!("card {card} is in {n} zones")),
    );
    let mut standing = vec![0; catalog.pieces.len()];
    for space in (0..catalog.spaces.len()).map(SpaceId::at) {
        for piece in world.on_space(space) {
            standing[piece.index()] += 1;
            if world.piece(piece).space() != Some(space) {
                faults.push(format!("piece {piece:?} is on {space:?}, but has {:?}", world.piece(piece).space()));
            }
        }
    }
    for (piece, state) in world.pieces() {
        if standing[piece.index()] != usize::from(state.space().is_some()) {
            faults.push(format!("piece {piece:?} is on {} spaces", standing[piece.index()]));
        }
    }
    for (at, spec) in catalog.counters.iter().enumerate() {
        let counter = CounterId::at(at);
        let owners: Vec<Value> = match spec.scope {
            Scope::Game => vec![Value::Nil],
            Scope::Faction => (0..catalog.playable).map(|f| Value::Faction(FactionId::at(f))).collect(),
            Scope::Space => (0..catalog.spaces.len()).map(|s| Value::Space(SpaceId::at(s))).collect(),
            Scope::Card => (0..catalog.cards.len()).map(|c| Value::Card(CardId::at(c))).collect(),
        };
        for owner in owners.into_iter().filter(|_| spec.holds == Holds::Number && spec.derived.is_none()) {
            let value = table.raw(counter, owner).unwrap();
            if !(spec.min..=spec.max).contains(&value) {
                faults.push(format!("{} of {} is {value}", spec.id, catalog.id_of(owner)));
            }
        }
        if spec.supply.is_some() && table.bank(counter).unwrap() < 0 {
            faults.push(format!("more {} are out than exist", spec.id));
        }
    }
    for space in (0..catalog.spaces.len()).map(SpaceId::at) {
        let mask = world.occupant_mask(catalog, space);
        if mask.is_power_of_two() && mask.trailing_zeros() < MOST_FACTIONS as u32 {
            let sole = FactionId(mask.trailing_zeros() as u8);
            let rightful = world.is_led(sole).then_some(sole);
            if world.controller(space) != rightful {
                faults.push(format!(
                    "{} is not controlled by the only faction on it",
                    catalog.id_of(Value::Space(space))
                ));
            }
        }
    }
    faults
}

fn nothing_is_created_or_lost(games: u64) {
    at_every_decision(games, |pack, game, answer, decision| {
        let faults = faults(game.table());
        assert!(faults.is_empty(), "{}, decision {decision}, before {}: {faults:?}", pack.name, written(game, answer));
    });
}

#[test]
fn a_limited_supply_is_never_exceeded() {
    for pack in whole_games() {
        let mut game = pack.game(pack.host(), 0);
        let asked_for_too_much = game.edit(|table| {
            let catalog = table.catalog.clone();
            let limited = catalog.counters.iter().enumerate().filter(|(_, spec)| spec.supply.is_some());
            for (counter, spec) in limited.map(|(at, spec)| (CounterId::at(at), spec)) {
                for seat in (0..catalog.playable).map(|f| Value::Faction(FactionId::at(f))) {
                    let owner = if spec.scope == Scope::Game { Value::Nil } else { seat };
                    table.add(counter, i32::MAX, owner).unwrap();
                    assert!(table.set(counter, spec.max, owner).is_ok() || table.bank(counter).unwrap() == 0);
                }
                assert!(table.bank(counter).unwrap() >= 0, "{}: more {} than exist", pack.name, spec.id);
            }
            Ok(())
        });
        asked_for_too_much.unwrap();
    }
}

fn a_game_can_be_saved_at_every_decision(games: u64) {
    at_every_decision(games, |pack, game, answer, decision| {
        let snapshot = game.state();
        let bytes = postcard::to_allocvec(&snapshot).unwrap();
        let read: GameState = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(read, snapshot);
        if decision % NOW_AND_THEN == 0 {
            let text = serde_json::to_string(&snapshot).unwrap();
            assert_eq!(serde_json::from_str::<GameState>(&text).unwrap(), snapshot);
        }
        // A new host, so that the old one cannot keep state.
        let fresh = if decision % NOW_AND_THEN == 1 { pack.fresh_host() } else { pack.host().clone() };
        let mut restored = Game::restore(pack.catalog().clone(), fresh, read).unwrap();
        assert_eq!(restored.digest(), game.digest());
        assert_eq!(restored.pending(), game.pending());
        let mut went_on = game.clone();
        let place = || format!("{}, decision {decision}, {}", pack.name, written(game, answer));
        give(&mut went_on, answer).unwrap_or_else(|error| panic!("{}: {error}", place()));
        give(&mut restored, answer).unwrap_or_else(|error| panic!("{}: {error}", place()));
        assert_eq!(restored.digest(), went_on.digest(), "{}: the loaded game continues differently", place());
        assert_eq!(restored.take_events(), went_on.take_events(), "{}", place());
    });
}

fn a_record_replays(games: u64) {
    for pack in whole_games() {
        let host = pack.host();
        for number in 0..games {
            let (record, digests) = play(&pack, host, number);
            let mut replay = pack.game(&pack.fresh_host(), number);
            for (answer, digest) in record.iter().zip(&digests) {
                give(&mut replay, answer).unwrap();
                assert_eq!(replay.digest(), *digest, "{}, game {number}: the replay differs", pack.name);
            }
            assert_eq!(replay.record(), record);
        }
    }
}

/// A whole random game: its record and the digest after every answer.
fn play(pack: &Pack, host: &LuaHost, number: u64) -> (Vec<Answer>, Vec<String>) {
    let mut game = pack.game(host, number);
    game.record_events(false);
    let mut bot = RandomBot::new(number);
    let mut digests = Vec::new();
    while let Some(answer) = next_answer(&mut game, &mut bot) {
        give(&mut game, &answer).unwrap();
        digests.push(game.digest());
        assert!(digests.len() < DECISION_CAP);
    }
    (game.record().to_vec(), digests)
}

// Secrets ----------------------------------------------------------------------------------------------------------

fn is_hidden(catalog: &Catalog, zone: ZoneId, seat: SeatId) -> bool {
    let (kind, owner) = catalog.zone_list[zone.index()];
    match catalog.zones[kind.index()].visible {
        Visible::Everyone => false,
        Visible::Owner => owner != Some(seat),
        _ => true,
    }
}

/// Redeals the cards that a seat cannot see, by swapping cards of the same type.
fn deal_hidden_anew(table: &mut Table, seat: SeatId, rng: &mut Rng) {
    let catalog = table.catalog.clone();
    let hidden: Vec<ZoneId> =
        (0..catalog.zone_list.len()).map(ZoneId::at).filter(|zone| is_hidden(&catalog, *zone, seat)).collect();
    let zones: Vec<Vec<CardId>> = hidden.iter().map(|zone| table.world.in_zone(*zone).collect()).collect();
    let mut by_type: BTreeMap<SymbolId, Vec<CardId>> = BTreeMap::new();
    for card in zones.iter().flatten() {
        by_type.entry(catalog.design_of(*card).card_type).or_default().push(*card);
    }
    by_type.values_mut().for_each(|cards| rng.shuffle(cards));
    for (zone, cards) in hidden.iter().zip(&zones) {
        for card in cards {
            let dealt = by_type.get_mut(&catalog.design_of(*card).card_type).and_then(Vec::pop).unwrap();
            table.put_card(dealt, *zone, false, false);
        }
    }
}

fn a_seat_sees_the_same_whatever_it_cannot_see(games: u64) {
    let mut rng = Rng::new(11);
    let mut dealt_otherwise = 0;
    at_every_decision(games, |pack, game, _, decision| {
        if decision % 7 != 0 {
            return;
        }
        let asked: Vec<SeatId> = game.pending().iter().map(|ask| ask.seat).collect();
        for seat in asked {
            // Both copies list their options again, one with other hidden cards.
            let (mut same, mut other) = (game.clone(), game.clone());
            same.edit(|_| Ok(())).unwrap();
            let redealt = other.edit(|table| {
                deal_hidden_anew(table, seat, &mut rng);
                Ok(())
            });
            redealt.unwrap_or_else(|error| panic!("{}, decision {decision}: {error}", pack.name));
            if same.digest() != other.digest() {
                dealt_otherwise += 1;
            }
            let (same, other) = (same.table().view(Some(seat)), other.table().view(Some(seat)));
            assert_eq!(same, other, "{}, decision {decision}: hidden cards affect what the seat sees", pack.name);
        }
    });
    assert!(dealt_otherwise > 0, "no hidden card was ever moved");
}

fn a_secret_choice_shows_nothing_before_all_have_chosen(games: u64) {
    let mut secret_choices = 0;
    at_every_decision(games, |pack, game, answer, decision| {
        if answer.aside || !matches!(game.table().world.flow().last(), Some(Frame::Simultaneous(_))) {
            return;
        }
        let options: Vec<DecisionOption> = game
            .pending()
            .into_iter()
            .filter(|ask| ask.seat == answer.seat)
            .flat_map(|ask| ask.options.clone())
            .collect();
        let [first, .., last] = options.as_slice() else { return };
        let others: Vec<SeatId> = game.table().world.seats().filter(|seat| *seat != answer.seat).collect();
        let (mut one, mut two) = (game.clone(), game.clone());
        one.answer(answer.seat, *first).unwrap();
        two.answer(answer.seat, *last).unwrap();
        let (ones, twos) = (one.take_events(), two.take_events());
        // The answer may end one secret choice and begin another.
        let phase = game.table().view(None).phase;
        let waits = |game: &Game<LuaHost>| {
            matches!(game.table().world.flow().last(), Some(Frame::Simultaneous(_)))
                && game.table().view(None).phase == phase
        };
        if !waits(&one) || !waits(&two) {
            return;
        }
        secret_choices += 1;
        for seat in others.into_iter().map(Some).chain([None]) {
            let seen = |events: &[Event]| -> Vec<_> {
                events.iter().filter_map(|event| event.seen_by(game.catalog(), seat)).collect()
            };
            let place = format!("{}, decision {decision}, seat {seat:?}", pack.name);
            assert_eq!(seen(&ones), seen(&twos), "{place}: the log differs");
            assert_eq!(one.table().view(seat), two.table().view(seat), "{place}: the view differs");
        }
    });
    assert!(secret_choices > 0, "no secret choice was ever made");
}

// The same everywhere ----------------------------------------------------------------------------------------------

/// The last digests of the first games of every pack.
fn digests(threads: usize) -> Vec<String> {
    let count = whole_games().len();
    let mut results: Vec<(usize, String)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    // A host belongs to one thread.
                    let packs = whole_games();
                    let mut results = Vec::new();
                    for job in (worker..count * 2).step_by(threads) {
                        let pack = &packs[job / 2];
                        let (_, digests) = play(pack, pack.host(), 100 + job as u64 % 2);
                        results.push((job, digests.last().cloned().unwrap_or_default()));
                    }
                    results
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    results.sort();
    results.into_iter().map(|(_, digest)| digest).collect()
}

const MARK: &str = "digests: ";
/// Set in the process that the test starts.
const CHILD: &str = "PRINCIPES_ANOTHER_PROCESS";

/// The test starts itself in another process, where it only plays.
#[test]
fn the_same_game_in_every_thread_and_process() {
    use std::io::Write as _;
    let here = digests(1);
    if std::env::var_os(CHILD).is_some() {
        writeln!(std::io::stdout(), "{MARK}{}", here.join(" ")).unwrap();
        return;
    }
    assert_eq!(here, digests(2), "threads change the game");
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "properties::the_same_game_in_every_thread_and_process", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&child.stdout);
    let line = output.lines().find_map(|line| Some(line.split_once(MARK)?.1)).unwrap_or_else(|| panic!("{output}"));
    assert_eq!(here.join(" "), line, "another process plays another game");
}
