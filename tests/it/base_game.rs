//! The base game as a whole: what its content must contain, and rules that no scenario can show: who may take a seat,
//! what is hidden or open, what a seed decides. Each test names the ids of the rules without which it would fail.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::common::{self, Pack, give, next_answer, root};
use principes_core::bots::{Bot, GreedyBot, RandomBot};
use principes_core::*;
use principes_model::Arg;
use principes_model::EntityInfo;
use principes_schemas::Family;
use principes_scripting::LuaHost;
use serde_json::Value as Json;

const PRINCIPALITIES: [&str; 4] = ["polonia-maior", "masovia", "polonia-minor", "silesia"];

fn base_game() -> Pack {
    common::pack("content/principes")
}

fn entities(pack: &Pack, family: Family) -> impl Iterator<Item = &EntityInfo> {
    pack.loaded.entities.iter().filter(move |entity| entity.family == family)
}

fn text_of<'e>(entity: &'e EntityInfo, field: &str) -> &'e str {
    entity.json[field].as_str().unwrap_or_default()
}

fn number_of(entity: &EntityInfo, field: &str) -> i64 {
    entity.json[field].as_i64().unwrap_or_default()
}

/// All files of the scenarios: name and text.
fn files_below(folder: &Path, extension: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(files_below(&path, extension));
        } else if path.to_string_lossy().ends_with(&format!(".{extension}")) {
            texts.push(std::fs::read_to_string(&path).unwrap());
        }
    }
    texts
}

/// Every scenario as the text of its JSON.
fn scenarios() -> Vec<String> {
    let files = files_below(&root().join("content/principes"), "scenarios.json");
    let parsed = files.iter().map(|text| serde_json::from_str::<Json>(text).unwrap());
    parsed.flat_map(|file| file["scenarios"].as_array().unwrap().clone()).map(|scenario| scenario.to_string()).collect()
}

/// Whether the text names the id as a whole word.
fn names(text: &str, id: &str) -> bool {
    let part_of_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.match_indices(id).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + id.len()..].chars().next();
        !before.is_some_and(part_of_word) && !after.is_some_and(part_of_word)
    })
}

// Content ----------------------------------------------------------------------------------------------------------

/// PR-CMP-06, PR-TOK-12, PR-TOK-13, PR-MAP-02, PR-FAC-01, PR-CRD-01, PR-CRD-04, PR-SPR-01
#[test]
fn the_box_holds_what_it_should() {
    let pack = base_game();
    let spaces: Vec<&EntityInfo> = entities(&pack, Family::Spaces).collect();
    let of_kind = |kind: &str| spaces.iter().filter(|space| text_of(space, "kind") == kind).count();
    assert_eq!((of_kind("land"), of_kind("area"), spaces.len()), (44, 6, 50));
    for principality in PRINCIPALITIES {
        assert_eq!(spaces.iter().filter(|space| text_of(space, "home") == principality).count(), 10, "{principality}");
    }
    let gords: i64 = spaces.iter().map(|space| space.json["props"]["gords"].as_i64().unwrap_or(0)).sum();
    let named: i64 = spaces.iter().map(|space| space.json["props"]["named"].as_i64().unwrap_or(0)).sum();
    assert_eq!((gords, named), (45, 17));
    let in_group = |group: &str| entities(&pack, Family::Factions).filter(|one| text_of(one, "group") == group).count();
    assert_eq!(["principality", "neighbor", "invader"].map(in_group), [4, 6, 3]);
    assert_eq!(entities(&pack, Family::Factions).count(), 13);

    let mut copies: BTreeMap<&str, i64> = BTreeMap::new();
    let mut designs: BTreeMap<&str, usize> = BTreeMap::new();
    for card in entities(&pack, Family::Cards) {
        *copies.entry(text_of(card, "type")).or_default() += number_of(card, "copies");
        *designs.entry(text_of(card, "type")).or_default() += 1;
    }
    let counted: Vec<(&str, i64, usize)> = copies.iter().map(|(kind, n)| (*kind, *n, designs[kind])).collect();
    let expected = [
        ("action", 24, 24),
        ("battle", 32, 16),
        ("combined", 3, 3),
        ("court", 32, 17),
        ("history", 18, 18),
        ("neighbor", 12, 11),
        ("prince", 18, 18),
        ("tile", 48, 24),
    ];
    assert_eq!(counted, expected);
    let cards_of_the_hand_and_history: i64 =
        ["prince", "court", "neighbor", "battle", "history"].iter().map(|kind| copies[kind]).sum();
    assert_eq!(cards_of_the_hand_and_history, 112);

    let mut tiles: BTreeMap<String, (usize, i64)> = BTreeMap::new();
    for card in entities(&pack, Family::Cards).filter(|card| text_of(card, "type") == "tile") {
        let of_color = tiles.entry(card.json["props"]["color"].to_string()).or_default();
        *of_color = (of_color.0 + 1, of_color.1 + number_of(card, "copies"));
    }
    assert_eq!(tiles.len(), 6);
    assert!(tiles.values().all(|counted| *counted == (4, 8)), "{tiles:?}");

    let mut figures = 0;
    for kind in entities(&pack, Family::Kinds).filter(|kind| kind.json["props"]["component"] == "figure") {
        figures += kind.json["supply"].as_array().unwrap().iter().map(|s| s["count"].as_i64().unwrap()).sum::<i64>();
    }
    assert_eq!(figures, 78);
    let led = entities(&pack, Family::Rules).filter(|rule| PRINCIPALITIES.contains(&text_of(rule, "faction")));
    assert_eq!(led.count(), 4);
}

