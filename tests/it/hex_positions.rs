//! Hand-made positions of the hexagon game with the complete list of legal actions, counts of action sequences from
//! three fixed boards, tables of values, and laws over random games.
//!
//! A position is written as the map (columns from west to east, each from north to south; `P` plain, `M` mountain, `S`
//! sea, `?` face down) and the pawns of both courts (`Qc1`: the Queen on c1; `P` Prince, `C` City, `F` Field).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common::{self, DECISION_CAP, Pack, give, next_answer};
use principes_core::bots::RandomBot;
use principes_core::*;
use principes_core::{LiveHook, PieceFilter};
use principes_scripting::LuaHost;
use serde_json::Value as Json;

const FILES: [&str; 5] = ["moves", "battles", "pairs", "states", "discoveries"];
const COURTS: [&str; 2] = ["amber", "indigo"];

fn pack() -> Pack {
    common::pack("mods/hex")
}

fn positions(file: &str) -> Vec<Json> {
    let path = common::root().join(format!("tests/positions/hex-{file}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let json: Json = serde_json::from_str(&text).unwrap();
    json["positions"].as_array().unwrap().clone()
}

fn text<'a>(position: &'a Json, key: &str) -> &'a str {
    position[key].as_str().unwrap_or_default()
}

fn config(catalog: &Catalog, position: &Json) -> GameConfig {
    let options = position["options"].as_object().into_iter().flatten();
    let options = options.map(|(id, value)| (catalog.counter(id).unwrap(), value.as_i64().unwrap() as i32)).collect();
    GameConfig { seats: vec![FactionId::at(0), FactionId::at(1)], seed: 1, options }
}

/// Puts a position on an empty table.
fn lay_out(table: &mut Table, position: &Json) {
    let catalog = Arc::clone(&table.catalog);
    let terrain = catalog.counter("terrain").unwrap();
    let map = text(position, "map").chars().filter(|c| !c.is_whitespace());
    let mut hexagons = 0;
    for (at, sign) in map.enumerate() {
        let number = "?PMS".find(sign).unwrap() as i32;
        table.set(terrain, number, Value::Space(SpaceId::at(at))).unwrap();
        hexagons += 1;
    }
    assert_eq!(hexagons, catalog.spaces.len(), "{}", position["id"]);
    for (place, face) in position["under"].as_object().into_iter().flatten() {
        let design = catalog.design(&format!("{}-hexagon", face.as_str().unwrap())).unwrap();
        let stock = zone(&catalog, "stock");
        let card = table.world.in_zone(stock).find(|card| catalog.cards[card.index()] == design).unwrap();
        table.put_card(card, zone(&catalog, &format!("under-{place}")), true, false);
    }
    for court in COURTS {
        let owner = catalog.faction(court);
        for pawn in text(position, court).split_whitespace() {
            let (kind, place) = pawn.split_at(1);
            let kind = match kind {
                "Q" => "queen",
                "P" => "prince",
                "C" => "city",
                "F" => "field",
                other => panic!("{}: what is `{other}`?", position["id"]),
            };
            let space = catalog.space(place).unwrap();
            table.place(catalog.kind(kind).unwrap(), owner, space).unwrap();
        }
    }
    for (name, value) in position["counters"].as_object().into_iter().flatten() {
        let (id, owner) = name.split_once('@').unwrap_or((name, ""));
        let owner = catalog.faction(owner).map_or(Value::Nil, Value::Faction);
        table.set(catalog.counter(id).unwrap(), value.as_i64().unwrap() as i32, owner).unwrap();
    }
    if text(position, "to-move") == COURTS[1] {
        table.set_order(&[FactionId::at(1), FactionId::at(0)]).unwrap();
    }
}

fn zone(catalog: &Catalog, id: &str) -> ZoneId {
    ZoneId::at(catalog.zones[catalog.zone(id).unwrap().index()].offset)
}

