//! The twins in plain Rust under `benches/twins` play by the same rules as the packs. They are compared state by state
//! with the packs, which are played through the public interface.

#[path = "../../benches/twins/mod.rs"]
mod plain;

use crate::common::{self, Pack};
use principes_core::*;

use plain::arena::{Arena, Dice, State};
use plain::connect_four::{self, End};
use plain::toy44;
use plain::war::{SEATS, Stage};

fn pack(path: &str) -> Pack {
    common::pack(path)
}

#[test]
fn connect_four_is_the_same_game() {
    let pack = pack("mods/classics/connect-four");
    let (mut wins, mut options) = ([0; 2], Vec::new());
    for number in 0..40 {
        let mut game = pack.game(pack.host(), number);
        let mut twin = connect_four::Game::new();
        let mut dice = Dice::new(number);
        loop {
            twin.options(&mut options);
            let asked = game.pending().first().map(|ask| (*ask).clone());
            let offered: Vec<usize> = asked.iter().flat_map(|ask| &ask.options).map(cell).collect();
            assert_eq!(offered, options, "game {number}");
            for (at, disc) in twin.cells.iter().enumerate() {
                assert_eq!(game.table().world.controller(SpaceId::at(at)), disc.map(FactionId), "game {number}");
            }
            let ended = game.outcome().map(|outcome| outcome.winner.map_or(End::Full, |seat| End::Won(seat.0)));
            assert_eq!(ended, twin.end, "game {number}");
            let Some(ask) = asked else { break };
            assert_eq!(ask.seat, FactionId(twin.turn()));
            let pick = dice.below(options.len());
            game.answer(ask.seat, ask.options[pick]).unwrap();
            twin.play(options[pick]);
        }
        if let Some(End::Won(side)) = twin.end {
            wins[usize::from(side)] += 1;
        }
    }
    assert!(wins[0] > 10 && wins[1] > 10, "random games end in rows: {wins:?}");
}

fn cell(choice: &DecisionOption) -> usize {
    let [Value::Space(space)] = choice.args.as_slice() else { panic!("{choice:?} is not a cell") };
    space.index()
}

/// Gold, places and holders after whole games of a thousand decisions.
#[test]
fn toy44_is_the_same_game() {
    let pack = pack("benches/peers/toy44");
    let hooks = std::fs::read_to_string(common::root().join("benches/peers/toy44/scripts/hooks.lua")).unwrap();
    let twin = toy44::Loop::new(&hooks).unwrap();
    let catalog = pack.catalog();
    let [gold, place, holder] = ["gold", "place", "holder"].map(|id| catalog.counter(id).unwrap());
    let value = |game: &Game<_>, counter, owner| game.table().value(counter, owner).unwrap();
    for number in 0..5 {
        let ended = twin.play(&mut Dice::new(number)).unwrap();
        let (mut game, mut dice) = (pack.game(pack.host(), number), Dice::new(number));
        while let Some(ask) = game.pending().first().map(|ask| (*ask).clone()) {
            game.answer(ask.seat, ask.options[dice.below(ask.options.len())]).unwrap();
        }
        for (court, (coins, land)) in ended.gold.iter().zip(ended.place).enumerate() {
            let seat = Value::Faction(FactionId::at(court));
            assert_eq!(value(&game, gold, seat), Value::Int(*coins), "game {number}, court {court}");
            assert_eq!(value(&game, place, seat), Value::Space(SpaceId::at(land)), "game {number}, court {court}");
        }
        for (land, court) in ended.holder.iter().enumerate() {
            let held = court.map_or(Value::Nil, |court| Value::Faction(FactionId::at(court)));
            assert_eq!(value(&game, holder, Value::Space(SpaceId::at(land))), held, "game {number}, land {land}");
        }
        assert!(ended.gold.iter().all(|coins| *coins > 10), "{:?}", ended.gold);
    }
}

/// Marches with drafts, consents, penalties, battles, rolls and withdrawals.
#[test]
fn movement_and_battle_are_the_same() {
    let pack = pack("content/principes");
    let arena = Arena::new(&pack, true);
    let lands = pack.catalog().spaces.len();
    let mut asked = [0; 7];
    for seed in 0..30 {
        let (mut game, mut twin) = arena.begin(seed, false);
        let mut dice = Dice::new(seed);
        for march in 0..40 {
            let seat = march % SEATS;
            arena.march(&mut game, seat);
            twin.march(seat as u8);
            loop {
                let context = format!("seed {seed}, march {march}, {:?}", twin.stage);
                assert_eq!(State::of(&twin, lands), arena.state(&game), "{context}");
                let pending = game.pending();
                if twin.stage == Stage::Idle {
                    assert!(pending.is_empty() && game.is_idle(), "{context}: {pending:?}");
                    break;
                }
                let ask = pending[0].clone();
                assert_eq!(ask.seat, FactionId(twin.asked), "{context}");
                let offered: Vec<String> = ask.options.iter().map(|choice| choice.key(game.catalog())).collect();
                let known: Vec<String> = twin.options.iter().map(|choice| arena.key(*choice)).collect();
                assert_eq!(offered, known, "{context}");
                asked[match twin.stage {
                    Stage::Pick | Stage::Idle => 0,
                    Stage::To(_) => 1,
                    Stage::Consent { .. } => 2,
                    Stage::Penalty => 3,
                    Stage::Field => 4,
                    Stage::Reroll(_) => 5,
                    Stage::Withdraw(_) => 6,
                }] += 1;
                let pick = dice.below(ask.options.len());
                game.answer(ask.seat, ask.options[pick]).unwrap();
                twin.answer(twin.options[pick]);
            }
        }
    }
    assert!(asked.iter().all(|count| *count > 10), "every kind of decision comes up: {asked:?}");
}

/// The kernel's own steps of a battle: dice, count, winner.
#[test]
fn battles_without_scripts_are_the_same() {
    let pack = pack("content/principes");
    let arena = Arena::new(&pack, false);
    let mut won = [0; 2];
    for seed in 0..30 {
        let (mut game, mut twin) = arena.begin(seed, true);
        game.take_events();
        arena.fights(&mut game, 5);
        let (mut counted, mut resolved) = (Vec::new(), Vec::new());
        for event in game.take_events() {
            match event {
                Event::Count { attacker, defender, .. } => counted.push((attacker, defender)),
                Event::BattleWon { winner, .. } => resolved.push(winner),
                _ => {}
            }
        }
        assert_eq!((counted.len(), resolved.len()), (5, 5), "seed {seed}");
        for (counted, resolved) in counted.into_iter().zip(resolved) {
            twin.skirmish(arena.crowded(), 0, 1);
            let [attacker, defender] = &twin.sides;
            let totals = ((attacker.strength, attacker.shields), (defender.strength, defender.shields));
            assert_eq!(counted, totals, "seed {seed}");
            assert_eq!(resolved, FactionId(twin.sides[twin.winner].seat), "seed {seed}");
            won[twin.winner] += 1;
        }
    }
    assert!(won.iter().all(|count| *count > 10), "{won:?}");
}