/// PR-VIC-07: no script changes Might directly, not even for a card.
#[test]
fn might_comes_from_lands_alone() {
    for text in files_below(&root().join("content/principes"), "lua") {
        for verb in ["add", "set", "transfer"] {
            assert!(!text.contains(&format!("{verb}(counter.might")), "a script changes Might");
        }
    }
    let pack = base_game();
    let might = entities(&pack, Family::Counters).find(|counter| counter.id == "might").unwrap();
    assert!(might.json["derived"].is_object());
}

#[test]
fn every_text_is_short_complete_and_filled_from_numbers() {
    let pack = base_game();
    let messages = &pack.loaded.messages;
    let catalog = pack.catalog();
    for entity in entities(&pack, Family::Cards).chain(entities(&pack, Family::Rules)) {
        let family = if entity.family == Family::Cards { "card" } else { "rule" };
        let value = |name: &str| {
            let number = ["params", "props"].iter().find_map(|field| entity.json[*field][name].as_i64());
            number.map(|number| Arg::Int(number.try_into().unwrap()))
        };
        for language in ["en", "pl"] {
            for part in ["title", "text"] {
                let key = format!("{family}.{}.{part}", entity.id);
                assert!(messages.has(language, &key), "{language} has no {key}");
                let text = messages.find(language, &key, &value).unwrap();
                assert!(!text.contains(['{', '}']), "{language} {key} names an unknown number: {text}");
                let length = text.chars().count();
                assert!(length <= 160, "{language} {key} has {length} characters: {text}");
                assert!(part == "title" || text.ends_with('.'), "{language} {key} is not a sentence: {text}");
            }
        }
        // Every number that a text prints is used by its hook. Years in flavor text are recognized by their size.
        let key = format!("{family}.{}.text", entity.id);
        let bare = messages.find("en", &key, &|_| None).unwrap();
        let printed = bare.split(|c: char| !c.is_ascii_digit()).filter(|digits| (1..4).contains(&digits.len()));
        assert_eq!(printed.count(), 0, "{key} prints a number of its own: {bare}");
    }
    let english: BTreeSet<String> = catalog.designs.iter().map(|design| format!("card.{}.title", design.id)).collect();
    let mut titles: BTreeMap<(&str, String), Vec<&String>> = BTreeMap::new();
    for key in english
        .iter()
        .filter(|key| !key.contains("-polonia-m") && !key.contains("-masovia") && !key.contains("-silesia"))
    {
        for language in ["en", "pl"] {
            titles.entry((language, messages.find(language, key, &|_| None).unwrap())).or_default().push(key);
        }
    }
    titles.retain(|_, keys| keys.len() > 1);
    assert!(titles.is_empty(), "two designs with one title: {titles:?}");
}

