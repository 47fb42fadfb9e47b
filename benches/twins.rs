//! The cost of data and scripts: packs, played through the public interface with all limits on, are compared with their
//! twins in plain Rust; and the platform is compared with a plain Luau loop around the same hooks. Both sides do the
//! same work, alternating in the same run. `cargo bench --bench twins -- movement` runs only the benches with that word
//! in their names.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/it/common/packs.rs"]
#[allow(dead_code, reason = "the rest serves tests/it")]
mod common;
#[path = "twins/mod.rs"]
#[allow(dead_code, reason = "the rest serves tests/it/twins.rs")]
mod twins;

use std::hint::black_box;
use std::time::Duration;

use common::{Pack, load, root};
use principes_core::*;
use principes_lab::measure::clock::timed;
use principes_scripting::LuaHost;
use principes_source::folder;

use crate::twins::arena::{Arena, Dice};
use crate::twins::connect_four;
use crate::twins::toy44;
use crate::twins::war::{Choice, SEATS, Stage, War};

const ROUNDS: u64 = 7;
const GAMES: u64 = 1_000;
const LONG_GAMES: u64 = 20;
const ARENAS: u64 = 20;
const MARCHES: usize = 40;
const DRAFTED: usize = 200;
const FIGHTS: usize = 200;

/// The work that was done, which must be the same on both sides: the number of decisions or battles, and a value that
/// depends on all of them.
type Done = (u64, u64);

fn pack(path: &str) -> Pack {
    Pack::of(load(&[folder(root().join(path))]))
}

/// Runs the pack and its twin alternately, and reports nanoseconds and their ratios.
fn contest(what: &str, mut ours: impl FnMut(u64) -> (Done, Duration), mut theirs: impl FnMut(u64) -> (Done, Duration)) {
    // As with other benches: a word after `--` picks those that have it in their names.
    if std::env::args().skip(1).any(|arg| !arg.starts_with("--") && !what.contains(&arg)) {
        return;
    }
    let mut rounds: Vec<(f64, f64, f64)> = (0..ROUNDS)
        .map(|round| {
            let (done, time) = ours(round);
            let (twin, twin_time) = theirs(round);
            assert_eq!(done, twin, "{what}: the two sides did different work");
            let each = |time: Duration| time.as_nanos() as f64 / done.0 as f64;
            (each(time) / each(twin_time), each(time), each(twin_time))
        })
        .collect();
    rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((least, ..), (median, ours, theirs), (most, ..)) =
        (rounds[0], rounds[rounds.len() / 2], rounds[rounds.len() - 1]);
    println!("{what:46} {ours:8.0} ns {theirs:8.1} ns {median:8.1} times ({least:.1} to {most:.1})");
}

/// Plays games of a pack from the first decision to the last, including the start; `of_game` returns how one ended.
fn played(pack: &Pack, numbers: std::ops::Range<u64>, of_game: impl Fn(&Game<LuaHost>) -> u64) -> (Done, Duration) {
    let mut done = (0, 0);
    let ((), time) = timed(|| {
        for number in numbers {
            let mut dice = Dice::new(number);
            let mut game = pack.game(pack.host(), number);
            game.record_events(false);
            while let Some((seat, choice)) = pick(&game, &mut dice) {
                game.answer(seat, choice).unwrap();
                done.0 += 1;
            }
            done.1 += of_game(&game);
        }
    });
    (done, time)
}

/// Connect four from the first disc to the last, starting a game included.
fn whole_games(pack: &Pack) {
    contest(
        "connect four, a decision",
        |round| {
            played(pack, round * GAMES..(round + 1) * GAMES, |game| {
                game.outcome().unwrap().winner.map_or(0, |seat| 1 + u64::from(seat.0))
            })
        },
        |round| {
            let (mut done, mut options) = ((0, 0), Vec::new());
            let ((), time) = timed(|| {
                for number in round * GAMES..(round + 1) * GAMES {
                    let mut dice = Dice::new(number);
                    let mut game = connect_four::Game::new();
                    while game.end.is_none() {
                        game.options(&mut options);
                        game.play(options[dice.below(options.len())]);
                        done.0 += 1;
                    }
                    if let Some(connect_four::End::Won(side)) = game.end {
                        done.1 += 1 + u64::from(side);
                    }
                }
            });
            (done, time)
        },
    );
}

/// toy44 from the first decision to the last, starting a game included.
fn hooks_in_a_loop(pack: &Pack) {
    let hooks = std::fs::read_to_string(root().join("benches/peers/toy44/scripts/hooks.lua")).unwrap();
    let twin = toy44::Loop::new(&hooks).unwrap();
    let gold = pack.catalog().counter("gold").unwrap();
    contest(
        "toy44, a decision",
        |round| {
            played(pack, round * LONG_GAMES..(round + 1) * LONG_GAMES, |game| {
                let coins = |seat: &SeatId| game.table().get(gold, Value::Faction(*seat)).unwrap() as u64;
                game.table().world.order().iter().map(coins).sum()
            })
        },
        |round| {
            let mut done = (0, 0);
            let ((), time) = timed(|| {
                for number in round * LONG_GAMES..(round + 1) * LONG_GAMES {
                    let ended = twin.play(&mut Dice::new(number)).unwrap();
                    done.0 += 1_000;
                    done.1 += ended.gold.iter().map(|coins| *coins as u64).sum::<u64>();
                }
            });
            (done, time)
        },
    );
}

