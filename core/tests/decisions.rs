//! Phases with a decision before their script.
#![allow(clippy::unwrap_used)]

mod common;

use std::rc::Rc;
use std::sync::Arc;

use common::*;
use principes_core::SpaceFilter;
use principes_core::catalog::{Catalog, Listener, Offer, PhaseBody, PhaseDecision, Rule, Visible};
use principes_core::rng::Rng;
use principes_core::*;

const END: HookId = HookId(1);
const LIST: HookId = HookId(2);

fn spaces(filter: SpaceFilter) -> Offer {
    Offer::Spaces { filter, own_home: false, own_control: false, beside: None }
}

/// A phase with a decision, then the end.
fn asking(body: PhaseBody, offer: Offer, always: bool) -> Arc<Catalog> {
    let mut turn = phase("turn", body);
    turn.decision = Some(PhaseDecision { decision: DecisionId(3), offer, always });
    catalog(vec![turn, phase("end", PhaseBody::Run(END))], vec![PhaseId(0), PhaseId(1)], 3, false)
}

/// Records what it receives: 10 for each value, plus the number or the index of the space.
fn note(table: &mut Table, args: &[Value]) {
    let Value::Faction(seat) = args[0] else { panic!("no seat") };
    let run = args[1..].iter().map(|value| match value {
        Value::Space(space) => 10 + i32::from(space.0),
        Value::Int(n) => 10 + n,
        Value::Symbol(_) => 10,
        _ => 0,
    });
    table.set(FAITH, run.sum(), Value::Faction(seat)).unwrap();
}

fn script(ops: Vec<Op>, list: fn(&Table, SeatId) -> Vec<DecisionOption>) -> Program {
    let mut program = program(vec![ops, vec![Op::Do(over)], Vec::new()]);
    program.asides = list;
    program
}

fn noted(game: &Game<Puppet>, seat: SeatId) -> i32 {
    game.table().get(FAITH, Value::Faction(seat)).unwrap()
}

fn room_for_notes(catalog: Arc<Catalog>, visible: Visible) -> Arc<Catalog> {
    let mut parts = Arc::unwrap_or_clone(catalog).into_parts();
    (parts.counters[1].max, parts.counters[1].visible) = (100, visible);
    Arc::new(parts.build().unwrap())
}

#[test]
fn a_seat_chooses_before_its_script_begins() {
    let own = Offer::Spaces { filter: SpaceFilter::default(), own_home: true, own_control: false, beside: None };
    let catalog = room_for_notes(asking(PhaseBody::Each(HookId(0)), own, false), Visible::Everyone);
    let mut game = game(&catalog, script(vec![Op::Do(note)], |_, _| Vec::new()), |_| ()).unwrap();
    assert_eq!(game.pending()[0].seat, RED);
    assert_eq!(keys(&game), ["a", "b"]);
    answer(&mut game, "b");
    assert_eq!(
        (noted(&game, RED), game.pending()[0].seat),
        (11, BLUE),
        "the script has run, and the next seat must decide"
    );
    assert_eq!(keys(&game), ["d", "e"]);
    answer(&mut game, "e");
    assert_eq!(noted(&game, BLUE), 14);
    assert!(game.outcome().is_some());
}

#[test]
fn the_filter_sees_who_controls_what() {
    let own = Offer::Spaces { filter: SpaceFilter::default(), own_home: false, own_control: true, beside: None };
    let catalog = asking(PhaseBody::Each(HookId(0)), own, false);
    let game = game(&catalog, script(Vec::new(), |_, _| Vec::new()), |table| {
        put(table, KNIGHT, Some(RED), 3);
    })
    .unwrap();
    assert_eq!(keys(&game), ["a", "b", "d"]);
}

#[test]
fn decisions_with_at_most_one_option_are_not_asked() {
    let run = |list, always| {
        let catalog = asking(PhaseBody::Each(HookId(0)), Offer::Script(LIST), always);
        let game = game(&room_for_notes(catalog, Visible::Everyone), script(vec![Op::Do(note)], list), |_| ()).unwrap();
        (game.outcome().is_some(), noted(&game, RED))
    };
    assert_eq!(run(|_, _| Vec::new(), false), (true, 0), "the script runs with the seat alone");
    assert_eq!(run(|_, _| Vec::new(), true), (true, 0));
    assert_eq!(run(|_, _| ints(&[7]), false), (true, 17));
    assert_eq!(run(|_, _| ints(&[7]), true), (false, 4), "the seat is asked; nothing has been recorded yet");
}

#[test]
fn a_script_receives_the_keyword_and_two_values() {
    let catalog = room_for_notes(asking(PhaseBody::Each(HookId(0)), Offer::Script(LIST), false), Visible::Everyone);
    let two = script(vec![Op::Do(note)], |table, _| {
        vec![DecisionOption::verb(table.catalog.words.undo, &[Value::Int(1), Value::Int(2)])]
    });
    let run = game(&catalog, two, |_| ()).unwrap();
    assert_eq!(noted(&run, RED), 33);
    let three = script(vec![Op::Do(note)], |table, _| {
        vec![DecisionOption::verb(table.catalog.words.undo, &[Value::Int(1), Value::Int(2), Value::Int(3)])]
    });
    let error = game(&catalog, three, |_| ()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("`undo 1 2 3` has too many values"), "{error}");
}