#[test]
fn no_two_designs_print_the_same_text() {
    let pack = base_game();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for card in entities(&pack, Family::Cards).filter(|card| text_of(card, "type") != "action") {
        let value = |name: &str| {
            let number = ["params", "props"].iter().find_map(|field| card.json[*field][name].as_i64());
            number.map(|number| Arg::Int(number.try_into().unwrap()))
        };
        let text = pack.loaded.messages.find("en", &format!("card.{}.text", card.id), &value).unwrap();
        if let Some(other) = seen.insert(text.clone(), card.id.clone()) {
            panic!("{other} and {} both say: {text}", card.id);
        }
    }
}

#[test]
fn everything_says_where_it_comes_from() {
    let pack = base_game();
    for family in [Family::Cards, Family::Rules, Family::Spaces, Family::Factions, Family::Kinds] {
        for entity in entities(&pack, family) {
            let provenance = &entity.json["provenance"];
            let known = ["rulebook", "designed"].iter().any(|source| provenance[*source].is_string());
            assert!(known, "{} does not say whether it is from the rulebook or designed here", entity.id);
        }
    }
}

#[test]
fn every_design_has_two_scenarios() {
    let pack = base_game();
    let scenarios = scenarios();
    let mut bare = Vec::new();
    for card in entities(&pack, Family::Cards) {
        // Action Tokens are six designs in four colors; what they do is tested by the actions.
        let wanted = if text_of(card, "type") == "action" { 0 } else { 2 };
        let found = scenarios.iter().filter(|scenario| names(scenario, &card.id)).count();
        if found < wanted {
            bare.push(format!("{} ({found})", card.id));
        }
    }
    assert!(bare.is_empty(), "too few scenarios: {}", bare.join(", "));
}

#[test]
fn every_point_and_every_decision_is_used() {
    let pack = base_game();
    let snapshots = files_below(&root().join("content/principes"), "scenarios.snap").concat();
    let hooked: BTreeSet<String> = entities(&pack, Family::Cards)
        .chain(entities(&pack, Family::Rules))
        .filter_map(|entity| entity.json["hooks"].as_object())
        .flat_map(|hooks| hooks.keys().cloned())
        .collect();
    for point in entities(&pack, Family::Points) {
        assert!(hooked.contains(&point.id), "nothing listens to {}", point.id);
    }
    for decision in entities(&pack, Family::Decisions).filter(|decision| decision.id != "aside") {
        let asked = format!("is asked {}", decision.id);
        let found =
            snapshots.match_indices(&asked).any(|(at, _)| snapshots[at + asked.len()..].starts_with([':', ' ']));
        assert!(found, "no scenario asks {}", decision.id);
    }
}

// Setup ------------------------------------------------------------------------------------------------------------

fn config(catalog: &Catalog, seats: &[&str], seed: u64, options: &[(&str, i32)]) -> GameConfig {
    GameConfig {
        seats: seats.iter().map(|seat| catalog.faction(seat).unwrap()).collect(),
        seed,
        options: options.iter().map(|(id, value)| (catalog.counter(id).unwrap(), *value)).collect(),
    }
}

fn start(pack: &Pack, seats: &[&str], seed: u64, options: &[(&str, i32)]) -> Result<Game<LuaHost>, StartError> {
    Game::new(pack.catalog().clone(), pack.host().clone(), config(pack.catalog(), seats, seed, options))
}

fn counter(game: &Game<LuaHost>, id: &str, owner: &str) -> i32 {
    let catalog = game.catalog();
    let owner = catalog.faction(owner).map_or(Value::Nil, Value::Faction);
    game.table().get(catalog.counter(id).unwrap(), owner).unwrap()
}

fn zone(game: &Game<LuaHost>, id: &str, owner: Option<&str>) -> ZoneId {
    let catalog = game.catalog();
    let owner = owner.map(|owner| catalog.faction(owner).unwrap());
    catalog.zone_of(catalog.zone(id).unwrap(), owner).unwrap()
}

/// Ids of the cards in a zone, top first.
fn cards_in(game: &Game<LuaHost>, id: &str, owner: Option<&str>) -> Vec<String> {
    let cards = game.table().world.in_zone(zone(game, id, owner));
    cards.map(|card| game.catalog().design_of(card).id.clone()).collect()
}

fn standing(game: &Game<LuaHost>, kinds: &[&str]) -> usize {
    let catalog = game.catalog();
    let placed = game.table().world.pieces().filter(|(_, piece)| piece.space().is_some());
    placed.filter(|(id, _)| kinds.contains(&catalog.kinds[catalog.pieces[id.index()].kind.index()].id.as_str())).count()
}

