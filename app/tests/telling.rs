//! What players read: each fact once, in the words of the game; what an option would do before it is taken.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::session::{OptionInWords, Session, groups};
use principes_app::setup::{Player, Seating, SetupRequest, set_up};
use principes_content::LoadOptions;
use principes_core::{Decision, SeatId, Value};
use principes_source::{MemoryPack, PackSource};

fn packs() -> OpenPacks {
    principes_games::install();
    OpenPacks::open(&PackRequest::default()).unwrap()
}

fn request(players: usize, lead: Option<&str>) -> SetupRequest {
    SetupRequest {
        players: Some(players),
        seating: Seating::Open,
        first: Player::Human,
        lead: lead.map(str::to_owned),
        ..SetupRequest::all(Player::Random, 7)
    }
}

fn session(players: usize, lead: &str) -> Session {
    let packs = packs();
    let table = set_up(&packs.catalog, &request(players, Some(lead))).unwrap();
    Session::start(packs, table, "en").unwrap()
}

/// Answers until an option of the person has the verb. Prefers options that plan and perform actions; otherwise takes
/// the first option.
fn play_until(session: &mut Session, verb: &str) -> Decision {
    for _ in 0..400 {
        session.run_bots().unwrap();
        let pending = session.next_decision().unwrap();
        let decision = session.open_decision(&pending);
        if decision.options.iter().any(|option| option.verb.as_deref() == Some(verb)) {
            return pending;
        }
        let wanted = ["Perform it", "Movement", "Building", "Done"];
        let fits = |option: &&OptionInWords| wanted.contains(&option.text.as_str());
        let option = decision.options.iter().find(fits).unwrap_or(&decision.options[0]);
        let key = option.key.clone();
        session.answer(pending.seat, &key).unwrap();
    }
    panic!("no decision offers `{verb}`");
}

fn space(session: &Session, id: &str) -> Value {
    Value::Space(session.game().catalog().space(id).unwrap())
}

#[test]
fn a_fact_appears_once() {
    let mut session = session(4, "polonia-minor");
    play_until(&mut session, "build");
    let log: Vec<String> = session.events_since(0, None).into_iter().map(|line| line.text).collect();
    // What a sentence of the game says is not repeated by the kernel, and numbers appear in parentheses.
    let draws: Vec<&String> = log.iter().filter(|line| line.starts_with("Silesia draws cards")).collect();
    assert_eq!(draws[0], "Silesia draws cards: 1 (Court).");
    assert!(log.contains(&"Silesia begins with 5 gold.".to_owned()));
    assert!(log.iter().any(|line| line.contains(" → ") && line.ends_with(").")), "{log:#?}");
    assert!(log.contains(&"Round 1".to_owned()));
    let noise = ["shuffled", "Court deck → Hand", "Who is performing", "is shown", "Planned actions ("];
    let loud: Vec<&String> = log.iter().filter(|line| noise.iter().any(|noise| line.contains(noise))).collect();
    assert!(loud.is_empty(), "{loud:?}");
    let twice = |line: &&[String]| line[0] == line[1];
    assert_eq!(log.windows(2).filter(twice).count(), 0);
}

#[test]
fn a_tile_that_a_sentence_lays_is_not_laid_again() {
    principes_games::install();
    let packs = OpenPacks::open(&PackRequest { game: Some("duello".to_owned()), ..PackRequest::default() }).unwrap();
    let table = set_up(&packs.catalog, &SetupRequest::all(Player::Random, 7)).unwrap();
    let mut session = Session::start(packs, table, "en").unwrap();
    while session.steps() < 60 && session.bot_step().unwrap() {}
    let log: Vec<String> = session.events_since(0, None).into_iter().map(|line| line.text).collect();
    assert!(log.iter().filter(|line| line.contains(" lays ")).count() > 3, "{log:#?}");
    for line in log.iter().filter(|line| line.contains(" lays ")) {
        let (tile, at) = line.trim_end_matches('.').split_once(" lays ").unwrap().1.split_once(" on ").unwrap();
        assert!(!log.contains(&format!("{tile} is laid on {at}")), "{log:#?}");
    }
}

