//! Pairs of worlds that differ only in what a seat cannot see show that seat the same views, options, prompts and
//! events, over whole random games of every pack. (`properties.rs` tests what a seat sees at one moment. Here games
//! continue, so that hidden information has many chances to leak.)
//!
//! `principes_author::twins` says how they differ, and plays them; `check --until play` does the same with fewer pairs.
//!
//! `PRINCIPES_PAIRS` is the number of pairs for each pack (default: 8). Before a release:
//! `PRINCIPES_PAIRS=10000 cargo test --release --test it hidden_information::`.

use std::sync::Arc;

use crate::common::{self, Pack, give, load, next_answer, root, whole_games};
use principes_author::twins::{Difference, Leak, Leaking, Twins};
use principes_core::Frame;
use principes_core::bots::RandomBot;
use principes_core::*;
use principes_findings::budget::Effort;
use principes_scripting::LuaHost;
use principes_source::{MemoryPack, PackSource, folder};

fn pairs() -> u64 {
    std::env::var("PRINCIPES_PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(8)
}

fn is_secret(game: &Game<LuaHost>) -> bool {
    matches!(game.table().world.flow().last(), Some(Frame::Simultaneous(_)))
}

/// Plays pairs of a pack. Returns for each kind of difference how many pairs could be compared.
fn look_for_leaks(pack: &Pack, pairs: u64) -> Result<Vec<(Difference, usize)>, Leak> {
    let config = |number| pack.config(number);
    Twins { catalog: pack.catalog(), host: pack.host(), config: &config, effort: &Effort::endless() }.look(pairs)
}

#[test]
fn a_seat_cannot_tell_worlds_apart_that_differ_only_in_what_it_cannot_see() {
    let mut looked_in_all = 0;
    for pack in whole_games() {
        let looked = look_for_leaks(&pack, pairs()).unwrap_or_else(|leak| panic!("{}: {leak}", pack.name));
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
    let looked = look_for_leaks(&pack, SEARCH.max(pairs())).unwrap_or_else(|leak| panic!("{}: {leak}", pack.name));
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
fn is_caught(file: &str, from: &str, to: &str, how: Leaking) {
    is_caught_in("mods/the-prince", file, from, to, how);
}

#[track_caller]
fn is_caught_in(pack: &str, file: &str, from: &str, to: &str, how: Leaking) {
    let pack = with_changes(pack, &[(file, from, to)]);
    match look_for_leaks(&pack, SEARCH) {
        Ok(looked) => panic!("the leak was not found: {looked:?}"),
        Err(leak) => assert_eq!(leak.what, how, "another leak was found: {leak}"),
    }
}

#[test]
fn a_log_line_that_tells_where_the_prince_hides_is_caught() {
    let line = "local post = ";
    let planted = format!("log(\"prince-was-hidden\", seat, get(counter.hideout, seat))\n    {line}");
    is_caught("hiding/hiding.lua", line, &planted, Leaking::Log);
}

#[test]
fn a_log_line_that_tells_what_lies_in_the_fog_is_caught() {
    let line = "move(prince, tile)";
    let planted = format!("{line}\n    log(\"judged\", seat, prop(get(counter.tile, tile), \"amount\"))");
    is_caught("exploration/exploration.lua", line, &planted, Leaking::Log);
}

#[test]
fn a_prompt_that_tells_a_secret_of_the_last_part_is_caught() {
    let line = "choose(seat, \"planning.castle\", options)";
    let planted =
        "choose(seat, \"planning.castle\", options, { about = { get(counter.hideout, castles.rival(seat)) } })";
    is_caught("planning/planning.lua", line, planted, Leaking::Decision);
}

#[test]
fn options_that_depend_on_a_secret_are_caught() {
    let line = "local targets = castles.standing(castles.rival(seat))";
    let planted =
        "local targets = { get(counter.hideout, castles.rival(seat)), castles.standing(castles.rival(seat))[1] }";
    is_caught("planning/planning.lua", line, planted, Leaking::Decision);
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
    let planted = format!(
        "{line}\n  local held = top(zone.hand, seat)\n  if held then\n    log(\"position-judged\", seat, designof(held))\n  end"
    );
    is_caught_in("content/principes", "actions/actions.lua", line, &planted, Leaking::Log);
}

/// Who may not know the card reads "a card" in place of its name.
#[test]
fn a_log_line_may_name_a_card_of_a_hand() {
    let line = "function M.turn(seat)";
    let named = format!("{line}\n  log(\"position-judged\", seat, top(zone.hand, seat))");
    let pack = with_changes("content/principes", &[("actions/actions.lua", line, &named)]);
    let looked = look_for_leaks(&pack, 12).unwrap_or_else(|leak| panic!("{leak}"));
    assert!(looked.iter().any(|(_, count)| *count > 0), "{looked:?}");
}

#[test]
fn a_log_line_that_tells_of_a_hexagon_that_lies_face_down_is_caught() {
    let line = "add(counter.idle, 1)";
    let planted = format!(
        "{line}
    local below = top(discovery.face_down_zone(space.a2))
    if below then
      log(\"laid\", seat, space.a2, prop(below, \"terrain\"))
    end"
    );
    is_caught_in("mods/hex", "turns/turns.lua", line, &planted, Leaking::Log);
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
    is_caught_in("mods/hex", "moves/legal.lua", line, &planted, Leaking::Decision);
}
