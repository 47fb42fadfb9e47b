//! Bots play to win: positions with exactly one right answer. All players are named and explained where one chooses.

use std::collections::HashSet;

use crate::common::program::{Place, text};
use crate::common::{self, Pack};
use principes_app::players::{Player, listed};
use principes_core::bots::{Bot, MctsBot, RandomBot};
use principes_core::rng::Rng;
use principes_core::*;
use principes_scripting::LuaHost;

fn tic_tac_toe() -> Pack {
    common::pack("mods/classics/tic-tac-toe")
}

/// The game after some marks, each the key of an option.
fn after(pack: &Pack, marks: &[&str]) -> Game<LuaHost> {
    let mut game = pack.game(pack.host(), 0);
    for mark in marks {
        let ask = game.pending()[0].clone();
        let choice = ask.options.iter().find(|option| option.key(game.catalog()) == *mark).copied();
        game.answer(ask.seat, choice.unwrap_or_else(|| panic!("`{mark}` is not an option"))).unwrap();
    }
    game
}

fn choice(game: &Game<LuaHost>, seed: u64) -> String {
    let ask = game.pending()[0].clone();
    MctsBot::new(seed, 96, None).choose(game, &ask).key(game.catalog())
}

#[test]
fn a_search_takes_the_win_and_closes_the_other_s_row() {
    let pack = tic_tac_toe();
    for seed in 0..4 {
        assert_eq!(choice(&after(&pack, &["a1", "b1", "a2", "b2"]), seed), "a3", "its own row comes first");
        assert_eq!(choice(&after(&pack, &["a1", "b2", "a2"]), seed), "a3", "else the other wins");
    }
}

#[test]
fn the_same_seed_makes_the_same_choice() {
    let pack = tic_tac_toe();
    let game = after(&pack, &["b2"]);
    for seed in 0..4 {
        assert_eq!(choice(&game, seed), choice(&game.clone(), seed));
    }
}

#[test]
fn dice_on_the_table_lie_in_every_imagined_world_and_others_fall_anew() {
    let pack = common::pack("mods/classics/dice-race");
    let mut game = pack.game(pack.host(), 3);
    let (mut random, mut rng) = (RandomBot::new(3), Rng::new(3));
    let (mut tries, mut futures) = (0, HashSet::new());
    while game.outcome().is_none() {
        let ask = game.pending()[0].clone();
        for _ in 0..4 {
            let mut world = game.imagine(ask.seat, &mut rng).expect("nothing is hidden but the future");
            assert_eq!(world.pending(), game.pending());
            while let Some(next) = world.pending().first().filter(|next| next.seat == ask.seat) {
                let (seat, option) = (next.seat, next.options[0]);
                world.answer(seat, option).unwrap();
            }
            tries += 1;
            futures.insert((game.record().len(), format!("{:?}", world.pending())));
        }
        let choice = random.choose(&game, &ask);
        game.answer(ask.seat, choice).unwrap();
    }
    assert!(2 * futures.len() > tries, "{} throws of {tries} were different ones", futures.len());
}

/// A help without the lines that explain players, which follow from their table.
pub fn without_players(help: &str) -> String {
    let explains = |line: &str| {
        let entry = line.trim_start().strip_prefix("- ").and_then(|entry| entry.split_once(": "));
        entry.is_some_and(|(name, text)| is_player(name, text))
    };
    help.lines().filter(|line| !explains(line)).map(|line| format!("{line}\n")).collect()
}

fn is_player(pattern: &str, chooses: &str) -> bool {
    Player::ALL.iter().any(|player| player.pattern() == pattern && player.kind().chooses == chooses.trim_start())
}

#[test]
fn every_player_is_explained_where_players_are_named() {
    let place = Place::new();
    for (command, people) in [("play", true), ("studio", true), ("sim", false), ("balance", false)] {
        let help = place.run(&[command, "--help"]);
        let short = place.run(&[command, "-h"]);
        let short = text(&short).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            short.contains(&listed(Player::ALL.iter().copied().filter(|player| people || player.is_bot()))),
            "{short}"
        );
        let explained = text(&help).lines().count() - without_players(&text(&help)).lines().count();
        assert_eq!(explained, Player::ALL.len() - usize::from(!people), "{command}");
    }
}