/// The position at the seat's action, and then after the answers of `after`.
fn set_up(pack: &Pack, position: &Json) -> Game<LuaHost> {
    let catalog = pack.catalog();
    let prepare = |table: &mut Table| {
        lay_out(table, position);
        Ok(())
    };
    let config = config(catalog, position);
    let mut game = Game::prepared(Arc::clone(catalog), pack.host().clone(), config, false, prepare).unwrap();
    game.run_phase(catalog.phase("turn").unwrap()).unwrap();
    for key in position["after"].as_array().into_iter().flatten() {
        choose(&mut game, key.as_str().unwrap());
    }
    game
}

fn choose(game: &mut Game<LuaHost>, key: &str) {
    let ask = game.pending()[0].clone();
    let option = ask.options.iter().find(|option| option.key(game.catalog()) == key);
    let option = option.unwrap_or_else(|| panic!("`{key}` is not among {:?}", keys(game)));
    game.answer(ask.seat, *option).unwrap();
}

/// The options of the open decision, in order.
fn keys(game: &Game<LuaHost>) -> Vec<String> {
    let ask = game.pending();
    ask.iter().flat_map(|ask| &ask.options).map(|option| option.key(game.catalog())).collect()
}

// Positions --------------------------------------------------------------------------------------------------------

/// HX-TRN-02, HX-MOV-01 to HX-MOV-16, HX-CAS-01 to HX-CAS-11, HX-JNT-01 to HX-JNT-07: nothing else is offered, and
/// nothing is missing.
#[test]
fn every_legal_action_of_every_position() {
    let pack = pack();
    let mut count = 0;
    for file in FILES {
        for position in positions(file) {
            let game = set_up(&pack, &position);
            let options = keys(&game);
            let unique: BTreeSet<&String> = options.iter().collect();
            assert_eq!(unique.len(), options.len(), "{}: an action is listed twice", position["id"]);
            let text_so_far =
                ["amber", "indigo"].map(|court| format!("{court}: {}\n", text(&position, court))).concat();
            let asked = game
                .pending()
                .iter()
                .map(|ask| pack.catalog().decisions[ask.kind.index()].id.clone())
                .collect::<String>();
            let snapshot = format!(
                "{}\nmap: {}\n{text_so_far}{asked}, options: {}\n{}",
                text(&position, "why"),
                text(&position, "map"),
                options.len(),
                options.iter().map(|key| format!("  {key}\n")).collect::<String>()
            );
            insta::with_settings!({omit_expression => true}, {
                insta::assert_snapshot!(format!("{file}__{}", text(&position, "id")), snapshot);
            });
            count += 1;
        }
    }
    assert!(count >= 30, "{count} positions");
}

// Counts -----------------------------------------------------------------------------------------------------------

/// The board as text: which pieces are where, which cards are open, which decisions are open.
fn picture(game: &Game<LuaHost>) -> String {
    let (catalog, world) = (game.catalog(), &game.table().world);
    let mut pieces: Vec<String> = world
        .pieces()
        .filter_map(|(id, piece)| {
            let space = catalog.id_of(Value::Space(piece.space()?));
            Some(format!(
                "{} {} {space}",
                catalog.id_of(Value::Piece(id)),
                catalog.id_of(Value::Faction(piece.owner()?))
            ))
        })
        .collect();
    pieces.sort();
    let asked: Vec<String> = game.pending().iter().map(|ask| format!("{:?} {:?}", ask.seat, ask.kind)).collect();
    format!("{pieces:?} {asked:?} {:?} {:?}", keys(game), game.outcome())
}

/// The number of sequences of `depth` answers, and of the different positions that they lead to.
fn count(game: &Game<LuaHost>, depth: usize) -> (usize, usize) {
    fn walk(game: &Game<LuaHost>, depth: usize, leaves: &mut usize, seen: &mut BTreeSet<String>) {
        if depth == 0 {
            *leaves += 1;
            seen.insert(picture(game));
            return;
        }
        let Some(ask) = game.pending().first().map(|ask| (*ask).clone()) else { return };
        for option in &ask.options {
            let mut copy = game.clone();
            copy.answer(ask.seat, *option).unwrap();
            walk(&copy, depth - 1, leaves, seen);
        }
    }
    let (mut leaves, mut seen) = (0, BTreeSet::new());
    walk(game, depth, &mut leaves, &mut seen);
    (leaves, seen.len())
}

