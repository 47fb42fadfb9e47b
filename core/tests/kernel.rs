//! Tests the kernel with a tiny game whose scripts are lists: flow, suspension, movement, battle, control.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use principes_core::MoveOrder;
use principes_core::catalog::{FactionSet, PhaseBody, Times};
use principes_core::scripts::Reply;
use principes_core::*;
use principes_core::{FightOrder, SideId};

fn once() -> (Vec<principes_core::catalog::Phase>, Vec<PhaseId>) {
    (
        vec![phase("main", PhaseBody::Run(HookId(0))), phase("end", PhaseBody::Run(HookId(1)))],
        vec![PhaseId(0), PhaseId(1)],
    )
}

/// A game of one script, then the end.
fn one_script(ops: Vec<Op>, prepare: impl FnOnce(&mut Table)) -> Game<Puppet> {
    let (phases, flow) = once();
    let catalog = catalog(phases, flow, 2, false);
    game(&catalog, program(vec![ops, vec![Op::Do(over)]]), prepare).unwrap()
}

fn gold(game: &Game<Puppet>, seat: SeatId) -> i32 {
    game.table().get(GOLD, Value::Faction(seat)).unwrap()
}

fn add_reply(table: &mut Table, reply: &Reply) {
    if let Reply::Answer(Some(choice)) = reply
        && let Some(Value::Int(n)) = choice.args.first()
    {
        table.add(GOLD, *n, Value::Faction(RED)).unwrap();
    }
}

#[test]
fn rounds_and_turns_follow_the_phases() {
    let phases = vec![
        phase(
            "rounds",
            PhaseBody::Repeat { times: Times::Fixed(2), counter: Some(ROUND), phases: vec![PhaseId(1), PhaseId(2)] },
        ),
        phase("turn", PhaseBody::Each(HookId(0))),
        phase("all", PhaseBody::Simultaneous(HookId(1))),
        phase("end", PhaseBody::Run(HookId(2))),
    ];
    let catalog = catalog(phases, vec![PhaseId(0), PhaseId(3)], 3, false);
    let ask = || vec![Op::Ask(None, |_| ints(&[0, 1])), Op::Took(|_, _| ())];
    let mut game = game(&catalog, program(vec![ask(), ask(), vec![Op::Do(over)]]), |_| ()).unwrap();
    let mut seen = Vec::new();
    while game.outcome().is_none() {
        let who: Vec<u8> = game.pending().iter().map(|decision| decision.seat.0).collect();
        seen.push((game.table().get(ROUND, Value::Nil).unwrap(), who));
        // The last listed seat answers first: the order of simultaneous answers is free.
        let (seat, choice) = game.pending().last().map(|decision| (decision.seat, decision.options[1])).unwrap();
        game.answer(seat, choice).unwrap();
        // A clone can be rebuilt at each decision.
        game = game.clone();
    }
    let round = |n| vec![(n, vec![0]), (n, vec![1]), (n, vec![0, 1]), (n, vec![0])];
    assert_eq!(seen, [round(1), round(2)].concat());
}

#[test]
fn an_illegal_answer_changes_nothing() {
    let mut game = one_script(vec![Op::Ask(Some(RED), |_| ints(&[1, 2])), Op::Took(add_reply)], |_| ());
    let before = game.table().world.clone();
    assert_eq!(game.answer(RED, DecisionOption::value(Value::Int(3))), Err(AnswerError::NotOffered));
    assert_eq!(game.answer(BLUE, DecisionOption::value(Value::Int(1))), Err(AnswerError::NotOffered));
    assert_eq!(game.table().world, before);
    answer(&mut game, "2");
    assert_eq!(game.answer(RED, DecisionOption::value(Value::Int(1))), Err(AnswerError::Over));
}