#[test]
fn a_failing_script_leaves_the_decision_open() {
    let catalog = asking(PhaseBody::Each(HookId(0)), spaces(SpaceFilter::default()), false);
    let failing = vec![Op::Do(|table, _| table.set(ROUND, 5, Value::Nil).map(|_| ()).unwrap()), Op::Fail];
    let mut game = game(&catalog, script(failing, |_, _| Vec::new()), |_| ()).unwrap();
    let (before, options) = (game.table().world.clone(), keys(&game));
    for _ in 0..2 {
        let choice = game.pending()[0].options[3];
        assert!(game.answer(RED, choice).unwrap_err().to_string().contains("planned failure"));
        assert_eq!(
            (game.table().world.clone(), game.record().len(), keys(&game)),
            (before.clone(), 0, options.clone())
        );
    }
}

#[test]
fn clones_and_snapshots_continue_from_a_decision_and_from_the_script_after_it() {
    let ops = || {
        vec![
            Op::Do(note),
            Op::Ask(None, |_| ints(&[1, 2])),
            Op::Took(|table, _| table.add(GOLD, 1, Value::Faction(RED)).map(|_| ()).unwrap()),
        ]
    };
    let catalog = asking(PhaseBody::Each(HookId(0)), spaces(SpaceFilter::default()), false);
    let catalog = room_for_notes(catalog, Visible::Everyone);
    let mut game = game(&catalog, script(ops(), |_, _| Vec::new()), |_| ()).unwrap();
    for key in ["c", "2", "d", "1"] {
        let puppet = Puppet(Rc::new(script(ops(), |_, _| Vec::new())));
        let (mut copy, mut restored) = (game.clone(), Game::restore(catalog.clone(), puppet, game.state()).unwrap());
        answer(&mut game, key);
        for other in [&mut copy, &mut restored] {
            answer(other, key);
            assert_eq!(other.digest(), game.digest(), "after {key}");
        }
    }
    assert!(game.outcome().is_some());
}

#[test]
fn options_are_listed_again_after_a_change() {
    let catalog =
        asking(PhaseBody::Each(HookId(0)), spaces(SpaceFilter { empty: true, ..SpaceFilter::default() }), false);
    let mut game = game(&catalog, script(Vec::new(), |_, _| Vec::new()), |_| ()).unwrap();
    assert_eq!(keys(&game), ["a", "b", "c", "d", "e"]);
    game.edit(|table| {
        put(table, KNIGHT, Some(BLUE), 2);
        Ok(())
    })
    .unwrap();
    assert_eq!(keys(&game), ["a", "b", "d", "e"]);
}

#[test]
fn equal_positions_have_equal_futures() {
    let catalog = asking(PhaseBody::Each(HookId(0)), spaces(SpaceFilter::default()), false);
    let after = |key| {
        let mut game = game(&catalog, script(Vec::new(), |_, _| Vec::new()), |_| ()).unwrap();
        answer(&mut game, key);
        game.future()
    };
    assert_eq!(after("a"), after("b"), "the script ignored it");
}

/// The values that red is imagined to have recorded, over some imagined games.
fn imagined(game: &Game<Puppet>, by: SeatId) -> Vec<i32> {
    let mut rng = Rng::new(1);
    let mut found: Vec<i32> = (0..40).map(|_| noted(&game.imagine(by, &mut rng).unwrap(), RED)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn secret_choices_are_made_again_in_imagined_games() {
    let catalog = asking(PhaseBody::Simultaneous(HookId(0)), Offer::Script(LIST), false);
    let catalog = room_for_notes(catalog, Visible::Owner);
    let ops = vec![Op::Do(note), Op::Ask(None, |_| ints(&[8, 9])), Op::Took(|_, _| ())];
    let mut game = game(&catalog, script(ops, |_, _| ints(&[1, 2, 3, 4])), |_| ()).unwrap();
    let asked: Vec<SeatId> = game.pending().iter().map(|ask| ask.seat).collect();
    assert_eq!(asked, [RED, BLUE]);
    // Red's script begins only after blue has answered.
    game.answer(RED, DecisionOption::value(Value::Int(3))).unwrap();
    assert_eq!(game.pending().iter().map(|ask| ask.seat).collect::<Vec<_>>(), [BLUE]);
    game = game.clone();
    game.answer(BLUE, DecisionOption::value(Value::Int(1))).unwrap();
    game.answer(RED, DecisionOption::value(Value::Int(8))).unwrap();
    assert_eq!((imagined(&game, BLUE), imagined(&game, RED)), (vec![11, 12, 13, 14], vec![13]));
    game = game.clone();
    game.answer(BLUE, DecisionOption::value(Value::Int(8))).unwrap();
    assert!(game.outcome().is_some());
}

#[test]
fn imagined_games_offer_options_that_fit_their_deal() {
    let mut catalog =
        Arc::unwrap_or_clone(asking(PhaseBody::Simultaneous(HookId(0)), Offer::Script(LIST), true)).into_parts();
    catalog.counters[1].visible = Visible::Owner;
    let point = catalog.kernel.bot_imagine;
    let listener = Listener { point, hook: HookId(2), priority: 0, stays: false };
    catalog.rules =
        vec![Rule { id: "deal".to_owned(), faction: None, params: Default::default(), listeners: vec![listener] }];
    let mut program = script(Vec::new(), |table, seat| {
        ints(&[if seat == RED { table.get(FAITH, Value::Faction(RED)).unwrap() } else { 1 }])
    });
    program.hooks[2] = vec![Op::Do(|table, _| table.set(FAITH, 9, Value::Faction(RED)).map(|_| ()).unwrap())];
    let game = game(&Arc::new(catalog.build().unwrap()), program, |_| ()).unwrap();
    assert_eq!(keys(&game), ["4"]);
    assert_eq!(keys(&game.imagine(BLUE, &mut Rng::new(1)).unwrap()), ["9"]);
}
