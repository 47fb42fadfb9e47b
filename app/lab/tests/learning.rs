//! Trained players: they learn, the same way everywhere, and use only what their seat sees.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use principes_app::packs::OpenPacks;
use principes_app::save::Save;
use principes_app::setup::{Player, SetupRequest, derive_seed, set_up};
use principes_content::{LoadOptions, check};
use principes_core::bots::features::{OptionFeature, OptionScan, PositionFeatures};
use principes_core::bots::{
    self, ANY_OPTION, Bot, MctsBot, Model, Players, PolicyBot, RandomBot, ValueBot, look_ahead,
};
use principes_core::catalog::Trained;
use principes_core::rng::Rng;
use principes_core::*;
use principes_lab::learn::{Settings, file, learn};
use principes_scripting::LuaHost;
use principes_source::folder;

fn packs(path: &str) -> OpenPacks {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    OpenPacks::load(&[folder(root.join(path))], &LoadOptions::default()).unwrap().only_to_play()
}

fn trained(packs: &OpenPacks, games: u64, jobs: usize) -> Trained {
    continued(packs, None, games, jobs)
}

fn continued(packs: &OpenPacks, start: Option<&Trained>, games: u64, jobs: usize) -> Trained {
    let stop = AtomicBool::new(false);
    learn(&Settings { packs, start, games, seed: 5, jobs, stop: &stop, progress: &|_| {} }).unwrap().trained()
}

/// The packs with a trained player.
fn with(packs: OpenPacks, trained: Trained) -> OpenPacks {
    let mut catalog = Catalog::clone(&packs.catalog);
    catalog.set_trained(Some(Arc::new(trained)));
    OpenPacks { catalog: Arc::new(catalog), ..packs }
}

fn config(packs: &OpenPacks, seed: u64) -> GameConfig {
    let seats = (0..usize::from(packs.catalog.seats.1)).map(FactionId::at).collect();
    GameConfig { seats, seed, options: Vec::new() }
}

/// Plays a game to its end. `look` is called before every step.
fn play(
    packs: &OpenPacks,
    host: &LuaHost,
    seed: u64,
    bot: &dyn Fn(usize) -> Box<dyn Bot<LuaHost>>,
    look: &mut dyn FnMut(&Game<LuaHost>),
) -> Game<LuaHost> {
    let mut game = packs.start(host, config(packs, seed)).unwrap();
    let seats: Vec<SeatId> = game.table().world.seats().collect();
    let mut players: Players<LuaHost> = seats.into_iter().enumerate().map(|(at, seat)| (seat, bot(at))).collect();
    loop {
        look(&game);
        if !bots::step(&mut game, &mut players).unwrap() {
            return game;
        }
    }
}

/// A bot that uses the trained player of its packs.
fn learned(name: &str, packs: &OpenPacks, seed: u64) -> Box<dyn Bot<LuaHost>> {
    match name {
        "policy" => Box::new(PolicyBot::new(&packs.catalog)),
        "value" => Box::new(ValueBot::new(&packs.catalog, seed)),
        _ => Box::new(MctsBot::new(seed, 8, None)),
    }
}

#[test]
fn a_little_training_beats_chance() {
    let packs = packs("mods/classics/connect-four");
    let trained = trained(&packs, 1500, 2);
    let packs = with(packs, trained);
    let host = packs.host().unwrap();
    for (name, games) in [("policy", 100), ("value", 60), ("mcts", 60)] {
        let mut won = 0;
        for seed in 0..games {
            let place = seed as usize % 2;
            let bot = |at: usize| -> Box<dyn Bot<LuaHost>> {
                if at == place { learned(name, &packs, seed) } else { Box::new(RandomBot::new(derive_seed(seed, 1))) }
            };
            let game = play(&packs, &host, seed, &bot, &mut |_| {});
            won += u64::from(game.outcome().unwrap().winner == Some(FactionId::at(place)));
        }
        assert!(won * 10 > games * 7, "{name}: {won} of {games} games");
    }
}

/// Whatever a player has learned, it takes an option that wins at once.
#[test]
fn whoever_looks_ahead_sees_the_end() {
    let packs = packs("mods/classics/tic-tac-toe");
    let count = PositionFeatures::new(&packs.catalog).count();
    let packs = with(packs, Trained::new(vec![[5_000_000, -5_000_000]; count], Vec::new(), 3));
    let host = packs.host().unwrap();
    let model = Model::of(&packs.catalog).unwrap();
    let mut wins = 0;
    for seed in 0..20 {
        play(&packs, &host, seed, &|at| Box::new(RandomBot::new(seed + at as u64)), &mut |game| {
            let Some(decision) = game.pending().first().map(|decision| (*decision).clone()) else { return };
            let wins_at_once = |option: &DecisionOption| {
                let mut copy = game.clone();
                copy.answer(decision.seat, *option).unwrap();
                copy.outcome().is_some_and(|outcome| outcome.winner == Some(decision.seat))
            };
            if decision.options.len() < 2 || !decision.options.iter().any(wins_at_once) {
                return;
            }
            wins += 1;
            let looks = look_ahead(&model, game, &decision, ANY_OPTION, &mut Rng::new(seed));
            let best = looks.iter().max_by_key(|look| look.value).unwrap();
            assert!(wins_at_once(&best.option));
            for name in ["value", "mcts"] {
                assert!(wins_at_once(&learned(name, &packs, seed).choose(game, &decision)), "{name}");
            }
        });
    }
    assert!(wins > 5, "{wins}");
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let packs = packs("mods/classics/connect-four");
    let (one, three) = (trained(&packs, 200, 1), trained(&packs, 200, 3));
    assert!(one == three);
    assert!(!one.policy().is_empty() && one.value.iter().any(|ends| *ends != [0, 0]));
    let (two, four) = (continued(&packs, Some(&one), 96, 2), continued(&packs, Some(&one), 96, 4));
    assert!(two == four && two != one);
    assert!(continued(&packs, Some(&one), 0, 1) == one, "who takes no lesson stays the same");
}

