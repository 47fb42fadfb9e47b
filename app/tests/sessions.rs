//! One session, several viewers: decisions in words, answers by key, what each viewer may read, going back and forth.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::sync::Arc;

use principes_app::packs::{OpenPacks, PackError, PackRequest};
use principes_app::session::{Session, SessionError, Spot, Undo, Undoable};
use principes_app::setup::{Player, Seating, SetupRequest, set_up};
use principes_content::LoadOptions;
use principes_core::{FactionId, Frame, SeatId};
use principes_source::{MemoryPack, PackSource};

const FIRST: SeatId = FactionId(0);
const SECOND: SeatId = FactionId(1);

fn packs(game: &str) -> OpenPacks {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mods").join(game);
    OpenPacks::open(&PackRequest { paths: vec![folder], ..PackRequest::default() }).unwrap()
}

fn session(game: &str, players: [Player; 2]) -> Session {
    let packs = packs(game);
    let request = SetupRequest { seating: Seating::List(players.to_vec()), ..SetupRequest::all(Player::Random, 3) };
    let table = set_up(&packs.catalog, &request).unwrap();
    Session::start(packs, table, "en").unwrap()
}

fn two_people() -> Session {
    session("classics/tic-tac-toe", [Player::Human, Player::Human])
}

/// Takes the first option of the seat that must choose.
fn take_first_option(session: &mut Session) {
    let decision = session.next_decision().unwrap();
    let key = session.decisions(decision.seat)[0].options[0].key.clone();
    session.answer(decision.seat, &key).unwrap();
}

#[test]
fn decisions_have_words_and_spots_on_the_board() {
    let mut session = two_people();
    assert!(session.decisions(SECOND).is_empty(), "it is the other seat's turn");
    let decisions = session.decisions(FIRST);
    let [decision] = &decisions[..] else { panic!("{decisions:?}") };
    assert!(!decision.prompt.is_empty());
    let option = &decision.options[0];
    assert!(!option.text.is_empty());
    let board = session.board(Some(FIRST));
    let [Spot::Space(space)] = &option.places[..] else { panic!("{option:?}") };
    assert!(board.spaces.iter().any(|known| known.id == *space));
    assert!(option.key.ends_with(space.as_str()));
    // All of it can be serialized.
    let json = serde_json::to_value((&decisions, &board)).unwrap();
    assert_eq!(json[0][0]["options"][0]["places"][0]["space"], *space);
    let key = option.key.clone();
    session.answer(FIRST, &key).unwrap();
    assert!(session.decisions(FIRST).is_empty());
    let taken = session.board(Some(FIRST)).spaces.iter().filter(|space| !space.pieces.is_empty()).count();
    assert_eq!(taken, 1);
}

#[test]
fn a_wrong_answer_changes_nothing() {
    let mut session = two_people();
    let key = session.decisions(FIRST)[0].options[0].key.clone();
    let before = session.record().clone();
    for (seat, key) in [(FIRST, "nonsense"), (SECOND, key.as_str())] {
        assert!(matches!(session.answer(seat, key), Err(SessionError::NotOffered(_))));
        assert_eq!(*session.record(), before);
    }
    session.answer(FIRST, &key).unwrap();
}

#[test]
fn only_the_seat_that_answered_can_take_back() {
    let mut session = two_people();
    assert_eq!(session.undo(&[FIRST]).unwrap(), Undo::Nothing);
    let start = session.game().digest();
    take_first_option(&mut session);
    assert_eq!(session.undo(&[SECOND]).unwrap(), Undo::Nothing);
    assert_eq!(session.undo(&[FIRST]).unwrap(), Undo::Done);
    assert_eq!((session.game().digest(), session.steps()), (start, 0));
    take_first_option(&mut session);
    take_first_option(&mut session);
    assert_eq!(session.undo(&[FIRST]).unwrap(), Undo::TooLate, "the other seat has answered since");
}

#[test]
fn against_bots_the_last_own_answer_is_taken_back() {
    let mut session = session("classics/connect-four", [Player::Human, Player::Random]);
    assert_eq!(session.undoable(&[FIRST]), Undoable::Nothing);
    let start = session.game().digest();
    take_first_option(&mut session);
    session.run_bots().unwrap();
    assert_eq!((session.steps(), session.undoable(&[FIRST])), (2, Undoable::To(0)));
    assert_eq!(session.undo(&[FIRST]).unwrap(), Undo::Done);
    assert_eq!((session.game().digest(), session.steps()), (start, 0));
    // The game goes on, and every answer is recorded again.
    take_first_option(&mut session);
    session.run_bots().unwrap();
    assert_eq!(session.record().answers.len(), 2);
}

#[test]
fn what_chance_has_shown_is_not_taken_back() {
    let mut session = session("classics/dice-race", [Player::Human, Player::Random]);
    let is_revealed = (0..6).any(|_| {
        session.run_bots().unwrap();
        take_first_option(&mut session);
        session.run_bots().unwrap();
        session.undoable(&[FIRST]) == Undoable::Revealed
    });
    assert!(is_revealed, "after the turn, dice have been rolled");
    let before = session.record().clone();
    assert_eq!(session.undo(&[FIRST]).unwrap(), Undo::TooLate);
    assert_eq!(*session.record(), before);
}

