//! How scripts ask seats: decisions, their options, and what happens in the meantime.
#![allow(clippy::unwrap_used)]

mod fixture;

use fixture::*;
use principes_core::DecisionOption;
use principes_core::ids::*;
use principes_core::scripts::{Reply, ScriptErrorKind, Scripts, Step};
use principes_scripting::Live;

#[test]
fn a_script_asks_and_continues() {
    let host = host(
        "function M.wait()
            local seat = faction.red
            local verb, whom, n = choose(seat, 'pick', { { 'give', faction.blue_house, 2 }, 'pass' }, { about = { 7 } })
            if verb == 'give' then transfer(counter.gold, n, seat, whom) end
            local land = choose(seat, 'pick', spaces(), { source = top(zone.deck) })
            assert(land == space.middle)
            assert(choose(seat, 'pick', {}) == nil and choose(seat, 'pick', { 5 }) == 5)
            if confirm(seat, 'pick') then add(counter.gold, 1, seat) end
            choose(seat, 'wait', { 1, 2 })
        end",
    );
    let mut game = game(&host);
    assert_eq!(keys(&game), ["give blue-house 2", "pass"]);
    assert_eq!(game.pending()[0].about.as_slice(), [Value::Int(7)]);
    answer(&mut game, RED, "give blue-house 2");
    assert_eq!((gold(&game, RED), gold(&game, BLUE)), (1, 5));
    assert_eq!(game.pending()[0].source, Value::Card(CardId(0)));
    let mut copy = game.clone();
    for game in [&mut game, &mut copy] {
        answer(game, RED, "middle");
        assert_eq!(keys(game), ["yes", "no"]);
        answer(game, RED, "yes");
        assert_eq!(gold(game, RED), 2);
        assert_eq!(game.pending()[0].kind, DecisionId(0));
    }
    assert_eq!(game.digest(), copy.digest());
}

#[test]
fn a_list_in_an_option_makes_an_option_for_each_element() {
    let host = host(
        "function M.wait()
            local seat = faction.red
            local houses, lands = { faction.red, faction.blue_house }, { space.west, space.middle }
            choose(seat, 'pick', { 5, { 'give', houses, { 1, 2 }, lands }, { 'give', {}, 1 }, { 'pass', { 3 } }, 'pass' })
        end",
    );
    let game = game(&host);
    let mut expected = vec!["5".to_owned()];
    for house in ["red", "blue-house"] {
        for n in [1, 2] {
            expected.extend(["west", "middle"].map(|land| format!("give {house} {n} {land}")));
        }
    }
    expected.extend(["pass 3".to_owned(), "pass".to_owned()]);
    assert_eq!(keys(&game), expected);
}

#[test]
fn lists_in_options_are_limited() {
    let many = "local many = {} for n = 1, 65 do many[n] = n end ";
    for (options, message) in [
        ("{ { 'give', many, many } }", "choose: a decision has up to 4096 options, found 4225"),
        (
            "{ { 'give', many, { 1 } }, { 'give', many, many } }",
            "choose: a decision has up to 4096 options, found 4290",
        ),
        ("function() return { { 'give', many, many } } end", "choose: a decision has up to 4096 options, found 4225"),
    ] {
        let found = error(&format!("function M.run(seat) {many} choose(seat, 'pick', {options}) end"));
        assert_eq!(found.message, message);
    }
}

#[test]
fn values_after_an_empty_list_are_checked() {
    for values in ["{}, 0.5", "{}, { 1, 0.5 }", "{ 1, 0.5 }, {}", "{}, {}, { 0.5 }"] {
        let found = error(&format!("function M.run(seat) choose(seat, 'pick', {{ {{ 'give', {values} }} }}) end"));
        assert!(found.message.contains("a value of an option"), "{values}: {}", found.message);
    }
}

#[test]
fn lists_that_make_no_options_cost_steps_by_their_length() {
    let found = error(
        "function M.run(seat)
            local many, rows = {}, {}
            for n = 1, 4096 do many[n] = n end
            for n = 1, 4096 do rows[n] = { 'give', many, many, many, {} } end
            choose(seat, 'pick', rows)
        end",
    );
    assert_eq!(found.kind, ScriptErrorKind::Steps, "{found:?}");
}

#[test]
fn changes_are_allowed_again_after_a_failed_list_of_options() {
    let found = error(
        "function M.run(seat)
            local ok = pcall(function() choose(seat, 'pick', function() error('no list') end) end)
            add(counter.gold, 1, seat)
            error(tostring(ok) .. get(counter.gold, seat))
        end",
    );
    assert_eq!(found.message, "false4");
}