#[test]
fn a_failing_script_leaves_the_game_as_it_was_and_playable() {
    let two = || Op::Ask(Some(RED), |_: &Table| ints(&[1, 2]));
    let mut game = one_script(
        vec![
            two(),
            Op::Took(add_reply),
            two(),
            Op::Took(|table, reply| {
                add_reply(table, reply);
            }),
            Op::Ask(Some(RED), |_| ints(&[7, 8])),
            Op::Fail,
        ],
        |_| (),
    );
    answer(&mut game, "2");
    answer(&mut game, "1");
    let before = (game.table().world.clone(), game.record().len());
    game.take_events();
    let error = game.answer(RED, DecisionOption::value(Value::Int(7))).unwrap_err();
    assert!(error.to_string().contains("planned failure"));
    assert_eq!((game.table().world.clone(), game.record().len()), before);
    assert!(game.take_events().is_empty(), "a failed answer leaves no events");
    assert_eq!(keys(&game), ["7", "8"]);
    assert_eq!(gold(&game, RED), 4);
}

#[test]
fn clones_and_restored_games_continue_in_the_middle_of_a_script() {
    let two = || Op::Ask(Some(RED), |_: &Table| ints(&[1, 2]));
    let mut game = one_script(vec![two(), Op::Took(add_reply), two(), Op::Took(add_reply), two()], |_| ());
    answer(&mut game, "1");
    let mut copy = game.clone();
    let mut restored = Game::restore(
        game.catalog().clone(),
        Puppet(std::rc::Rc::new(program(vec![
            vec![two(), Op::Took(add_reply), two(), Op::Took(add_reply), two()],
            vec![Op::Do(over)],
        ]))),
        game.state(),
    )
    .unwrap();
    answer(&mut game, "2");
    for other in [&mut copy, &mut restored] {
        answer(other, "2");
        assert_eq!(other.digest(), game.digest());
    }
    answer(&mut copy, "1");
    assert!(copy.outcome().is_some());
    assert!(game.outcome().is_none(), "a copy does not touch the original");
}

#[test]
fn a_script_that_depends_on_outside_state_is_detected() {
    thread_local!(static CALLS: std::cell::Cell<i32> = const { std::cell::Cell::new(0) });
    let ops = vec![
        Op::Do(|table, _| {
            CALLS.set(CALLS.get() + 1);
            table.set(ROUND, CALLS.get(), Value::Nil).unwrap();
        }),
        Op::Ask(Some(RED), |_| ints(&[1, 2])),
    ];
    let mut copy = one_script(ops, |_| ()).clone();
    let error = copy.answer(RED, DecisionOption::value(Value::Int(1))).unwrap_err();
    assert!(error.to_string().contains("reached another state"), "{error}");
}

#[test]
fn options_are_listed_again_after_an_aside() {
    let (phases, flow) = (
        vec![phase("main", PhaseBody::Run(HookId(2))), phase("end", PhaseBody::Run(HookId(3)))],
        vec![PhaseId(0), PhaseId(1)],
    );
    let catalog = catalog(phases, flow, 4, true);
    let mut script = program(vec![
        vec![],
        // The aside: blue gives red a coin.
        vec![Op::Do(|table, _| {
            table.transfer(GOLD, 1, Value::Faction(BLUE), Value::Faction(RED)).unwrap();
        })],
        // What red may pay depends on its gold.
        vec![
            Op::Ask(Some(RED), |table| ints(&(0..=table.get(GOLD, Value::Faction(RED)).unwrap()).collect::<Vec<_>>())),
            Op::Took(|table, reply| {
                if let Reply::Answer(Some(choice)) = reply
                    && let Some(Value::Int(n)) = choice.args.first()
                {
                    table.add(GOLD, -n, Value::Faction(RED)).unwrap();
                }
            }),
        ],
        vec![Op::Do(over)],
    ]);
    script.asides = |table, seat| {
        if seat == BLUE && table.get(GOLD, Value::Faction(BLUE)).unwrap() > 0 { ints(&[1]) } else { Vec::new() }
    };
    let mut game = game(&catalog, script, |_| ()).unwrap();
    assert_eq!(keys(&game), ["0", "1"]);
    assert!(game.asides(RED).unwrap().is_empty());
    let gift = game.asides(BLUE).unwrap()[0];
    game.play_aside(BLUE, gift).unwrap();
    assert_eq!(keys(&game), ["0", "1", "2"]);
    assert_eq!(game.play_aside(BLUE, gift), Err(AnswerError::NotOffered), "the coin is gone");
    answer(&mut game, "2");
    assert_eq!((gold(&game, RED), gold(&game, BLUE)), (0, 0));
}