#[test]
fn secret_choices_are_taken_back_only_until_all_have_chosen() {
    let mut session = session("the-prince", [Player::Human, Player::Random]);
    let is_secret = |session: &Session| {
        session.game().table().world.flow().iter().any(|frame| matches!(frame, Frame::Simultaneous(_)))
    };
    let phases = |session: &Session| session.events_since(0, None).iter().filter(|line| line.is_head).count();
    let (mut open, mut closed) = (0, 0);
    for _ in 0..200 {
        session.run_bots().unwrap();
        let Some(decision) = session.next_decision() else { break };
        let (was_secret, before) = (is_secret(&session), phases(&session));
        let key = session.decisions(decision.seat)[0].options[0].key.clone();
        session.answer(decision.seat, &key).unwrap();
        session.run_bots().unwrap();
        let undoable = session.undoable(&[decision.seat]);
        if was_secret && phases(&session) == before && is_secret(&session) {
            assert!(matches!(undoable, Undoable::To(_)), "{undoable:?}");
            open += 1;
        } else if was_secret {
            assert_eq!(undoable, Undoable::Revealed);
            closed += 1;
        }
    }
    assert!(open > 0 && closed > 0, "{open} {closed}");
}

#[test]
fn the_way_from_one_moment_to_another_has_every_answer() {
    let mut session = two_people();
    for _ in 0..4 {
        take_first_option(&mut session);
    }
    let mut steps = Vec::new();
    session.trail(1, 4, |step| steps.push((step.step, step.seat, step.scene.board(None)))).unwrap();
    let seen: Vec<_> = steps.iter().map(|(step, seat, _)| (*step, *seat)).collect();
    assert_eq!(seen, [(2, SECOND), (3, FIRST), (4, SECOND)]);
    for (step, _, board) in steps {
        assert_eq!(board, session.at(step).unwrap().scene().board(None), "{step}");
    }
    assert!(matches!(session.trail(0, 5, |_| {}), Err(SessionError::NoSuchStep { .. })));
}

#[test]
fn every_moment_can_be_viewed_again() {
    let mut session = two_people();
    let mut seen = vec![(session.game().digest(), session.board(None))];
    while session.next_decision().is_some() {
        take_first_option(&mut session);
        seen.push((session.game().digest(), session.board(None)));
    }
    assert_eq!(seen.len(), session.steps() + 1);
    for (step, (digest, board)) in seen.iter().enumerate().rev() {
        let moment = session.at(step).unwrap();
        assert_eq!((moment.scene().game.digest(), &moment.scene().board(None)), (digest.clone(), board), "{step}");
    }
    assert!(matches!(session.at(seen.len()), Err(SessionError::NoSuchStep { .. })));
    assert_eq!(session.game().digest(), seen.last().unwrap().0, "viewing a moment changes nothing");
}

#[test]
fn events_are_numbered_for_each_viewer() {
    let mut session = session("classics/dice-race", [Player::Random, Player::Random]);
    session.run_bots().unwrap();
    for viewer in [None, Some(FIRST), Some(SECOND)] {
        let all = session.events_since(0, viewer);
        assert!(all.len() > 10);
        assert!(all.iter().enumerate().all(|(at, line)| line.number == at && !line.text.is_empty()));
        assert!(all.is_sorted_by_key(|line| line.step));
        assert_eq!(session.events_since(7, viewer), all[7..]);
        assert_eq!(session.events_since(all.len() + 5, viewer), []);
    }
}

#[test]
fn news_appears_once_even_after_an_undo() {
    let mut session = two_people();
    session.news(Some(FIRST));
    take_first_option(&mut session);
    let news = session.news(Some(FIRST));
    assert!(!news.is_empty());
    assert!(session.news(Some(FIRST)).is_empty());
    session.undo(&[FIRST]).unwrap();
    assert!(session.news(Some(FIRST)).is_empty());
    take_first_option(&mut session);
    assert_eq!(session.news(Some(FIRST)), news);
}

#[test]
fn a_reload_that_does_not_fit_changes_nothing() {
    let mut session = two_people();
    take_first_option(&mut session);
    let (before, board) = (session.record().clone(), session.board(None));
    assert!(session.reload(packs("classics/dice-race")).is_err());
    assert_eq!((session.record(), session.board(None)), (&before, board));
    assert_eq!(session.reload(packs("classics/tic-tac-toe")).unwrap(), 1);
    assert_eq!(*session.record(), before);
}