/// Answers every decision with its first option until `enough`.
fn play_on(game: &mut Game<LuaHost>, enough: impl Fn(&Game<LuaHost>) -> bool) {
    for _ in 0..2000 {
        if enough(game) {
            return;
        }
        let ask = (*game.pending().first().unwrap()).clone();
        game.answer(ask.seat, ask.options[0]).unwrap();
    }
    panic!("the game never gets there");
}

fn in_phase(game: &Game<LuaHost>, id: &str) -> bool {
    let phase = game.table().view(None).phase;
    phase.is_some_and(|phase| game.catalog().phases[phase.index()].id == id)
}

fn asked(game: &Game<LuaHost>, decision: &str) -> bool {
    game.pending().iter().any(|ask| game.catalog().decisions[ask.kind.index()].id == decision)
}

/// PR-INT-01, PR-SET-02: one to four players, each with another Principality, chosen or drawn.
#[test]
fn one_to_four_players_sit_down() {
    let pack = base_game();
    for seats in [&PRINCIPALITIES[..1], &PRINCIPALITIES[1..3], &PRINCIPALITIES[..3], &PRINCIPALITIES[..]] {
        assert!(start(&pack, seats, 1, &[]).is_ok(), "{seats:?}");
    }
    assert!(matches!(start(&pack, &[], 1, &[]), Err(StartError::Config(_))), "nobody");
    let five = ["polonia-maior", "masovia", "polonia-minor", "silesia", "western-pomerania"];
    assert!(matches!(start(&pack, &five, 1, &[]), Err(StartError::Config(_))), "five");
    assert!(matches!(start(&pack, &["masovia", "masovia"], 1, &[]), Err(StartError::Config(_))), "one seat twice");
    assert!(matches!(start(&pack, &["masovia", "mongols"], 1, &[]), Err(StartError::Config(_))), "no Principality");
}

/// PR-SET-01, PR-MAP-12, PR-MGT-04, PR-MGT-03, PR-MAP-10, PR-SET-16, PR-TAX-08
#[test]
fn the_table_at_the_start() {
    let pack = base_game();
    let game = start(&pack, &PRINCIPALITIES, 1, &[]).unwrap();
    let catalog = pack.catalog();
    // The boards: the map, the Market with its stacks, three tracks of all Principalities, four boards.
    for color in ["green", "yellow", "blue", "rose", "brown", "gray"] {
        assert_eq!(cards_in(&game, &format!("market-{color}"), None).len(), 2, "{color}");
        assert_eq!(cards_in(&game, &format!("stack-{color}"), None).len(), 6, "{color}");
    }
    for seat in PRINCIPALITIES {
        for track in ["might", "people", "clergy"] {
            assert_eq!(counter(&game, track, seat), 4, "{track} of {seat}");
        }
        assert_eq!(cards_in(&game, "tokens", Some(seat)).len(), 6);
        assert_eq!(counter(&game, "gold", seat), 5);
    }
    // There are no Cities, so only the Might printed on the map counts.
    assert_eq!(standing(&game, &["capital-city", "city", "civitas", "castle", "tiltyard", "abbey"]), 0);
    let number = |space: &principes_core::catalog::Space, prop: &str| {
        catalog.symbol(prop).map_or(0, |name| space.props.int(name))
    };
    let all: i32 = catalog.spaces.iter().map(|space| number(space, "might")).sum();
    assert_eq!(all, 21);
    for space in &catalog.spaces {
        let single = number(space, "gords") < 2;
        match number(space, "capital") > 0 {
            true => assert_eq!(number(space, "might"), 2, "{}", space.id),
            false => assert!(!single || number(space, "might") <= 1, "{}", space.id),
        }
    }
    let capitals: Vec<&str> =
        catalog.spaces.iter().filter(|space| number(space, "capital") > 0).map(|space| space.id.as_str()).collect();
    assert_eq!(capitals.len(), 4, "{capitals:?}");
}