/// Sequences of one, two and three answers from three boards, and the different positions that they lead to. An answer
/// is one decision: an action, or the second half of a move, which is skipped if only `done` is left. Games
/// that are over have no answers. The data file derives the numbers of the first two depths.
#[test]
fn sequences_of_answers_from_three_boards() {
    let pack = pack();
    let mut text_so_far = String::new();
    for position in positions("counts") {
        let game = set_up(&pack, &position);
        text_so_far.push_str(&format!("{}: {}\n", text(&position, "id"), text(&position, "why")));
        for depth in 1..=3 {
            let (sequences, positions) = count(&game, depth);
            text_so_far.push_str(&format!("  depth {depth}: {sequences} sequences to {positions} positions\n"));
        }
    }
    insta::with_settings!({omit_expression => true}, {
        insta::assert_snapshot!("counts", text_so_far);
    });
}

// Values -----------------------------------------------------------------------------------------------------------

/// What `bots/survey.values` says of a hexagon: reach and attack value of a Prince of the first court, defense of who
/// stands there.
fn values(pack: &Pack, host: &LuaHost, catalog: &Arc<Catalog>, position: &Json, hexagon: &str) -> (i32, i32) {
    let prepare = |table: &mut Table| {
        lay_out(table, position);
        Ok(())
    };
    let config = config(pack.catalog(), position);
    let mut game = Game::prepared(Arc::clone(catalog), host.clone(), config, false, prepare).unwrap();
    let hook = HookId::at(catalog.hooks.len() - 1);
    let space = Value::Space(catalog.space(hexagon).unwrap());
    let live = LiveHook { hook, owner: None, card: None, priority: 0 };
    game.run_hook(live, &[Value::Faction(FactionId::at(0)), space]).unwrap();
    let numbers = game.take_events().into_iter().find_map(|event| match event {
        Event::Log { args, .. } => match args.as_slice() {
            [_, Value::Int(power), Value::Int(defense)] => Some((*power, *defense)),
            _ => None,
        },
        _ => None,
    });
    numbers.unwrap()
}

/// A host that can compute the values of a hexagon.
fn surveyor(pack: &Pack) -> (Arc<Catalog>, LuaHost) {
    let mut catalog = Catalog::clone(pack.catalog());
    catalog.add_function("bots/survey", "values");
    let catalog = Arc::new(catalog);
    let host = LuaHost::new(Arc::clone(&catalog), &pack.loaded.scripts).unwrap_or_else(|errors| panic!("{errors:?}"));
    (catalog, host)
}

fn map_of(hexagon: &str, sign: char) -> String {
    let ids = [
        "a1", "a2", "a3", "b1", "b2", "b3", "b4", "c1", "c2", "c3", "c4", "c5", "d1", "d2", "d3", "d4", "e1", "e2",
        "e3",
    ];
    ids.iter().map(|id| if *id == hexagon { sign } else { 'P' }).collect()
}

/// HX-PRN-01, HX-PRN-04 to HX-PRN-07, HX-VAL-01, HX-VAL-03, HX-VAL-04, HX-VAL-14 to HX-VAL-17: a Prince at distance 1,
/// 2, 3, 4 from its Queen on c1: 4, 3, 2, 1 alone; twice that in a mountain; in a City 3 or 5 more and no doubling;
/// pairs add up.
#[test]
fn values_of_princes_by_distance() {
    let pack = pack();
    let (catalog, host) = surveyor(&pack);
    for (hexagon, simple) in [("c2", 4), ("c3", 3), ("c4", 2), ("c5", 1)] {
        for (sign, pawns, expected) in
            [('P', 1, simple), ('S', 1, simple), ('M', 1, 2 * simple), ('P', 2, 2 * simple), ('M', 2, 4 * simple)]
        {
            for city in [false, true] {
                if city && sign == 'S' {
                    continue;
                }
                let walls = if sign == 'M' { 5 } else { 3 };
                let expected = if city { pawns * simple + walls } else { expected };
                let mut amber = format!("Qc1{}", format!(" P{hexagon}").repeat(pawns as usize));
                if city {
                    amber.push_str(&format!(" C{hexagon}"));
                }
                let position =
                    serde_json::json!({"id": hexagon, "map": map_of(hexagon, sign), "amber": amber, "indigo": "Qa3"});
                let found = values(&pack, &host, &catalog, &position, hexagon);
                assert_eq!(found, (simple, expected), "{pawns} on {hexagon} ({sign}), City {city}");
            }
        }
    }
}

