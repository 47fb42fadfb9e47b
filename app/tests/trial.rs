//! "Try this card now" ends exactly where the card can be played, or says what was tried.
//!
//! `PRINCIPES_TRIALS=<answers>` tries every card of every pack with a hook, with this budget for each, and prints the
//! counts. Without it, a sample of the cards is tried.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::save::Save;
use principes_app::setup::{Player, SetupRequest};
use principes_app::trial::{TrialError, Tried, search};
use principes_core::bots::{self, Players};
use principes_core::*;
use principes_scripting::LuaHost;

const ALL: &str = "PRINCIPES_TRIALS";
/// The answers for each card of the sample.
const BUDGET: u64 = 2_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folders of all packs.
fn packs() -> Vec<PathBuf> {
    let mut all = vec![root().join("content/principes")];
    for place in ["mods", "mods/classics"] {
        let entries = std::fs::read_dir(root().join(place)).unwrap().map(|entry| entry.unwrap().path());
        all.extend(entries.filter(|path| path.join("pack.json").is_file()));
    }
    all.sort();
    all
}

fn open(pack: &Path) -> OpenPacks {
    let search = ["content", "mods", "mods/classics"].map(|place| root().join(place)).to_vec();
    OpenPacks::open(&PackRequest { paths: vec![pack.to_owned()], search, ..PackRequest::default() }).unwrap()
}

fn setup() -> SetupRequest {
    SetupRequest { first: Player::Human, ..SetupRequest::all(Player::Random, 1) }
}

fn find(packs: &OpenPacks, card: DesignId, most: u64) -> Result<Save, TrialError> {
    search(packs, &setup(), card, &mut |tried: &Tried| tried.answers >= most)
}

/// Whether the person is asked at the end of a record, and an option that names the card makes it act. Everything is
/// played again, with another host.
fn is_right(packs: &OpenPacks, save: &Save, card: DesignId) -> bool {
    let host = packs.host().unwrap();
    let setup = save.setup(&packs.catalog).unwrap();
    let mut game = packs.start(&host, setup.config.clone()).unwrap();
    save.replay(&mut game, true).unwrap();
    let people: Vec<SeatId> =
        setup.players.iter().filter(|(_, player)| *player == Player::Human).map(|(seat, _)| *seat).collect();
    let names = |option: &DecisionOption| {
        option.args.iter().any(|value| match value {
            Value::Card(of) => packs.catalog.cards[of.index()] == card,
            Value::Design(of) => *of == card,
            _ => false,
        })
    };
    let mut options: Vec<(SeatId, DecisionOption, bool)> = Vec::new();
    for decision in game.pending().into_iter().filter(|decision| people.contains(&decision.seat)) {
        options.extend(
            decision.options.iter().filter(|option| names(option)).map(|option| (decision.seat, *option, false)),
        );
    }
    for seat in people {
        let asides = game.asides(seat).unwrap();
        options.extend(asides.into_iter().filter(|option| names(option)).map(|option| (seat, option, true)));
    }
    options.into_iter().any(|(seat, option, is_aside)| acts(packs, &host, game.clone(), card, (seat, option, is_aside)))
}

/// Whether a hook of the card runs soon after an option, or its hooks become live.
fn acts(
    packs: &OpenPacks,
    host: &LuaHost,
    mut game: Game<LuaHost>,
    card: DesignId,
    of: (SeatId, DecisionOption, bool),
) -> bool {
    let hooks = &packs.catalog.designs[card.index()].listeners;
    let runs = || hooks.iter().map(|listener| host.hook_runs()[listener.hook.index()]).sum::<u64>();
    let live = |game: &Game<LuaHost>| {
        let copies = (0..packs.catalog.cards.len()).filter(|copy| packs.catalog.cards[*copy] == card).map(CardId::at);
        let kind = |copy: CardId| packs.catalog.zone_list[game.table().world.card_zone(copy).index()].0;
        copies.filter(|copy| packs.catalog.zones[kind(*copy).index()].active).count()
    };
    let (before, live_before) = (runs(), live(&game));
    let (seat, option, is_aside) = of;
    if is_aside {
        game.play_aside(seat, option).unwrap()
    } else {
        game.answer(seat, option).unwrap()
    }
    let seats = (0..packs.catalog.playable).map(SeatId::at);
    let mut players: Players<LuaHost> =
        seats.filter_map(|seat| Some((seat, Player::Random.bot(&packs.catalog, 1, None)?))).collect();
    for _ in 0..12 {
        if hooks.is_empty()
            || runs() > before
            || live(&game) > live_before
            || !bots::step(&mut game, &mut players).unwrap()
        {
            break;
        }
    }
    hooks.is_empty() || runs() > before || live(&game) > live_before
}

