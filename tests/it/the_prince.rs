//! Rules of The Prince that no single scenario can show: properties of whole games, and what a seat sees.

use std::collections::BTreeSet;

use crate::common::{self, Pack, next_answer};
use principes_core::bots::RandomBot;
use principes_core::*;
use principes_scripting::LuaHost;

const GAMES: u64 = 12;

fn the_prince() -> Pack {
    common::pack("mods/the-prince")
}

fn seats() -> [SeatId; 2] {
    [FactionId(0), FactionId(1)]
}

/// A game without variants.
fn game(pack: &Pack, seed: u64) -> Game<LuaHost> {
    let config = GameConfig { seats: seats().to_vec(), seed, options: Vec::new() };
    Game::new(pack.catalog().clone(), pack.host().clone(), config).unwrap()
}

/// Plays random games. Calls `look` before every answer, with the events since the last one.
fn at_every_decision(pack: &Pack, mut look: impl FnMut(&Game<LuaHost>, &[Event])) {
    for seed in 0..GAMES {
        let mut game = game(pack, seed);
        let mut bot = RandomBot::new(seed);
        loop {
            let events = game.take_events();
            look(&game, &events);
            let Some(answer) = next_answer(&mut game, &mut bot) else { break };
            game.answer(answer.seat, answer.option).unwrap();
        }
        assert!(game.outcome().is_some());
    }
}

fn number(game: &Game<LuaHost>, counter: &str) -> i32 {
    game.table().get(game.catalog().counter(counter).unwrap(), Value::Nil).unwrap()
}

fn is_exploring(game: &Game<LuaHost>) -> bool {
    number(game, "battle") == 0
}

/// The spaces of which a seat sees a counter.
fn sees(game: &Game<LuaHost>, seat: SeatId, counter: &str) -> BTreeSet<SpaceId> {
    let counter = game.catalog().counter(counter).unwrap();
    let view = game.table().view(Some(seat));
    let spaces = view.counters.iter().filter(|(seen, ..)| *seen == counter);
    spaces.filter_map(|(_, owner, _)| if let Value::Space(space) = owner { Some(*space) } else { None }).collect()
}

fn exposed(game: &Game<LuaHost>, seat: SeatId) -> BTreeSet<SpaceId> {
    let spaces = (0..game.catalog().spaces.len()).map(SpaceId::at);
    spaces.filter(|space| game.table().seen_by(*space) >> seat.0 & 1 == 1).collect()
}

#[test]
fn two_players_and_no_other_number() {
    // TP-GOA-04
    let pack = the_prince();
    let config = GameConfig { seats: vec![FactionId(0)], seed: 1, options: Vec::new() };
    assert!(Game::new(pack.catalog().clone(), pack.host().clone(), config).is_err());
    assert_eq!(pack.catalog().seats, (2, 2));
}