/// A player that knows only what positions are worth learns from looking ahead how to get there.
#[test]
fn lessons_teach_the_policy() {
    let packs = packs("mods/classics/connect-four");
    let known = trained(&packs, 1500, 2);
    let start = Trained::new(known.value.clone(), Vec::new(), known.usual_end);
    let taught = continued(&packs, Some(&start), 600, 2);
    let packs = with(packs, taught);
    let host = packs.host().unwrap();
    let won = |seed: u64| {
        let place = seed as usize % 2;
        let bot = |at: usize| -> Box<dyn Bot<LuaHost>> {
            if at == place { learned("policy", &packs, seed) } else { Box::new(RandomBot::new(derive_seed(seed, 1))) }
        };
        let game = play(&packs, &host, seed, &bot, &mut |_| {});
        game.outcome().unwrap().winner == Some(FactionId::at(place))
    };
    let wins = (0..100).filter(|seed| won(*seed)).count();
    assert!(wins > 70, "{wins} of 100 games");
}

/// A file of a trained player says the same after it was read.
#[test]
fn a_player_survives_its_file() {
    let packs = packs("mods/classics/connect-four");
    let before = trained(&packs, 100, 1);
    let text = file::text(&packs.catalog, "player", &before, 100, 5);
    let place = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods/classics/connect-four");
    copy(&root, place.path());
    std::fs::create_dir_all(place.path().join("bots")).unwrap();
    std::fs::write(place.path().join(file::PATH), &text).unwrap();
    let checked = check(&[folder(place.path().to_owned())], &LoadOptions::default());
    assert_eq!(checked.findings, Vec::new());
    let after = checked.loaded.unwrap();
    let own = after.catalog.trained.clone().unwrap();
    assert!(*own == before);
    assert_eq!(after.fingerprint, packs.catalog.fingerprint, "a trained player changes no game");
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Every feature has a name from which it can be found again, and names are unique.
#[test]
fn features_are_known_by_their_names() {
    for path in ["content/principes", "mods/hex", "mods/duello"] {
        let packs = packs(path);
        let names = PositionFeatures::names(&packs.catalog);
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len(), "{path}");
        assert_eq!(names.len(), PositionFeatures::new(&packs.catalog).count(), "{path}");
        let (features, host) = (PositionFeatures::new(&packs.catalog), packs.host().unwrap());
        let mut seen = 0;
        play(&packs, &host, 3, &|at| Box::new(RandomBot::new(at as u64)), &mut |game| {
            for decision in game.pending() {
                let scan = OptionScan::new(&features, game.table(), decision, 4);
                for option in &decision.options {
                    scan.scan(option, &mut |feature| {
                        let name = feature.name(&packs.catalog);
                        assert_eq!(OptionFeature::parse(&name, &packs.catalog), Ok(feature), "{path}: {name}");
                        seen += 1;
                    });
                }
            }
        });
        assert!(seen > 1000, "{path}: {seen}");
    }
}

/// In a world that differs only in what its seat cannot see, a player sees the same.
#[test]
fn players_see_only_what_their_seat_sees() {
    for path in ["content/principes", "mods/hex", "mods/paladins-barbarians"] {
        let packs = packs(path);
        let host = packs.host().unwrap();
        let features = PositionFeatures::new(&packs.catalog);
        let value = (0..features.count() as i32).map(|at| [at * 7919 % 10_007, at * 104_729 % 10_009]).collect();
        let weights = Trained::new(value, Vec::new(), 3);
        let model = Model::new(&packs.catalog, Arc::new(weights));
        let (mut rng, mut pairs, mut turn) = (Rng::new(9), 0, 0);
        for seed in 0..2 {
            play(&packs, &host, seed, &|at| Box::new(RandomBot::new(at as u64)), &mut |game| {
                turn += 1;
                let Some(decision) = game.pending().first().map(|decision| (*decision).clone()) else { return };
                if turn % 7 != 0 {
                    return;
                }
                let Some(other) = game.imagine(decision.seat, &mut rng) else { return };
                let seat = decision.seat;
                assert_eq!(model.value(game.table(), seat), model.value(other.table(), seat), "{path}");
                let all = |game: &Game<LuaHost>| {
                    let scan = OptionScan::new(&features, game.table(), &decision, 3);
                    let mut all = Vec::new();
                    decision.options.iter().for_each(|option| scan.scan(option, &mut |feature| all.push(feature)));
                    all
                };
                assert_eq!(all(game), all(&other), "{path}");
                pairs += 1;
            });
        }
        assert!(pairs > 20, "{path}: {pairs}");
    }
}

/// A recorded game with a trained player cannot continue if the packs have none.
#[test]
fn a_save_names_a_player_that_is_missing() {
    let packs = packs("mods/classics/tic-tac-toe");
    let trained = trained(&packs, 32, 1);
    let packs = with(packs, trained);
    let table = set_up(&packs.catalog, &SetupRequest::all(Player::Policy, 1)).unwrap();
    let game = packs.start(&packs.host().unwrap(), table.config.clone()).unwrap();
    let save = Save::begin(&game, &packs, &table.players);
    assert!(save.setup(&packs.catalog).is_ok());
    let mut without = Catalog::clone(&packs.catalog);
    without.set_trained(None);
    let error = save.setup(&without).unwrap_err().to_string();
    assert!(error.contains("`policy` needs a trained player"), "{error}");
    assert!(set_up(&without, &SetupRequest::all(Player::Value, 1)).is_err());
}