/// PR-SET-06, PR-SET-24, PR-SET-20: only the seed decides chance.
#[test]
fn equal_seeds_shuffle_alike() {
    let pack = base_game();
    let decks = |seed| {
        let game = start(&pack, &PRINCIPALITIES, seed, &[]).unwrap();
        ["court-deck", "battle-deck", "neighbor-deck", "history-deck"].map(|deck| cards_in(&game, deck, None))
    };
    let first = decks(7);
    assert_eq!(first, decks(7));
    for (one, other) in first.iter().zip(&decks(8)) {
        assert_ne!(one, other);
    }
    for seed in 0..30 {
        let game = start(&pack, &PRINCIPALITIES, seed, &[]).unwrap();
        for color in ["green", "yellow", "blue", "rose", "brown", "gray"] {
            let open = cards_in(&game, &format!("market-{color}"), None);
            assert_ne!(open[0], open[1], "seed {seed}");
        }
        let periods: Vec<i32> = game
            .table()
            .world
            .in_zone(zone(&game, "history-deck", None))
            .map(|card| pack.catalog().design_of(card).props.int(pack.catalog().symbol("period").unwrap()))
            .collect();
        assert_eq!(periods, [1, 1, 2, 2, 3, 3], "seed {seed}");
    }
}

/// PR-SET-26: boards are laid out the same, whichever seat decides first.
#[test]
fn seats_in_another_order_are_the_same_game() {
    let pack = base_game();
    let mut turned = PRINCIPALITIES;
    turned.reverse();
    let (one, other) = (start(&pack, &PRINCIPALITIES, 3, &[]).unwrap(), start(&pack, &turned, 3, &[]).unwrap());
    assert_eq!(one.digest(), other.digest());
}

// Hidden and open ----------------------------------------------------------------------------------------------------

/// What a seat sees in a zone: its faces, `None` if hidden.
fn seen(game: &Game<LuaHost>, viewer: &str, id: &str, owner: Option<&str>) -> Vec<Option<CardId>> {
    let catalog = game.catalog();
    let owner = owner.map(|owner| catalog.faction(owner).unwrap());
    let kind = catalog.zone(id).unwrap();
    let view = game.table().view(catalog.faction(viewer));
    view.zones.iter().find(|zone| zone.zone == kind && zone.owner == owner).unwrap().cards.clone()
}

/// PR-PLN-01, PR-PLN-02, PR-PLN-03, PR-PLN-04, PR-SET-14: plans are three different tokens, laid in secret.
#[test]
fn plans_are_secret_until_all_are_laid() {
    let pack = base_game();
    let mut game = start(&pack, &PRINCIPALITIES, 5, &[]).unwrap();
    play_on(&mut game, |game| asked(game, "plan.token"));
    assert_eq!(game.pending().len(), 4, "all plan at once");
    let masovia = pack.catalog().faction("masovia").unwrap();
    let mut laid = BTreeSet::new();
    for left in (4..=6).rev() {
        let ask = game.pending().into_iter().find(|ask| ask.seat == masovia).unwrap().clone();
        assert_eq!(ask.options.len(), left, "a token lies only once");
        game.answer(masovia, ask.options[0]).unwrap();
        laid.insert(ask.options[0].key(pack.catalog()));
    }
    assert_eq!(laid.len(), 3);
    assert!(game.pending().iter().all(|ask| ask.seat != masovia));
    assert!(seen(&game, "masovia", "plan", Some("masovia")).iter().all(Option::is_some));
    for place in ["plan", "tokens"] {
        let faces = seen(&game, "silesia", place, Some("masovia"));
        assert_eq!(faces.len(), 3);
        assert!(faces.iter().all(Option::is_none), "{place} of Masovia is open to Silesia");
    }
    assert!(
        PRINCIPALITIES.iter().all(|seat| cards_in(&game, "spent", Some(seat)).is_empty()),
        "a token is turned too early"
    );
}