/// HX-VAL-09 to HX-VAL-15, HX-VAL-18: Queens and Cities, alone and together, and Princes without a Queen.
#[test]
fn values_of_queens_and_cities() {
    let pack = pack();
    let (catalog, host) = surveyor(&pack);
    for (sign, amber, expected) in [
        ('P', "Qc3", 4),
        ('M', "Qc3", 7),
        ('P', "Qa1 Cc3", 3),
        ('M', "Qa1 Cc3", 5),
        ('P', "Qc3 Cc3", 7),
        ('M', "Qc3 Cc3", 9),
        ('M', "Pc3", 0),
        ('P', "Pc3 Cc3", 3),
        ('P', "Qa1 Fc3", 0),
        ('P', "Qc2 Cc2", 0),
    ] {
        let position = serde_json::json!({"id": amber, "map": map_of("c3", sign), "amber": amber, "indigo": "Qe3"});
        let (_, defense) = values(&pack, &host, &catalog, &position, "c3");
        assert_eq!(defense, expected, "{amber} on {sign}");
    }
}

// The board and the numbers ----------------------------------------------------------------------------------------

/// HX-SET-01: exactly two seats.
#[test]
fn the_game_is_for_two() {
    let pack = pack();
    assert_eq!(pack.catalog().seats, (2, 2));
    let config = GameConfig { seats: vec![FactionId::at(0)], seed: 1, options: Vec::new() };
    assert!(Game::new(Arc::clone(pack.catalog()), pack.host().clone(), config).is_err());
    let config = GameConfig { seats: vec![FactionId::at(0), FactionId::at(1)], seed: 1, options: Vec::new() };
    assert!(Game::new(Arc::clone(pack.catalog()), pack.host().clone(), config).is_ok());
}

/// HX-SET-07, HX-SET-08, HX-SET-16, HX-MOV-15: a hexagon of radius 2; the Queens start at opposite corners, whose only
/// neighbors are their Princes' hexagons; the greatest distance is 4.
#[test]
fn the_board_is_a_hexagon_of_radius_two() {
    let pack = pack();
    let catalog = pack.catalog();
    let game = pack.game(pack.host(), 0);
    let table = game.table();
    let space = |id: &str| catalog.space(id).unwrap();
    let ways: usize = catalog.spaces.iter().map(|space| space.exits.len()).sum();
    assert_eq!((catalog.spaces.len(), ways), (19, 84));
    let farthest = (0..19).flat_map(|a| (0..19).map(move |b| (SpaceId::at(a), SpaceId::at(b))));
    assert_eq!(farthest.map(|(a, b)| table.distance(a, b).unwrap()).max(), Some(4));
    assert_eq!(table.distance(space("c1"), space("c5")), Some(4));
    for (queen, princes, middle) in [("c1", ["b1", "c2", "d1"], "c2"), ("c5", ["b4", "c4", "d4"], "c4")] {
        let around: BTreeSet<SpaceId> = catalog.spaces[space(queen).index()].exits.iter().copied().collect();
        assert_eq!(around, princes.map(space).into());
        assert_eq!(table.distance(space(middle), space("c3")), Some(1));
    }
    // On the screen, neighbors are equally far apart in all six directions, as hexagons with flat tops are.
    for here in &catalog.spaces {
        for there in &here.exits {
            let there = &catalog.spaces[there.index()];
            let (dx, dy) = ((here.at.0 - there.at.0).abs(), (here.at.1 - there.at.1).abs());
            assert!((dx, dy) == (0, 104) || (dx, dy) == (90, 52), "{} and {}", here.id, there.id);
        }
    }
}