#[test]
fn a_single_option_is_taken_without_asking() {
    let game = one_script(vec![Op::Ask(Some(RED), |_| ints(&[3])), Op::Took(add_reply)], |_| ());
    assert!(game.outcome().is_some());
    assert_eq!((gold(&game, RED), game.record().len()), (4, 0));
}

#[test]
fn counters_that_are_far_apart_are_transferred() {
    one_script(
        vec![Op::Do(|table, _| {
            let mut parts = Catalog::clone(&table.catalog).into_parts();
            let gold = &mut parts.counters[GOLD.index()];
            (gold.min, gold.max, gold.supply) = (-2_000_000_000, 2_000_000_000, None);
            table.catalog = std::sync::Arc::new(parts.build().unwrap());
            table.set(GOLD, -2_000_000_000, Value::Faction(BLUE)).unwrap();
            assert_eq!(table.transfer(GOLD, 3, Value::Faction(RED), Value::Faction(BLUE)).unwrap(), 3);
            assert_eq!(table.get(GOLD, Value::Faction(BLUE)).unwrap(), -1_999_999_997);
        })],
        |_| (),
    );
}

#[test]
fn gold_is_limited_by_its_supply() {
    let game = one_script(
        vec![Op::Do(|table, _| {
            assert_eq!(table.bank(GOLD).unwrap(), 4);
            assert_eq!(table.add(GOLD, 9, Value::Faction(RED)).unwrap(), 4);
            assert_eq!(table.add(GOLD, 1, Value::Faction(BLUE)).unwrap(), 0);
            assert_eq!(table.transfer(GOLD, 9, Value::Faction(RED), Value::Faction(BLUE)).unwrap(), 5);
            assert!(table.set(GOLD, 7, Value::Faction(RED)).is_err());
            assert!(table.add(MIGHT, 1, Value::Faction(RED)).is_err(), "a derived counter is not written");
            assert!(table.get(GOLD, Value::Nil).is_err(), "gold needs an owner");
        })],
        |_| (),
    );
    assert_eq!((gold(&game, RED), gold(&game, BLUE)), (0, 6));
}

fn space(at: u16) -> SpaceId {
    SpaceId(at)
}

#[test]
fn control_follows_pieces_borders_and_tokens() {
    one_script(
        vec![Op::Do(|table, _| {
            let who = |table: &Table| (0..5).map(|s| table.world.controller(space(s))).collect::<Vec<_>>();
            let (r, b) = (Some(RED), Some(BLUE));
            assert_eq!(who(table), [r, r, None, b, b]);
            put(table, ABBEY, None, 3);
            assert_eq!(table.get(FAITH, Value::Faction(BLUE)).unwrap(), 5);
            let knight = put(table, KNIGHT, r, 3);
            assert_eq!(who(table), [r, r, None, r, b]);
            assert_eq!(table.gained(space(3), FAITH), 1);
            assert_eq!(
                [RED, BLUE].map(|f| table.get(FAITH, Value::Faction(f)).unwrap()),
                [5, 4],
                "the abbey's point goes with the land"
            );
            assert_eq!(table.get(MIGHT, Value::Faction(RED)).unwrap(), 3);
            put(table, KNIGHT, b, 3);
            assert_eq!(who(table)[3], r, "a land that waits for a battle stays with its controller");
            table.move_piece(knight, Some(space(2)));
            assert_eq!(who(table), [r, r, r, b, b]);
            put(table, FOOT, Some(WILD), 4);
            assert_eq!(who(table)[4], None, "units nobody leads hold land for nobody");
            put(table, SPLIT, None, 0);
            assert_eq!(who(table)[0], None, "a blocking token ends control without units");
            put(table, FOOT, r, 0);
            assert_eq!(who(table)[0], r);
            table.eliminate(RED);
            assert_eq!(who(table), [None, None, None, b, None]);
        })],
        |_| (),
    );
}