/// PR-TAX-08, PR-DYN-05, PR-CRD-06, PR-SET-21, PR-RND-14: what everybody sees, and what nobody sees.
#[test]
fn gold_and_princes_are_open_and_hands_are_not() {
    let pack = base_game();
    let catalog = pack.catalog();
    let mut game = start(&pack, &PRINCIPALITIES, 5, &[]).unwrap();
    play_on(&mut game, |game| asked(game, "plan.token"));
    let view = game.table().view(catalog.faction("silesia"));
    let gold = catalog.counter("gold").unwrap();
    assert_eq!(view.counters.iter().filter(|(counter, ..)| *counter == gold).count(), 4, "the treasuries are open");
    for seat in PRINCIPALITIES {
        assert!(seen(&game, "silesia", "reigning", Some(seat)).iter().all(Option::is_some));
        assert_eq!(seen(&game, "silesia", "hand", Some(seat)).iter().all(Option::is_some), seat == "silesia");
    }
    assert_eq!(seen(&game, "silesia", "history", None).iter().filter(|face| face.is_some()).count(), 1);
    for place in ["history-deck", "history-out", "court-deck", "battle-deck", "neighbor-deck"] {
        let faces = seen(&game, "silesia", place, None);
        assert!(!faces.is_empty() && faces.iter().all(Option::is_none), "{place}");
    }
    assert_eq!(cards_in(&game, "history-out", None).len(), 12);
}

/// PR-BAT-13, PR-CRT-06: a card traded for gold goes face down under its deck; PR-CRT-05: a card traded for Support is
/// shown.
#[test]
fn cards_are_traded_for_gold_unseen_and_for_support_seen() {
    let pack = base_game();
    let catalog = pack.catalog();
    let masovia = catalog.faction("masovia").unwrap();
    for (verb, is_shown) in [("card-gold", false), ("card-people", true), ("card-clergy", true)] {
        let mut tried = 0;
        for seed in 0..12 {
            let mut game = start(&pack, &PRINCIPALITIES, seed, &[]).unwrap();
            let plays = game.asides(masovia).unwrap();
            let Some(play) = plays.into_iter().find(|play| play.key(catalog).starts_with(verb)) else { continue };
            game.take_events();
            game.play_aside(masovia, play).unwrap();
            let shown = game.take_events().iter().any(|event| format!("{event:?}").contains("Reveal"));
            assert_eq!(shown, is_shown, "{verb}, seed {seed}");
            assert_eq!(cards_in(&game, "hand", Some("masovia")).len(), 2);
            tried += 1;
        }
        assert!(tried > 0, "{verb} was never an option");
    }
}

/// PR-GLD-04, PR-GLD-05, PR-GLD-07: only gold changes hands while the game waits.
#[test]
fn gold_alone_can_be_given() {
    let pack = base_game();
    let catalog = pack.catalog();
    let mut game = start(&pack, &PRINCIPALITIES, 2, &[]).unwrap();
    play_on(&mut game, |game| in_phase(game, "turn"));
    let giver = catalog.faction("masovia").unwrap();
    let plays: Vec<String> = game.asides(giver).unwrap().iter().map(|play| play.key(catalog)).collect();
    for play in &plays {
        let traded = ["card-gold ", "card-people ", "card-clergy "].iter().any(|verb| play.starts_with(verb));
        assert!(traded || play.starts_with("give "), "{play} is neither a trade with the bank nor a gift");
        assert!(!play.starts_with("give masovia"), "a gift to oneself");
    }
    let (before, theirs) = (counter(&game, "gold", "masovia"), counter(&game, "gold", "silesia"));
    let gift = game.asides(giver).unwrap().into_iter().find(|play| play.key(catalog) == "give silesia 2").unwrap();
    game.play_aside(giver, gift).unwrap();
    assert_eq!((counter(&game, "gold", "masovia"), counter(&game, "gold", "silesia")), (before - 2, theirs + 2));
}

// Variants -----------------------------------------------------------------------------------------------------------

/// PR-CMP-07, PR-NPL-14, PR-NPL-05, PR-DYN-28
#[test]
fn variants_change_the_setup() {
    let pack = base_game();
    for (seats, active, tiles) in [(4, 1, 0), (3, 1, 3), (2, 1, 2), (3, 0, 0)] {
        let mut game = start(&pack, &PRINCIPALITIES[..seats], 1, &[("active-variant", active)]).unwrap();
        play_on(&mut game, |game| in_phase(game, "missions"));
        let held: BTreeSet<String> =
            PRINCIPALITIES[..seats].iter().flat_map(|seat| cards_in(&game, "combined", Some(seat))).collect();
        assert_eq!(held.len(), tiles, "{seats} players, active {active}");
        for unled in &PRINCIPALITIES[seats..] {
            assert!(
                cards_in(&game, "tokens", Some(unled)).is_empty() && cards_in(&game, "heirs", Some(unled)).is_empty()
            );
        }
    }
    let heir = |options: &[(&str, i32)]| {
        let game = start(&pack, &PRINCIPALITIES, 1, options).unwrap();
        let hands = PRINCIPALITIES.iter().flat_map(|seat| cards_in(&game, "hand", Some(seat)));
        hands.chain(cards_in(&game, "court-deck", None)).filter(|card| card == "heir").count()
    };
    assert_eq!((heir(&[]), heir(&[("no-elimination", 1)])), (1, 0));
}