/// HX-SET-02, HX-SET-03, HX-SET-04, HX-SET-05, HX-SET-17, HX-CMP-01 to HX-CMP-04, HX-CON-02: seven plains, five
/// mountains and seven seas on every map, plains under both Queens, anything under the Princes, and no decision.
#[test]
fn maps_of_many_seeds() {
    let pack = pack();
    let catalog = pack.catalog();
    let terrain = catalog.counter("terrain").unwrap();
    let mut under_princes = BTreeSet::new();
    let mut maps = BTreeSet::new();
    for seed in 0..40 {
        let config = GameConfig { seats: vec![FactionId::at(0), FactionId::at(1)], seed, options: Vec::new() };
        let game = Game::new(Arc::clone(catalog), pack.host().clone(), config).unwrap();
        assert!(game.record().is_empty());
        let map: Vec<i32> =
            (0..19).map(|at| game.table().get(terrain, Value::Space(SpaceId::at(at))).unwrap()).collect();
        let of = |kind: i32| map.iter().filter(|terrain| **terrain == kind).count();
        assert_eq!((of(1), of(2), of(3)), (7, 5, 7), "seed {seed}");
        for queen in ["c1", "c5"] {
            assert_eq!(map[catalog.space(queen).unwrap().index()], 1, "seed {seed}");
        }
        under_princes.extend(["b1", "c2", "d1", "b4", "c4", "d4"].map(|id| map[catalog.space(id).unwrap().index()]));
        maps.insert(map);
    }
    assert_eq!(under_princes, BTreeSet::from([1, 2, 3]));
    assert_eq!(maps.len(), 40);
}

/// HX-LNK-17: with eight Fields and five mountains no goal is reached with fewer than three Fields in plains.
#[test]
fn three_plains_at_least() {
    let pack = pack();
    let catalog = pack.catalog();
    let field = &catalog.kinds[catalog.kind("field").unwrap().index()];
    let worth = |terrain: &str| field.stats.int(catalog.symbol(terrain).unwrap());
    let goal = catalog.counters[catalog.counter("goal").unwrap().index()].start;
    let reached = (0..=7).flat_map(|plains| (0..=5).map(move |mountains| (plains, mountains)));
    let reached = reached.filter(|(p, m)| p + m <= 8 && p * worth("plain") + m * worth("mountain") >= goal);
    assert_eq!(reached.map(|(plains, _)| plains).min(), Some(3));
}

// Laws over random games -------------------------------------------------------------------------------------------

/// The places of pieces of a kind and owner on the map, or of all owners.
fn places(table: &Table, kind: &str, owner: Option<FactionId>) -> Vec<SpaceId> {
    let filter = PieceFilter { kind: table.catalog.kind(kind), owner, on_map: Some(true), ..PieceFilter::default() };
    table.find_pieces(&filter).filter_map(|piece| table.world.piece(piece).space()).collect()
}

/// HX-CMP-05, HX-CMP-06, HX-CMP-07, HX-CMP-08, HX-CMP-09, HX-CMP-12, HX-MOV-08, HX-FLD-06, HX-CTY-05,
/// HX-FAC-12, HX-FAC-13, HX-JNT-13: what no position breaks.
fn check_position(game: &Game<LuaHost>, walking: bool) {
    let table = game.table();
    let catalog = &table.catalog;
    let terrain = catalog.counter("terrain").unwrap();
    for court in [FactionId::at(0), FactionId::at(1)] {
        for (kind, most) in [("queen", 1), ("prince", 3), ("city", 2), ("field", 8)] {
            let filter = PieceFilter { kind: catalog.kind(kind), owner: Some(court), ..PieceFilter::default() };
            assert_eq!(table.find_pieces(&filter).count(), most, "{kind} of {court:?}");
        }
    }
    let mut passive = BTreeSet::new();
    for place in places(table, "city", None).into_iter().chain(places(table, "field", None)) {
        assert!(passive.insert(place), "two buildings in one hexagon");
        assert!(matches!(table.get(terrain, Value::Space(place)), Ok(1 | 2)), "a building on no land");
    }
    let mut active: BTreeMap<SpaceId, Vec<&str>> = BTreeMap::new();
    for kind in ["queen", "prince"] {
        for place in places(table, kind, None) {
            active.entry(place).or_default().push(kind);
        }
    }
    for (place, pawns) in active {
        let is_pair = pawns == ["prince", "prince"];
        assert!(pawns.len() == 1 || is_pair || walking, "{pawns:?} on {}", catalog.id_of(Value::Space(place)));
        assert!(table.world.occupants(catalog, place).count() == 1, "both courts on one hexagon");
    }
}