#[test]
fn setups_that_do_not_fit_say_why() {
    use principes_app::setup::SetupError;
    let catalog = packs("classics/tic-tac-toe").catalog;
    let all = SetupRequest::all(Player::Random, 1);
    let wrong = |request: SetupRequest| set_up(&catalog, &request).unwrap_err();
    let list = |count| Seating::List(vec![Player::Random; count]);
    assert!(matches!(wrong(SetupRequest { seating: list(3), ..all.clone() }), SetupError::SeatCount { found: 3, .. }));
    let few = SetupRequest { seating: list(2), players: Some(1), ..all.clone() };
    assert!(matches!(wrong(few), SetupError::TooManyNamed { named: 2, players: 1 }));
    let twice = Seating::Named(vec![("cross".to_owned(), Player::Random); 2]);
    assert!(matches!(wrong(SetupRequest { seating: twice, ..all.clone() }), SetupError::NamedTwice(_)));
    let variant = SetupRequest { variant: Some("winter".to_owned()), ..all.clone() };
    assert!(matches!(wrong(variant), SetupError::NoVariants { .. } | SetupError::UnknownVariant { .. }));
    let option = SetupRequest { options: [("wool".to_owned(), 3)].into(), ..all };
    assert!(matches!(wrong(option), SetupError::UnknownOption { .. }));
}

/// A game in which each of many seats is asked once, perhaps with a fog.
fn crowd(seats: usize, fog: bool) -> Result<OpenPacks, PackError> {
    let faction = |at: usize| format!(r#"{{"id": "p{at}", "playable": true, "group": "side", "color": "red"}}"#);
    let factions: Vec<String> = (0..seats).map(faction).collect();
    let manifest = format!(
        r#"{{"format": 1, "id": "crowd", "version": "1.0.0", "api": 1, "title": "Crowd", "kind": "game",
            "seats": {{"min": 2, "max": {seats}}}}}"#
    );
    let mut pack = MemoryPack::new("crowd")
        .with("pack.json", manifest)
        .with("factions.json", format!(r#"{{"factions": [{}]}}"#, factions.join(", ")))
        .with("zones.json", r#"{"zones": [{"id": "hand", "scope": "faction", "visible": "owner"}]}"#)
        .with("spaces.json", r#"{"spaces": [{"id": "field", "kind": "land", "at": [0, 0]}]}"#)
        .with(
            "kinds.json",
            r#"{"kinds": [{"id": "man", "class": "unit", "occupies": true, "supply": [{"count": 1}]}]}"#,
        )
        .with(
            "counters.json",
            r#"{"counters": [{"id": "seen", "scope": "space", "visible": "nobody", "max": 2147483647}]}"#,
        )
        .with(
            "phases.json",
            r#"{"phases": [{"id": "turn", "each": "game.turn"}, {"id": "end", "run": "game.finish"}]}"#,
        )
        .with("decisions.json", r#"{"decisions": [{"id": "go", "options": ["x", "y"], "doc": "Where."}]}"#)
        .with(
            "game.en.json",
            r#"{"messages": {"pack.title": "Crowd", "log.turn": "Turn: {1}, {2}, {3}", "outcome.over": "Over."}}"#,
        )
        .with(
            "game.lua",
            "local M = {}
function M.turn(seat)
  choose(seat, \"go\", { \"x\", \"y\" })
  local man = the_piece{}
  if not at(man) then move(man, space.field) end
  give(man, seat)
  log(\"turn\", seat, controller(space.field), #seats())
end
function M.finish() win(seats()[#seats()], \"over\") end
return M
",
        );
    if fog {
        pack = pack.with("fog.json", r#"{"procedures": [{"id": "fog", "counter": "seen"}]}"#);
    }
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    OpenPacks::load(&[Arc::new(pack) as Arc<dyn PackSource>], &options)
}

#[test]
fn everybody_plays_or_the_pack_is_refused() {
    for (seats, fog) in [(31, true), (32, false), (33, false), (63, false)] {
        let packs = crowd(seats, fog).unwrap_or_else(|error| panic!("{seats}: {error}"));
        let table = set_up(&packs.catalog, &SetupRequest::all(Player::Random, 1)).unwrap();
        let mut session = Session::start(packs, table, "en").unwrap();
        session.run_bots().unwrap();
        let mut asked: Vec<String> = session.record().answers.iter().map(|answer| answer.seat.clone()).collect();
        asked.sort();
        asked.dedup();
        assert_eq!(asked.len(), seats, "{asked:?}");
        // Each seat controls the space in its turn, and all of them play.
        for at in 0..seats {
            let line = format!("Turn: P{at}, P{at}, {seats}");
            assert!(session.log(None).contains(&line), "{line}: {:?}", session.log(None));
        }
        let winner = session.game().outcome().and_then(|outcome| outcome.winner).unwrap();
        assert_eq!(winner, *session.game().table().view(None).order.last().unwrap());
    }
    for (seats, fog) in [(32, true), (64, false), (100, false)] {
        let Err(PackError::Broken(findings)) = crowd(seats, fog) else { panic!("{seats} seats are accepted") };
        assert!(findings.iter().any(|finding| finding.is_error()), "{findings:?}");
    }
}