/// PR-INT-04: borders never change; PR-NBR-26: a major Neighbor never loses a figure;
/// PR-UNT-03: nobody has two Princes.
#[test]
fn what_no_game_changes() {
    let pack = base_game();
    let catalog = pack.catalog();
    let homes: Vec<Option<FactionId>> = catalog.spaces.iter().map(|space| space.home).collect();
    for number in 0..4 {
        let mut game = pack.game(pack.host(), number);
        let mut bot = RandomBot::new(number);
        while let Some(answer) = next_answer(&mut game, &mut bot) {
            give(&mut game, &answer).unwrap();
            let mut figures: BTreeMap<&str, usize> = BTreeMap::new();
            let mut princes: BTreeMap<Option<FactionId>, usize> = BTreeMap::new();
            for (id, piece) in game.table().world.pieces().filter(|(_, piece)| piece.space().is_some()) {
                let kind = &catalog.kinds[catalog.pieces[id.index()].kind.index()].id;
                if let Some(owner) = piece.owner() {
                    if ["knight", "footman"].contains(&kind.as_str()) {
                        *figures.entry(catalog.factions[owner.index()].id.as_str()).or_default() += 1;
                    }
                    if kind == "prince" {
                        *princes.entry(Some(owner)).or_default() += 1;
                    }
                }
            }
            for neighbor in ["german-marches", "kingdom-of-bohemia", "kingdom-of-hungary", "rus-fiefdoms"] {
                assert_eq!(figures.get(neighbor), Some(&4), "{neighbor}, game {number}");
            }
            assert!(princes.values().all(|count| *count == 1), "game {number}");
        }
        let causes = ["coronation", "princeps", "dynasty-ended", "last-survivor", "draw", "solo-lost"];
        let cause = game.outcome().unwrap().cause;
        assert!(causes.contains(&catalog.symbols.name(cause.index())), "PR-VIC-18");
        assert_eq!(homes, catalog.spaces.iter().map(|space| space.home).collect::<Vec<_>>());
    }
}

// Bots ---------------------------------------------------------------------------------------------------------------

/// A bot that can be crowned in a Council summons it.
#[test]
fn a_greedy_king_is_crowned() {
    let pack = base_game();
    let catalog = pack.catalog();
    let silesia = catalog.faction("silesia").unwrap();
    let mut game = start(&pack, &["silesia"], 4, &[]).unwrap();
    play_on(&mut game, |game| asked(game, "plan.token"));
    let place = |table: &mut Table, kind: &str, owner: Option<FactionId>, at: &str| {
        let at = catalog.spaces.iter().position(|space| space.id == at).map(SpaceId::at).unwrap();
        assert!(table.place(catalog.kind(kind).unwrap(), owner, at).is_some());
    };
    let readied = game.edit(|table| {
        for track in ["people", "clergy"] {
            table.set(catalog.counter(track).unwrap(), 10, Value::Faction(silesia)).unwrap();
        }
        place(table, "capital-city", None, "vratislavia");
        for city in ["glogovia", "legnecium"] {
            place(table, "city", None, city);
        }
        for small in ["lubus", "crosna", "svidnicia"] {
            place(table, "civitas", None, small);
        }
        Ok(())
    });
    readied.unwrap();
    assert_eq!(counter(&game, "might", "silesia"), 10);
    let mut bot = GreedyBot::new(1);
    for _ in 0..60 {
        let Some(ask) = game.pending().first().map(|ask| (*ask).clone()) else { break };
        let choice = bot.choose(&game, &ask);
        game.answer(ask.seat, choice).unwrap();
    }
    let outcome = game.outcome().expect("crowned within one Round");
    assert_eq!((outcome.winner, catalog.symbols.name(outcome.cause.index())), (Some(silesia), "coronation"));
}