/// HX-BAT-09, HX-FAC-02, HX-FAC-10, HX-FAC-11: what was built stays, in some color; HX-PAS-03: three passes in a row
/// only if nothing else is offered; HX-CON-01: chance ends with the setup; HX-TRN-01, HX-TRN-07: turns alternate to
/// the end.
#[test]
fn laws_over_random_games() {
    let pack = pack();
    for number in 0..6 {
        let mut game = pack.game(pack.host(), number);
        let mut bot = RandomBot::new(number);
        let (mut cities, mut fields) = (BTreeSet::new(), BTreeSet::new());
        let mut passes = 0;
        game.take_events();
        let mut decisions = 0;
        let action = pack.catalog().decision("turn.action").unwrap();
        let second = pack.catalog().decision("turn.second").unwrap();
        let mut last_seat = None;
        while let Some(answer) = next_answer(&mut game, &mut bot) {
            let ask = game.pending()[0].clone();
            let turn_level = ask.kind == action || ask.kind == second;
            check_position(&game, !turn_level);
            let (now_cities, now_fields): (BTreeSet<_>, BTreeSet<_>) = (
                places(game.table(), "city", None).into_iter().collect(),
                places(game.table(), "field", None).into_iter().collect(),
            );
            assert!(
                now_cities.is_superset(&cities) && now_fields.is_superset(&fields),
                "game {number}: a building is gone"
            );
            (cities, fields) = (now_cities, now_fields);
            if ask.kind == action {
                assert_ne!(last_seat, Some(ask.seat), "game {number}: two turns in a row");
                last_seat = Some(ask.seat);
                let key = answer.option.key(game.catalog());
                let alone = ask.options.len() == 1;
                passes = if key == "pass" { passes + 1 } else { 0 };
                assert!(passes < 3 || alone, "game {number}: three passes in a row");
            }
            give(&mut game, &answer).unwrap();
            for event in game.take_events() {
                let by_chance = matches!(event, Event::Rolled { .. } | Event::Shuffled { .. });
                assert!(!by_chance, "game {number}: chance after setup");
            }
            decisions += 1;
            assert!(decisions < DECISION_CAP);
        }
        assert!(game.outcome().is_some());
    }
}

/// HX-FOG-22: face-down tokens change neither what a seat sees nor what it may do.
#[test]
fn face_down_hexagons_are_secret() {
    let pack = pack();
    let position = |under: &str| {
        serde_json::json!({
            "id": under, "map": "??? P??P PP?PP P??P ???", "amber": "Qc1 Pb1 Pc2 Pd1", "indigo": "Qc5 Pb4 Pc4 Pd4",
            "options": {"blank-map": 1}, "under": {"b2": under, "c3": if under == "sea" { "plain" } else { "sea" }}
        })
    };
    let (one, other) = (set_up(&pack, &position("sea")), set_up(&pack, &position("plain")));
    assert_ne!(one.digest(), other.digest());
    assert_eq!(keys(&one), keys(&other));
    let seats = [Some(FactionId::at(0)), Some(FactionId::at(1)), None];
    for seat in seats {
        assert_eq!(one.table().view(seat), other.table().view(seat));
    }
    // The log does not reveal what is laid face down, either.
    let catalog = pack.catalog();
    let options = vec![(catalog.counter("blank-map").unwrap(), 1)];
    let config = GameConfig { seats: vec![FactionId::at(0), FactionId::at(1)], seed: 3, options };
    let mut game = Game::new(Arc::clone(catalog), pack.host().clone(), config).unwrap();
    let map = zone(catalog, "map");
    let laid_hidden: Vec<Event> =
        game.take_events().into_iter().filter(|event| matches!(event, Event::Card { to, .. } if *to != map)).collect();
    assert_eq!(laid_hidden.len(), 11);
    for (event, seat) in laid_hidden.iter().flat_map(|event| seats.map(|seat| (event, seat))) {
        assert!(event.seen_by(catalog, seat).unwrap().hidden);
    }
}