fn pick(game: &Game<LuaHost>, dice: &mut Dice) -> Option<(SeatId, principes_core::DecisionOption)> {
    let pending = game.pending();
    let ask = pending.first()?;
    Some((ask.seat, ask.options[dice.below(ask.options.len())]))
}

/// The games of one round, with the arena's beginning left out of the time.
fn games(arena: &Arena, round: u64, crowd: bool) -> Vec<(Game<LuaHost>, War)> {
    let seeds = round * ARENAS..(round + 1) * ARENAS;
    let mut games: Vec<_> = seeds.map(|seed| arena.begin(seed, crowd)).collect();
    games.iter_mut().for_each(|(game, _)| game.record_events(false));
    games
}

/// Complete marches: drafts, consents, penalties, battles and withdrawals.
fn marches(arena: &Arena) {
    contest(
        "marches and their battles, a decision",
        |round| {
            let (mut all, mut done) = (games(arena, round, false), (0, 0));
            let ((), time) = timed(|| {
                for (at, (game, _)) in all.iter_mut().enumerate() {
                    let mut dice = Dice::new(at as u64);
                    for march in 0..MARCHES {
                        arena.march(game, march % SEATS);
                        while let Some((seat, choice)) = pick(game, &mut dice) {
                            game.answer(seat, choice).unwrap();
                            done.0 += 1;
                        }
                    }
                    done.1 += dice.below(1 << 30) as u64;
                }
            });
            (done, time)
        },
        |round| {
            let (mut all, mut done) = (games(arena, round, false), (0, 0));
            let ((), time) = timed(|| {
                for (at, (_, war)) in all.iter_mut().enumerate() {
                    let mut dice = Dice::new(at as u64);
                    for march in 0..MARCHES {
                        war.march((march % SEATS) as u8);
                        while war.stage != Stage::Idle {
                            war.answer(war.options[dice.below(war.options.len())]);
                            done.0 += 1;
                        }
                    }
                    done.1 += dice.below(1 << 30) as u64;
                }
            });
            (done, time)
        },
    );
}

/// A draft of many moves: the kernel's movement procedure without scripts. The last option ends it, or goes back.
fn drafts(arena: &Arena) {
    contest(
        "movement by the kernel alone, a decision",
        |round| {
            let (mut all, mut done) = (games(arena, round, false), (0, 0));
            all.iter_mut().for_each(|(game, _)| arena.march(game, 0));
            let ((), time) = timed(|| {
                for (at, (game, _)) in all.iter_mut().enumerate() {
                    let mut dice = Dice::new(at as u64);
                    for _ in 0..DRAFTED {
                        let pending = game.pending();
                        let Some(ask) = pending.first() else { break };
                        let (seat, options) = (ask.seat, ask.options.len());
                        let choice = ask.options[dice.below(options - 1)];
                        game.answer(seat, choice).unwrap();
                        done = (done.0 + 1, done.1 + options as u64);
                    }
                }
            });
            (done, time)
        },
        |round| {
            let (mut all, mut done) = (games(arena, round, false), (0, 0));
            all.iter_mut().for_each(|(_, war)| war.march(0));
            let ((), time) = timed(|| {
                for (at, (_, war)) in all.iter_mut().enumerate() {
                    let mut dice = Dice::new(at as u64);
                    for _ in 0..DRAFTED {
                        let options: &[Choice] = &war.options;
                        let Some(last) = options.len().checked_sub(1) else { break };
                        done = (done.0 + 1, done.1 + options.len() as u64);
                        war.answer(options[dice.below(last)]);
                    }
                }
            });
            (done, time)
        },
    );
}

/// Battles with only the kernel's steps: dice, count, winner. A script starts them one after another.
fn fights(arena: &Arena) {
    contest(
        "battle by the kernel alone, a battle",
        |round| {
            let (mut all, mut done) = (games(arena, round, true), (0, 0));
            let ((), time) = timed(|| {
                for (game, _) in &mut all {
                    arena.fights(game, FIGHTS);
                    done.0 += FIGHTS as u64;
                }
            });
            (done, time)
        },
        |round| {
            let (mut all, mut done) = (games(arena, round, true), (0, 0));
            let ((), time) = timed(|| {
                for (_, war) in &mut all {
                    for _ in 0..FIGHTS {
                        war.skirmish(arena.crowded(), 0, 1);
                        done.0 += 1;
                    }
                    black_box(&war.winner);
                }
            });
            (done, time)
        },
    );
}

fn main() {
    println!("{:46} {:>11} {:>11} {:>14}", "", "pack", "plain Rust", "quotient");
    whole_games(&pack("mods/classics/connect-four"));
    let base = pack("content/principes");
    let whole = Arena::new(&base, true);
    marches(&whole);
    drafts(&whole);
    fights(&Arena::new(&base, false));
    println!("\n{:46} {:>11} {:>11} {:>14}", "", "pack", "Luau loop", "quotient");
    hooks_in_a_loop(&pack("benches/peers/toy44"));
}