#[test]
fn the_position_is_one_in_which_the_card_can_be_played() {
    let budget = std::env::var(ALL).ok().map(|budget| budget.parse::<u64>().unwrap());
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut found, mut tried) = (0, 0);
    for pack in packs() {
        let packs = open(&pack);
        let home = packs.loaded.packs.last().unwrap().manifest.id.to_string();
        let own =
            packs.loaded.entities.iter().filter(|entity| entity.family.key() == "cards" && entity.packs[0] == home);
        let with_hooks: Vec<DesignId> = own
            .filter_map(|entity| packs.catalog.design(&entity.id))
            .filter(|design| !packs.catalog.designs[design.index()].listeners.is_empty())
            .collect();
        // A few of each pack, not always the same kind.
        let step = if budget.is_some() { 1 } else { with_hooks.len().div_ceil(2).max(1) };
        for design in with_hooks.iter().copied().skip(step / 3).step_by(step) {
            let spec = &packs.catalog.designs[design.index()];
            let points: Vec<&str> = spec
                .listeners
                .iter()
                .map(|listener| packs.catalog.points[listener.point.index()].id.as_str())
                .collect();
            let row = counts.entry(format!("{home}: {}", points.join(" + "))).or_default();
            (row.1, tried) = (row.1 + 1, tried + 1);
            match find(&packs, design, budget.unwrap_or(BUDGET)) {
                Ok(save) => {
                    assert!(is_right(&packs, &save, design), "{home}: `{}` cannot be played there", spec.id);
                    (row.0, found) = (row.0 + 1, found + 1);
                }
                Err(error) => {
                    let told = error.to_string();
                    assert!(matches!(error, TrialError::NotFound(_)) && told.contains("games with"), "{told}");
                    if budget.is_some() {
                        eprintln!("{home}: {}: {told}", spec.id);
                    }
                }
            }
        }
    }
    for (what, (found, of)) in &counts {
        eprintln!("{found:>4} of {of:<4} {what}");
    }
    eprintln!("{found} of {tried} cards with hooks");
    assert!(found > 0 && tried > found, "{found} of {tried}");
}

#[test]
fn a_card_of_which_there_is_one_is_found() {
    let packs = open(&root().join("content/principes"));
    let card = "papal-legate";
    let design = packs.catalog.design(card).unwrap();
    assert_eq!(packs.catalog.designs[design.index()].copies, 1);
    let save = find(&packs, design, 60_000).unwrap();
    assert!(is_right(&packs, &save, design), "{card}");
}

#[test]
fn a_card_without_hooks_is_found_where_it_moves() {
    // A tile is chosen first, and laid then.
    let packs = open(&root().join("mods/classics/lanes"));
    let card = packs.catalog.design("straight-lane").unwrap();
    let save = find(&packs, card, 20_000).unwrap();
    assert!(is_right(&packs, &save, card));
}

#[test]
fn a_card_that_no_seat_plays_says_why() {
    let packs = open(&root().join("content/principes"));
    let point = packs.catalog.points.iter().position(|point| point.id == "history.reveal").unwrap();
    let is_revealed = |design: &&catalog::Design| {
        design.listeners.iter().all(|listener| listener.point.index() == point) && !design.listeners.is_empty()
    };
    let card = packs.catalog.designs.iter().find(is_revealed).unwrap();
    let card = packs.catalog.design(&card.id).unwrap();
    let error = find(&packs, card, 1_500).unwrap_err();
    let TrialError::NotFound(tried) = &error else { panic!("{error}") };
    assert!(tried.games > 0 && tried.answers >= 1_500, "{tried:?}");
    assert!(error.to_string().contains("; "), "{error}");
}