#[test]
fn control_follows_a_piece_that_changes_its_owner() {
    let game = one_script(
        vec![Op::Do(|table, _| {
            put(table, ABBEY, None, 3);
            let knight = put(table, KNIGHT, Some(RED), 3);
            table.events.clear();
            table.give_piece(knight, Some(RED));
            assert_eq!(table.events, [], "giving a piece to its owner changes nothing");
            table.give_piece(knight, Some(BLUE));
            let given = Event::Given {
                piece: knight,
                from: Some(RED),
                to: Some(BLUE),
                space: Some(space(3)),
                seen: FactionSet::MAX,
            };
            assert_eq!(table.events[0], given);
            assert_eq!(table.world.controller(space(3)), Some(BLUE));
            assert_eq!([RED, BLUE].map(|f| table.get(FAITH, Value::Faction(f)).unwrap()), [4, 5]);
            let pooled = table.world.pooled(&table.catalog, KNIGHT, Some(RED)).unwrap();
            table.give_piece(pooled, Some(BLUE));
            assert_eq!(table.world.piece(pooled).owner(), Some(BLUE), "also in the pool");
        })],
        |_| (),
    );
    assert_eq!(game.table().world.occupants(game.catalog(), space(3)).collect::<Vec<_>>(), [BLUE]);
}

#[test]
fn points_beyond_the_bounds_are_lost_and_remembered() {
    one_script(
        vec![Op::Do(|table, _| {
            table.set(FAITH, 10, Value::Faction(RED)).unwrap();
            put(table, ABBEY, None, 3);
            put(table, KNIGHT, Some(RED), 3);
            assert_eq!(table.gained(space(3), FAITH), 0);
            assert_eq!(table.get(FAITH, Value::Faction(RED)).unwrap(), 10);
        })],
        |_| (),
    );
}

fn march(_: &Table, _: &[Value]) -> MoveOrder {
    MoveOrder::new(RED, (0..4).map(PieceId).collect())
}

fn ended(table: &mut Table, reply: &Reply) {
    let Reply::Moved(result) = reply else { panic!("no movement") };
    table.set(ROUND, result.ended.len() as i32, Value::Nil).unwrap();
}

#[test]
fn a_movement_is_a_draft_until_it_is_done() {
    let mut game = one_script(vec![Op::Move(march), Op::Took(ended)], |table| {
        put(table, KNIGHT, Some(RED), 0);
        put(table, FOOT, Some(RED), 0);
    });
    assert_eq!(keys(&game), ["move knight a", "move foot a", "done"]);
    answer(&mut game, "move foot a");
    assert_eq!(keys(&game), ["to b", "to c", "back"], "foot goes two spaces");
    answer(&mut game, "back");
    answer(&mut game, "move knight a");
    assert_eq!(keys(&game), ["to b", "to c", "to d", "back"], "a knight three");
    answer(&mut game, "to d");
    assert_eq!(keys(&game), ["move foot a", "undo", "done"]);
    let knight = game.table().world.piece(PieceId(0));
    assert_eq!(knight.space(), Some(space(0)), "nothing stands elsewhere before the commit");
    answer(&mut game, "undo");
    answer(&mut game, "move knight a");
    answer(&mut game, "to c");
    answer(&mut game, "done");
    assert_eq!(game.table().world.controller(space(2)), Some(RED));
    assert_eq!(game.table().get(ROUND, Value::Nil).unwrap(), 1);
}