#[test]
fn nothing_is_asked_that_the_rules_do_not_know() {
    // TP-GOA-07: no other units, no research, trade or diplomacy. TP-BLD-08: no Castle is moved or given up.
    let pack = the_prince();
    let catalog = pack.catalog();
    let castle = catalog.kind("castle").unwrap();
    let mut asked = BTreeSet::new();
    let mut units = BTreeSet::new();
    at_every_decision(&pack, |game, events| {
        for ask in game.pending() {
            for option in &ask.options {
                let verb = option.verb.map_or("", |verb| catalog.symbols.name(verb.index()));
                asked.insert(format!("{} {verb}", catalog.decisions[ask.kind.index()].id).trim_end().to_owned());
            }
        }
        for event in events {
            if let Event::Piece { piece, from, to, .. } = event {
                let kind = catalog.pieces[piece.index()].kind;
                if from.is_some() && to.is_some() {
                    units.insert(catalog.kinds[kind.index()].id.clone());
                }
                let taken_off = kind == castle && from.is_some();
                assert!(
                    !taken_off || (to.is_none() && number(game, "battle") > 0),
                    "a Castle went away outside battle"
                );
            }
        }
    });
    let expected = [
        "explore.build build",
        "explore.build wait",
        "explore.move go",
        "explore.move stay",
        "hiding.guard",
        "hiding.prince",
        "landing.coast",
        "planning.castle plan",
        "planning.castle undo",
        "planning.order strike",
        "planning.order undo",
        "planning.split strength",
        "planning.target",
    ];
    assert_eq!(asked.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    // The Guard returns to its post in every battle; only the Prince moves.
    assert_eq!(units.iter().map(String::as_str).collect::<Vec<_>>(), ["guard", "prince"]);
}

#[test]
fn exploration_ends_by_turn_twenty_five_and_battles_by_the_twentieth() {
    // TP-GOA-03, TP-PHE-05, TP-BLD-06, TP-END-06, TP-END-04
    let pack = the_prince();
    let catalog = pack.catalog();
    let built = catalog.counter("castles-built").unwrap();
    at_every_decision(&pack, |game, events| {
        assert!(number(game, "turn") <= 25);
        assert!(number(game, "battle") <= 20);
        let both_built = seats().map(|seat| game.table().get(built, Value::Faction(seat)).unwrap()) == [5, 5];
        assert!(is_exploring(game) || both_built, "a battle before all Castles stand");
        for event in events {
            if let Event::Phase { phase, .. } = event {
                let explores = catalog.phases[phase.index()].id == "explorer-turn";
                assert!(!explores || is_exploring(game) || both_built);
            }
        }
    });
}

#[test]
fn the_fog_shows_each_seat_what_it_has_exposed_and_no_more() {
    // TP-LND-01, TP-LND-05, TP-EXP-06, TP-EXP-07, TP-EXP-11, TP-EXP-12, TP-PHE-04
    let pack = the_prince();
    let catalog = pack.catalog();
    let built = catalog.counter("castles-built").unwrap();
    let mut unseen_castles = 0;
    for seat in seats() {
        assert_eq!(sees(&game(&pack, 1), seat, "tile").len(), 0, "before the landing nothing is seen");
    }
    at_every_decision(&pack, |game, _| {
        for seat in seats() {
            let exposed = exposed(game, seat);
            assert_eq!(sees(game, seat, "tile"), exposed);
            assert!(is_exploring(game) || exposed.len() == 100);
            let view = game.table().view(Some(seat));
            for (piece, state) in game.table().world.pieces() {
                let own = state.owner() == Some(seat);
                let in_sight = state.space().is_none_or(|space| exposed.contains(&space));
                assert_eq!(view.pieces[piece.index()].is_some(), own || in_sight);
                unseen_castles += usize::from(!own && !in_sight);
            }
            for other in seats() {
                let count = game.table().get(built, Value::Faction(other)).unwrap();
                assert!(view.counters.contains(&(built, Value::Faction(other), Value::Int(count))));
            }
        }
    });
    assert!(unseen_castles > 0);
}

#[test]
fn strengths_are_public_and_plans_are_not() {
    // TP-CRS-03, TP-RES-06, TP-BON-04, TP-ATT-11
    let pack = the_prince();
    let catalog = pack.catalog();
    let castle = catalog.kind("castle").unwrap();
    at_every_decision(&pack, |game, _| {
        if is_exploring(game) {
            return;
        }
        for seat in seats() {
            for public in ["offense", "defense", "bonus"] {
                assert_eq!(sees(game, seat, public).len(), 100);
            }
            let pieces = game.table().world.pieces();
            let own: BTreeSet<SpaceId> = pieces
                .filter(|(id, piece)| catalog.pieces[id.index()].kind == castle && piece.owner() == Some(seat))
                .filter_map(|(_, piece)| piece.space())
                .collect();
            for secret in ["boost", "target", "rank"] {
                assert!(sees(game, seat, secret).is_subset(&own), "a seat sees its own plan only");
            }
        }
    });
}

/// What a seat notices: its view and events.
fn notice(game: &mut Game<LuaHost>, seat: SeatId) -> (View, Vec<SeenEvent>) {
    let events = game.take_events();
    let catalog = game.catalog().clone();
    let seen = events.iter().filter_map(|event| event.seen_by(&catalog, Some(seat))).collect();
    (game.table().view(Some(seat)), seen)
}

#[test]
fn the_enemy_never_learns_where_the_prince_is() {
    // TP-HID-03, TP-CRS-04, TP-GRD-03, TP-RSV-07: two games differ in one hiding place; until one of them ends, the
    // enemy notices nothing at all, through hiding, planning, the battle and the battles after it.
    let pack = the_prince();
    let hiding = pack.catalog().decision("hiding.prince").unwrap();
    let mut looks = 0;
    for seed in 0..GAMES {
        let mut left = game(&pack, seed);
        let mut bot = RandomBot::new(seed);
        while !left.pending().iter().any(|ask| ask.kind == hiding) {
            let answer = next_answer(&mut left, &mut bot).unwrap();
            left.answer(answer.seat, answer.option).unwrap();
        }
        let (hider, enemy) = (seats()[seed as usize % 2], seats()[1 - seed as usize % 2]);
        let mut right = left.clone();
        left.take_events();
        let options = left.pending().into_iter().find(|ask| ask.seat == hider).unwrap().options.clone();
        left.answer(hider, options[0]).unwrap();
        right.answer(hider, options[options.len() - 1]).unwrap();
        loop {
            if left.outcome().is_some() || right.outcome().is_some() {
                break;
            }
            assert_eq!(notice(&mut left, enemy), notice(&mut right, enemy), "seed {seed}");
            looks += 1;
            let answer = next_answer(&mut left, &mut bot).unwrap();
            left.answer(answer.seat, answer.option).unwrap();
            right.answer(answer.seat, answer.option).unwrap();
        }
    }
    assert!(looks > 100, "only {looks} looks");
}