#[test]
fn only_the_seat_that_draws_reads_what_it_drew() {
    let mut session = session(4, "polonia-minor");
    session.run_bots().unwrap();
    let seat = session.next_decision().unwrap().seat;
    let line = |viewer: Option<SeatId>| {
        let lines = session.events_since(0, viewer);
        let own = session.words().value(Value::Faction(seat), None);
        lines.into_iter().map(|line| line.text).find(|text| text.starts_with(&format!("{own} draws cards"))).unwrap()
    };
    let hand = session.board(Some(seat)).hand.unwrap();
    let titles: Vec<String> = hand.iter().flat_map(|zone| &zone.cards).map(|card| card.title.clone()).collect();
    assert!(titles.iter().any(|title| line(Some(seat)).contains(title.as_str())), "{}", line(Some(seat)));
    assert!(titles.iter().all(|title| !line(None).contains(title.as_str())), "{}", line(None));
}

#[test]
fn the_numbers_of_a_battle_are_the_sums_of_their_parts() {
    let (mut counted, mut fell, mut others) = (0, 0, 0);
    let mut session_of = (0..8).map(|way| (way, session(4, "polonia-minor")));
    let (mut way, mut session) = session_of.next().unwrap();
    loop {
        if let Some(battle) = session.now().battle(None) {
            assert!(battle.title.contains(&battle.strikes[0].name) && battle.title.contains(&battle.strikes[1].name));
            for strike in &battle.strikes {
                for sum in [&strike.strength, &strike.shields] {
                    assert_eq!(sum.parts.iter().map(|(_, value)| value).sum::<i32>(), sum.total, "{battle:#?}");
                    assert!(sum.parts.iter().all(|(name, value)| !name.is_empty() && *value != 0));
                    others += usize::from(sum.parts.iter().any(|(name, _)| name == "cards and rules"));
                }
                let Some(damage) = strike.damage else { continue };
                assert_eq!(damage, (strike.strength.total - strike.shields.total).max(0), "{battle:#?}");
                assert!(strike.falls.is_empty() || damage > 0);
                (counted, fell) = (counted + 1, fell + strike.falls.len());
            }
        }
        let Some(pending) = session.next_decision() else {
            if session.game().outcome().is_none() && session.bot_step().unwrap() {
                continue;
            }
            let Some(next) = session_of.next() else { break };
            (way, session) = next;
            continue;
        };
        let at = (session.steps() * (way + 1) + way) % pending.options.len();
        let option = pending.options[at].key(session.game().catalog());
        session.answer(pending.seat, &option).unwrap();
    }
    assert!(counted > 10 && fell > 0 && others > 0, "{counted} {fell} {others}");
}

#[test]
fn an_option_that_gives_up_a_card_says_so() {
    let mut session = session(4, "polonia-minor");
    let seat = play_until(&mut session, "build").seat;
    let asides = session.asides(seat).unwrap();
    let sale = asides.iter().find(|option| option.verb.as_deref() == Some("card-gold")).unwrap();
    assert!(sale.help.as_deref().unwrap().starts_with("Give up this card"), "{sale:?}");
    assert!(sale.detail.is_some(), "{sale:?}");
}

#[test]
fn an_option_says_what_it_costs() {
    let mut session = session(4, "polonia-minor");
    let pending = play_until(&mut session, "build");
    let decision = session.open_decision(&pending);
    assert!(decision.help.unwrap().contains("1 gold"));
    let preview = |verb: &str| {
        let option = decision.options.iter().find(|option| option.verb.as_deref() == Some(verb)).unwrap();
        option.preview.clone().unwrap_or_default()
    };
    // A City costs its new Might in gold: 1 if there was none.
    let becia = decision.options.iter().find(|option| option.key == "found becia").unwrap();
    assert_eq!(becia.preview.as_deref(), Some("Gold −1, Might +1"));
    assert!(preview("build").contains("Gold −1"), "{}", preview("build"));
    let before = session.game().digest();
    session.open_decision(&pending);
    assert_eq!(session.game().digest(), before, "a preview changes nothing");
}

#[test]
fn a_march_names_the_enemy_and_the_owner_of_the_borders() {
    let mut session = session(4, "polonia-minor");
    let pending = play_until(&mut session, "move");
    let from_cracovia = pending.options.iter().find(|option| option.args.last() == Some(&space(&session, "cracovia")));
    let key = from_cracovia.unwrap().key(session.game().catalog());
    session.answer(pending.seat, &key).unwrap();
    let decision = session.open_decision(&session.next_decision().unwrap());
    let note = |id: &str| decision.options.iter().find(|option| option.key == format!("to {id}")).unwrap().note.clone();
    assert_eq!(note("vratislavia").as_deref(), Some("battle with Silesia; borders of Silesia"));
    assert_eq!(note("oppolia").as_deref(), Some("borders of Silesia"));
    assert_eq!(note("sandomiria"), None);
}