#[test]
fn foreign_units_stop_movement_unless_their_seat_consents() {
    let start = |table: &mut Table| {
        put(table, KNIGHT, Some(RED), 0);
        put(table, FOOT, Some(BLUE), 1);
    };
    let mut game = one_script(vec![Op::Move(march), Op::Took(ended)], start);
    answer(&mut game, "move knight a");
    assert_eq!(keys(&game), ["to b", "to c", "to d", "back"]);
    answer(&mut game, "to d");
    assert_eq!(game.pending()[0].seat, BLUE, "blue is asked for consent");
    answer(&mut game, "no");
    answer(&mut game, "move knight a");
    assert_eq!(keys(&game), ["to b", "back"], "refused: the way ends on the land");
    answer(&mut game, "back");
    answer(&mut game, "done");

    let mut game = one_script(vec![Op::Move(march), Op::Took(ended)], start);
    answer(&mut game, "move knight a");
    answer(&mut game, "to c");
    answer(&mut game, "yes");
    assert_eq!(keys(&game), ["undo", "done"]);
    // Blue withdraws: the knight is back and may be moved again.
    let withdraw = game.asides(BLUE).unwrap()[0];
    assert_eq!(withdraw.key(game.catalog()), "withdraw-consent");
    game.play_aside(BLUE, withdraw).unwrap();
    assert_eq!(keys(&game), ["move knight a", "done"]);
    answer(&mut game, "move knight a");
    assert_eq!(keys(&game), ["to b", "back"]);
}

#[test]
fn a_piece_that_has_left_the_board_cannot_move() {
    let mut game = one_script(vec![Op::Move(march), Op::Took(ended)], |table| {
        put(table, KNIGHT, Some(RED), 0);
        put(table, FOOT, Some(BLUE), 1);
    });
    answer(&mut game, "move knight a");
    answer(&mut game, "to d");
    // While blue considers the request, the knight is removed from the board.
    let remove = |table: &mut Table| {
        let knight = table.world.on_space(space(0)).next().unwrap();
        table.move_piece(knight, None);
        Ok(())
    };
    game.edit(remove).unwrap();
    answer(&mut game, "yes");
    assert!(game.pending().is_empty(), "nothing can be moved: {:?}", game.pending());
}

#[test]
fn units_of_unled_factions_never_let_pieces_pass() {
    let mut game = one_script(vec![Op::Move(march), Op::Took(ended)], |table| {
        put(table, KNIGHT, Some(RED), 0);
        put(table, FOOT, Some(WILD), 1);
    });
    answer(&mut game, "move knight a");
    assert_eq!(keys(&game), ["to b", "back"]);
}

#[test]
fn limits_and_forbidden_spaces_restrict_the_mover() {
    let order = |_: &Table, _: &[Value]| MoveOrder {
        mover: BLUE,
        pieces: (8..12).map(PieceId).collect(),
        limits: vec![(KNIGHT, 1)],
        forbid: vec![space(3), space(4)],
        source: Value::Nil,
    };
    let mut game = one_script(vec![Op::Move(order), Op::Took(ended)], |table| {
        put(table, KNIGHT, Some(WILD), 2);
        put(table, KNIGHT, Some(WILD), 2);
        put(table, FOOT, Some(BLUE), 1);
    });
    assert_eq!(keys(&game), ["move knight c", "done"]);
    answer(&mut game, "move knight c");
    assert_eq!(keys(&game), ["to a", "to b", "back"], "the mover's own units let the knight pass to a");
    answer(&mut game, "to a");
    assert_eq!(keys(&game), ["undo", "done"], "one knight is the limit");
}

#[test]
fn query_hooks_change_points_and_guards() {
    let (phases, flow) = once();
    let catalog = catalog(phases, flow, 2, false);
    let mut script = program(vec![vec![Op::Move(march), Op::Took(ended)], vec![Op::Do(over)]]);
    script.queries.insert(catalog.kernel.movement_points, |_, _, _| 1);
    let mut game = game(&catalog, script, |table| {
        put(table, KNIGHT, Some(RED), 0);
    })
    .unwrap();
    answer(&mut game, "move knight a");
    assert_eq!(keys(&game), ["to b", "back"]);
}