#[test]
fn options_are_listed_again() {
    let host = host(
        "function M.run(seat) choose(seat, 'pick', function()
            local list = { 'pass' }
            for n = 1, get(counter.gold, seat) do table.insert(list, n) end
            return list
         end) end
         function M.other(seat) choose(seat, 'pick', { 1, 2 }) end",
    );
    let mut table = table(&host);
    let mut live = Live::default();
    let args = [Value::Faction(RED)];
    let Ok(Step::Ask(ask)) = host.start(&mut live, 1, flow(RUN), &args, &mut table) else { panic!() };
    assert_eq!(ask.options.len(), 4);
    table.add(GOLD, 2, Value::Faction(RED)).unwrap();
    assert_eq!(host.reopen(&mut live, 1, &mut table).unwrap().unwrap().len(), 6);
    let Ok(Step::Ask(_)) = host.start(&mut live, 2, flow(OTHER), &args, &mut table) else { panic!() };
    assert_eq!(host.reopen(&mut live, 2, &mut table), Ok(None));
    // Frames wait side by side and continue in any order.
    let reply = |n| Reply::Answer(Some(DecisionOption::value(Value::Int(n))));
    assert!(matches!(host.resume(&mut live, 1, &reply(5), &mut table), Ok(Step::Done)));
    assert!(matches!(host.resume(&mut live, 2, &reply(1), &mut table), Ok(Step::Done)));
    assert_eq!(host.resume(&mut live, 2, &reply(1), &mut table).unwrap_err().kind, ScriptErrorKind::Flow);
}

#[test]
fn passing_returns_nil() {
    let host = host(
        "function M.wait()
            local seat = faction.red
            local verb, n = choose(seat, 'pick', { { 'give', { 1, 2 } } }, { pass = true })
            if verb == nil then lose(counter.gold, 1, seat) end
            assert(choose(seat, 'pick', {}, { pass = true }) == nil)
            local land = choose(seat, 'pick', function()
                local list = {}
                for n = 1, get(counter.gold, seat) do list[n] = n end
                return list
            end, { pass = true, about = { 7 } })
            if land == nil then gain(counter.gold, 5, seat) end
            choose(seat, 'wait', { 1, 2 })
        end",
    );
    let mut game = game(&host);
    assert_eq!(keys(&game), ["give 1", "give 2", "pass"]);
    answer(&mut game, RED, "pass");
    assert_eq!((gold(&game, RED), keys(&game)), (2, vec!["1".to_owned(), "2".to_owned(), "pass".to_owned()]));
    let mut copy = game.clone();
    for game in [&mut game, &mut copy] {
        answer(game, RED, "pass");
        assert_eq!((gold(game, RED), game.pending()[0].kind), (7, DecisionId(0)));
    }
    assert_eq!(game.digest(), copy.digest());
}

#[test]
fn options_listed_again_may_still_be_declined() {
    let host = host("function M.run(seat) choose(seat, 'pick', function() return { 1, 2 } end, { pass = true }) end");
    let (mut table, mut live) = (table(&host), Live::default());
    let Ok(Step::Ask(ask)) = host.start(&mut live, 1, flow(RUN), &[Value::Faction(RED)], &mut table) else { panic!() };
    assert_eq!(host.reopen(&mut live, 1, &mut table).unwrap(), Some(ask.options.clone()));
    assert_eq!(ask.options.len(), 3);
}

#[test]
fn nested_effect_hooks_may_ask() {
    let host = host(
        "function M.act(self, owner, seat)
            if choose(seat, 'pick', { 'yes', 'no' }) == 'yes' then add(counter.gold, self.gold, owner) end
         end
         function M.run(seat)
            put(top(zone.deck), zone.in_play, seat)
            put(top(zone.deck), zone.in_play, faction.blue_house)
            trigger('act', seat)
            assert(perform(top(zone.in_play, seat), 'act', faction.blue_house, seat))
            assert(not perform(top(zone.in_play, seat), 'control.changed', seat))
            assert(listens(top(zone.in_play, seat), 'income') and not listens(design.spark, 'control.changed'))
         end",
    );
    let mut game = game(&host);
    game.run_hook(flow(RUN), &[Value::Faction(RED)]).unwrap();
    let card = game.pending()[0].source;
    answer(&mut game, RED, "yes");
    assert_ne!(game.pending()[0].source, card);
    answer(&mut game, RED, "yes");
    assert_eq!(game.pending()[0].source, card);
    answer(&mut game, RED, "yes");
    assert_eq!((gold(&game, RED), gold(&game, BLUE)), (5, 7));
}

#[test]
fn scripts_may_ask_inside_pcall_but_not_inside_a_sort() {
    let host = host(
        "function M.run(seat)
            local ok, got = pcall(function() return choose(seat, 'pick', { 1, 2 }) end)
            assert(ok and got == 2)
            table.sort({ 2, 1 }, function(a, b) choose(seat, 'pick', { 1, 2 }) return a < b end)
        end",
    );
    let mut game = game(&host);
    game.run_hook(flow(RUN), &[Value::Faction(RED)]).unwrap();
    let (_, _, two) = pending_keys(&game).remove(1);
    let found = game.answer(RED, two).unwrap_err().to_string();
    assert!(found.contains("yield across"), "{found}");
}