#[test]
fn the_units_of_a_space_march_together() {
    let mut session = session(4, "polonia-minor");
    let pending = play_until(&mut session, "move");
    let view = session.view_for(Some(pending.seat));
    let catalog = session.game().catalog().clone();
    let cracovia = catalog.space("cracovia").unwrap();
    let sandecia = catalog.space("sandecia").unwrap();
    let all = groups(&catalog, &pending, &view);
    let group = all.iter().find(|group| group.from == cracovia).unwrap();
    assert_eq!(group.units.iter().map(|(_, count)| count).sum::<usize>(), 2);
    // The first unit is sent by hand; the others follow.
    let first = pending.options.iter().find(|option| option.args.last() == Some(&Value::Space(cracovia))).unwrap();
    session.answer(pending.seat, &first.key(&catalog)).unwrap();
    session.answer(pending.seat, "to sandecia").unwrap();
    let marched = session.follow(pending.seat, cracovia, sandecia).unwrap();
    assert_eq!((marched.followed, marched.stayed), (1, 0));
    session.answer(pending.seat, "done").unwrap();
    let here = session.view_for(None);
    let there = here.seen_pieces().filter(|(_, piece)| piece.space() == Some(sandecia)).count();
    assert_eq!(there, 2);
}

#[test]
fn a_game_of_two_uses_the_recommended_pairs() {
    // PR-NPL-01
    let catalog = packs().catalog;
    let pair = |lead: Option<&str>| {
        let table = set_up(&catalog, &request(2, lead)).unwrap();
        let ids = table.players.iter().map(|(seat, _)| catalog.id_of(Value::Faction(*seat)));
        ids.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(pair(None), "polonia-maior polonia-minor");
    assert_eq!(pair(Some("masovia")), "masovia silesia");
    assert_eq!(pair(Some("silesia")), "masovia silesia");
    assert_eq!(pair(Some("polonia-minor")), "polonia-maior polonia-minor");
}

/// A game in which a script names a card of a hidden hand in the log, in the prompt of the rival, and as the source of
/// the decision. Later, the rival is offered the card, and then it is revealed.
fn naming() -> OpenPacks {
    let script = "local M = {}
function M.setup() shuffle(zone.deck) end
function M.turn(seat)
  local rival = others(seat)[1]
  local card = draw(zone.deck, nil, zone.hand, seat)
  log(\"took\", seat, card)
  log(\"top\", top(zone.deck))
  choose(rival, \"keep\", { \"keep\", \"bury\" }, { about = { card }, source = card })
  choose(seat, \"keep\", { \"keep\", \"bury\" }, { about = { card }, source = card })
  choose(rival, \"pick\", { card }, { about = { card }, always = true })
  reveal(card)
  log(\"took\", seat, card)
  choose(rival, \"keep\", { \"keep\", \"bury\" }, { about = cards(zone.hand, rival) })
end
return M
";
    let cards = ["lion", "wolf"].map(|id| format!(r#"{{"id": "{id}", "type": "deed", "zone": "deck"}}"#)).join(", ");
    let pack = MemoryPack::new("naming")
        .with(
            "pack.json",
            r#"{"format": 1, "id": "naming", "version": "1.0.0", "api": 1, "title": "N", "kind": "game",
                "languages": ["en", "pl"], "seats": {"min": 2, "max": 2}}"#,
        )
        .with(
            "factions.json",
            r#"{"factions": [{"id": "a", "playable": true, "group": "side", "color": "red"},
                {"id": "b", "playable": true, "group": "side", "color": "blue"}]}"#,
        )
        .with(
            "zones.json",
            r#"{"zones": [{"id": "deck", "scope": "game", "visible": "nobody"},
                {"id": "hand", "scope": "faction", "visible": "owner"}]}"#,
        )
        .with("cards.json", format!(r#"{{"cards": [{cards}]}}"#))
        .with("phases.json", r#"{"phases": [{"id": "setup", "run": "game.setup"}, {"id": "turn", "each": "game.turn"}]}"#)
        .with(
            "decisions.json",
            r#"{"decisions": [{"id": "keep", "options": ["keep", "bury"], "doc": "Keep."}, {"id": "pick", "doc": "Pick."}]}"#,
        )
        .with("game.lua", script)
        .with(
            "game.en.json",
            r#"{"messages": {"pack.title": "N", "faction.a": "A", "faction.b": "B", "card.lion.title": "Lion",
                "card.lion.text": "Roars.", "card.wolf.title": "Lion", "card.wolf.text": "Roars.",
                "log.took": "{1} takes {2}.", "log.top": "{1} is on top.", "decision.keep": "Keep {1}?",
                "decision.pick": "Pick {1}."}}"#,
        )
        .with(
            "game.pl.json",
            r#"{"messages": {"log.took": "{1} bierze: {2}.", "log.top": "Na wierzchu: {1}.",
                "decision.keep": "Zatrzymać: {1}?"}}"#,
        );
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    OpenPacks::load(&[Arc::new(pack) as Arc<dyn PackSource>], &options).unwrap()
}

#[test]
fn a_card_that_a_seat_cannot_see_has_no_name() {
    for (language, [took, named, top], [keep, known, nobody]) in [
        (
            "en",
            ["A takes a card.", "A takes Lion.", "a card is on top."],
            ["Keep a card?", "Keep Lion?", "Keep nobody?"],
        ),
        (
            "pl",
            ["A bierze: karta.", "A bierze: Lion.", "Na wierzchu: karta."],
            ["Zatrzymać: karta?", "Zatrzymać: Lion?", "Zatrzymać: nikt?"],
        ),
    ] {
        let packs = naming();
        let table = set_up(&packs.catalog, &SetupRequest::all(Player::Human, 7)).unwrap();
        let mut session = Session::start(packs, table, language).unwrap();
        let [a, b] = [0, 1].map(SeatId::at);
        let told = |session: &Session, viewer: Option<SeatId>, line: &str| {
            session.log(viewer).iter().filter(|told| *told == line).count()
        };
        let asked = |session: &Session, seat: SeatId| {
            let decision = session.decisions(seat).remove(0);
            let source = decision.source.map(|source| (source.name, source.text));
            (decision.prompt, source, session.next_decision().map(|raw| session.open_decision(&raw).prompt))
        };
        for viewer in [Some(b), None] {
            assert_eq!((told(&session, viewer, took), told(&session, viewer, named)), (1, 0), "{viewer:?}");
        }
        assert_eq!((told(&session, Some(a), took), told(&session, Some(a), named)), (0, 1));
        assert!([Some(a), Some(b), None].iter().all(|viewer| told(&session, *viewer, top) == 1));
        let (prompt, source, same) = asked(&session, b);
        assert_eq!((prompt.as_str(), same.as_deref()), (keep, Some(keep)));
        assert!(source.is_some_and(|(name, text)| name != "Lion" && text.is_none()));
        session.answer(b, "keep").unwrap();
        let (prompt, source, _) = asked(&session, a);
        assert_eq!((prompt.as_str(), source), (known, Some(("Lion".to_owned(), Some("Roars.".to_owned())))));
        session.answer(a, "keep").unwrap();
        assert!(asked(&session, b).0.ends_with("Lion."), "an offered card is known");
        let pick = session.decisions(b)[0].options[0].key.clone();
        session.answer(b, &pick).unwrap();
        for viewer in [Some(a), Some(b), None] {
            assert!(told(&session, viewer, named) >= 1, "what is revealed is known to {viewer:?}");
        }
        // Nobody is nobody, and no placeholder shows its braces.
        assert_eq!(asked(&session, b).0, nobody);
    }
}

#[test]
fn a_card_that_would_be_spent_for_nothing_says_so() {
    let (mut spent, mut useful) = (0, 0);
    for seed in 1..=4 {
        let packs = packs();
        let table = set_up(&packs.catalog, &SetupRequest::all(Player::Random, seed)).unwrap();
        let mut session = Session::start(packs, table, "en").unwrap();
        while session.bot_step().unwrap() && session.steps() < 900 {
            let game = session.game();
            for decision in game.pending().into_iter().filter(|open| plays_cards(game.catalog(), open)) {
                let options = session.open_decision(decision).options;
                for (option, shown) in decision.options.iter().zip(&options) {
                    let says_so = shown.note.as_deref() == Some("has no effect now");
                    if shown.verb.as_deref() != Some("play") {
                        assert!(!says_so, "{}", shown.text);
                        continue;
                    }
                    let mut copy = game.clone();
                    copy.answer(decision.seat, *option).unwrap();
                    let is_same = copy.table().world.differs_only_in_cards(&game.table().world);
                    assert!(is_same || !says_so, "seed {seed}: {} changes the table", shown.text);
                    (spent, useful) = (spent + usize::from(says_so), useful + usize::from(!is_same));
                }
            }
        }
    }
    assert!(spent > 0 && useful > 4, "{spent} {useful}");
}

fn plays_cards(catalog: &principes_core::Catalog, decision: &Decision) -> bool {
    decision.options.iter().any(|option| option.key(catalog).starts_with("play "))
}