fn battle(attack: &[KindId], defend: &[KindId], faces: [u32; 2]) -> (Vec<String>, Game<Puppet>) {
    let fight = FightOrder { space: SpaceId(3), attacker: RED, defender: BLUE, mover: None };
    let mut game = one_script(
        vec![
            Op::Fight(fight),
            Op::Took(|table, reply| {
                let Reply::Fought(side) = reply else { panic!("no battle") };
                let n = if *side == table.catalog.words.attacker { 1 } else { 2 };
                table.set(ROUND, n, Value::Nil).unwrap();
            }),
        ],
        |table| {
            for (kinds, owner) in [(attack, RED), (defend, BLUE)] {
                for kind in kinds {
                    put(table, *kind, Some(owner), 3);
                }
            }
            table.script_dice(&faces);
        },
    );
    let log = game.take_events().into_iter().filter_map(|event| match event {
        Event::Count { attacker, defender, .. } => Some(format!("{attacker:?} {defender:?}")),
        Event::BattleWon { winner, .. } => Some(format!("won by {}", winner.0)),
        _ => None,
    });
    (log.collect(), game)
}

#[test]
fn battles_are_counted_and_resolved() {
    // Faces: 0 a sword, 1 a shield, 2 nothing. The land wards off 1.
    let (log, game) = battle(&[KNIGHT, FOOT, FOOT], &[KNIGHT, FOOT], [0, 1]);
    assert_eq!(log, ["(5, 0) (3, 2)", "won by 0"], "3 damage fells all; 3 fells both foot and wounds the knight");
    assert_eq!(game.table().get(ROUND, Value::Nil).unwrap(), 1);
    let (log, _) = battle(&[KNIGHT, FOOT, FOOT], &[KNIGHT, KNIGHT], [0, 1]);
    assert_eq!(log, ["(5, 0) (4, 2)", "won by 1"], "one of two felled against all three");
    let (log, _) = battle(&[KNIGHT, KNIGHT], &[FOOT], [2, 2]);
    assert_eq!(log, ["(4, 0) (1, 1)", "won by 0"], "all felled");
    let (log, _) = battle(&[FOOT], &[KNIGHT], [2, 2]);
    assert_eq!(log.last().unwrap(), "won by 1");
    let (log, _) = battle(&[KNIGHT], &[KNIGHT], [2, 2]);
    assert_eq!(log, ["(2, 0) (2, 1)", "won by 1"]);
    let (log, _) = battle(&[KNIGHT], &[KNIGHT], [0, 2]);
    assert_eq!(log, ["(3, 0) (2, 1)", "won by 1"], "both felled: the defender wins");
}

#[test]
fn damage_falls_by_rank_and_is_not_spread() {
    let fight = FightOrder { space: SpaceId(3), attacker: RED, defender: BLUE, mover: None };
    // Damage 4 on foot, knight, knight: foot and one knight are felled, the other knight has one wound.
    let mut found = None;
    let mut game = one_script(vec![Op::Ask(Some(RED), |_| ints(&[1, 2]))], |table| {
        put(table, KNIGHT, Some(RED), 3);
        put(table, KNIGHT, Some(BLUE), 3);
        put(table, KNIGHT, Some(BLUE), 3);
        put(table, FOOT, Some(BLUE), 3);
    });
    game.edit(|table| {
        let mut battle = table.stage_battle(&fight).unwrap();
        battle.defender.damage = 4;
        found = Some(battle.losses(table, SideId::Defender));
        Ok(())
    })
    .unwrap();
    let losses = found.unwrap();
    assert_eq!((losses.toppled, losses.wounds, losses.excess), (2, 1, 0));
}
