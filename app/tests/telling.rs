//! What players read: each fact once, in the words of the game; what an option would do before it is taken.
#![allow(clippy::unwrap_used, missing_docs)]

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::session::{OptionInWords, Session, groups};
use principes_app::setup::{Player, Seating, SetupRequest, set_up};
use principes_core::{Decision, SeatId, Value};

fn packs() -> OpenPacks {
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
