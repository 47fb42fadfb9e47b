//! "Try this card now" ends exactly where the card can be played, or says what was tried.
//!
//! `PRINCIPES_TRIALS=<answers>` tries every card of every pack, with this budget for each, and prints the counts and what
//! was not found. Without it, a sample of the cards is tried.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::save::Save;
use principes_app::setup::{Player, SetupRequest};
use principes_author::trial::{Found, TrialError, Tried, Way, search};
use principes_core::bots::{self, Players};
use principes_core::*;
use principes_scripting::LuaHost;

const ALL: &str = "PRINCIPES_TRIALS";
/// The answers for each card of the sample.
const BUDGET: u64 = 20_000;
/// The most cards of a pack in the sample.
const SAMPLE: usize = 2;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
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

fn find(packs: &OpenPacks, card: DesignId, most: u64) -> Result<Found, TrialError> {
    search(packs, &setup(), card, &mut |tried: &Tried| tried.answers >= most)
}

/// The game at the end of a record, played again with another host, and the seats of people.
fn again(packs: &OpenPacks, save: &Save) -> (LuaHost, Game<LuaHost>, Vec<SeatId>) {
    let host = packs.host().unwrap();
    let setup = save.setup(&packs.catalog).unwrap();
    let mut game = packs.start(&host, setup.config.clone()).unwrap();
    save.verify(packs, &mut game).unwrap();
    let people = setup.players.iter().filter(|(_, player)| *player == Player::Human).map(|(seat, _)| *seat).collect();
    (host, game, people)
}

/// Whether the person is asked at the end, and what the search says of the card is true.
fn is_right(packs: &OpenPacks, found: &Found, card: DesignId) -> bool {
    let (host, mut game, people) = again(packs, &found.save);
    let mut options: Vec<(SeatId, DecisionOption, bool)> = Vec::new();
    for decision in game.pending().into_iter().filter(|decision| people.contains(&decision.seat)) {
        options.extend(decision.options.iter().map(|option| (decision.seat, *option, false)));
    }
    assert!(!options.is_empty() || found.way == Way::Played, "nobody is asked");
    for seat in people {
        options.extend(game.asides(seat).unwrap().into_iter().map(|option| (seat, option, true)));
    }
    let names = |option: &DecisionOption| {
        option.args.iter().any(|value| match value {
            Value::Card(of) => packs.catalog.cards[of.index()] == card,
            Value::Design(of) => *of == card,
            _ => false,
        })
    };
    match &found.way {
        Way::Played => options.retain(|(_, option, _)| names(option)),
        Way::ByItself(Some(key)) => {
            options.retain(|(_, option, _)| option.key(&packs.catalog) == *key && !names(option))
        }
        Way::ByItself(None) => return counting(packs, &game, card) > 0,
    }
    // What was chosen may need other choices first, which are made in several ways.
    let (most, ways) = if found.way == Way::Played { (12, 24) } else { (0, 1) };
    let mut all = options.iter().flat_map(|of| (0..ways).map(move |seed| (*of, seed)));
    all.any(|(of, seed)| acts(packs, &host, game.clone(), card, of, (most, seed)))
}

/// The number of copies in zones in which the card counts.
fn counting(packs: &OpenPacks, game: &Game<LuaHost>, card: DesignId) -> usize {
    let catalog = &packs.catalog;
    let copies = (0..catalog.cards.len()).filter(|copy| catalog.cards[*copy] == card).map(CardId::at);
    let kind = |copy: CardId| catalog.zone_list[game.table().world.card_zone(copy).index()].0;
    let tiles = catalog.tiles.as_ref().filter(|tiles| tiles.tile(card).is_some());
    let lays = |kind: ZoneKindId| tiles.is_some_and(|tiles| tiles.zones.contains(&kind));
    copies.filter(|copy| catalog.zones[kind(*copy).index()].active || lays(kind(*copy))).count()
}

/// Whether a hook of the card runs soon after an option, or its hooks become live.
fn acts(
    packs: &OpenPacks,
    host: &LuaHost,
    mut game: Game<LuaHost>,
    card: DesignId,
    of: (SeatId, DecisionOption, bool),
    (most, seed): (usize, u64),
) -> bool {
    let hooks = &packs.catalog.designs[card.index()].listeners;
    let runs = || hooks.iter().map(|listener| host.hook_runs()[listener.hook.index()]).sum::<u64>();
    let live = |game: &Game<LuaHost>| counting(packs, game, card);
    let (before, live_before) = (runs(), live(&game));
    let (seat, option, is_aside) = of;
    if is_aside {
        game.play_aside(seat, option).unwrap()
    } else {
        game.answer(seat, option).unwrap()
    }
    let seats = (0..packs.catalog.playable).map(SeatId::at);
    let mut players: Players<LuaHost> =
        seats.filter_map(|seat| Some((seat, Player::Random.bot(&packs.catalog, seed, None)?))).collect();
    for _ in 0..most {
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

/// The cards that a pack declares. Without `all`, a few that have hooks, not always of the same kind.
fn own_cards(packs: &OpenPacks, all: bool) -> Vec<DesignId> {
    let home = packs.loaded.packs.last().unwrap().manifest.id.to_string();
    let own = packs.loaded.entities.iter().filter(|entity| entity.family.key() == "cards" && entity.packs[0] == home);
    let own = own.filter_map(|entity| packs.catalog.design(&entity.id));
    if all {
        return own.collect();
    }
    let with_hooks: Vec<DesignId> =
        own.filter(|design| !packs.catalog.designs[design.index()].listeners.is_empty()).collect();
    let step = with_hooks.len().div_ceil(SAMPLE).max(1);
    with_hooks.into_iter().skip(step / 3).step_by(step).collect()
}

#[test]
fn the_position_is_one_in_which_the_card_can_be_played() {
    let budget = std::env::var(ALL).ok().map(|budget| budget.parse::<u64>().unwrap());
    let only = std::env::var("PRINCIPES_ONLY").ok();
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let (mut found, mut tried, mut wrong) = (0, 0, Vec::new());
    for pack in packs().into_iter().filter(|pack| only.as_ref().is_none_or(|only| pack.ends_with(only))) {
        let packs = open(&pack);
        let home = packs.loaded.packs.last().unwrap().manifest.id.to_string();
        for design in own_cards(&packs, budget.is_some()) {
            let spec = &packs.catalog.designs[design.index()];
            let row = counts.entry(home.clone()).or_default();
            (row[2], tried) = (row[2] + 1, tried + 1);
            match find(&packs, design, budget.unwrap_or(BUDGET)) {
                Ok(of) => {
                    if !is_right(&packs, &of, design) {
                        wrong.push(format!("{home}: {}: {:?}", spec.id, of.way));
                    }
                    if of.way != Way::Played {
                        eprintln!("{home}: {}: {:?}", spec.id, of.way);
                    }
                    row[usize::from(of.way != Way::Played)] += 1;
                    found += 1;
                }
                Err(error) => {
                    let told = error.to_string();
                    assert!(matches!(error, TrialError::NotFound(_)) && told.contains("games with"), "{told}");
                    eprintln!("{home}: {} ({}): {told}", spec.id, packs.catalog.symbols.name(spec.card_type.index()));
                }
            }
        }
    }
    for (what, [played, alone, of]) in &counts {
        eprintln!("{what}: {played} played and {alone} acting by themselves, of {of}");
    }
    eprintln!("{found} of {tried} cards");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(found * 10 >= tried * 9, "{found} of {tried}");
}

#[test]
fn a_card_of_which_there_is_one_is_found() {
    let packs = open(&root().join("content/principes"));
    let card = "papal-legate";
    let design = packs.catalog.design(card).unwrap();
    assert_eq!(packs.catalog.designs[design.index()].copies, 1);
    let found = find(&packs, design, 60_000).unwrap();
    assert!(found.way == Way::Played && is_right(&packs, &found, design), "{card}");
}

#[test]
fn a_card_without_hooks_is_found_where_it_moves() {
    // A tile is chosen first, and laid then.
    let packs = open(&root().join("mods/classics/lanes"));
    let card = packs.catalog.design("straight-lane").unwrap();
    let found = find(&packs, card, 20_000).unwrap();
    assert!(found.way == Way::Played && is_right(&packs, &found, card));
}

#[test]
fn a_card_that_no_seat_chooses_is_shown_before_it_acts() {
    let packs = open(&root().join("content/principes"));
    let point = packs.catalog.points.iter().position(|point| point.id == "history.reveal").unwrap();
    let is_revealed = |design: &&catalog::Design| {
        design.listeners.iter().all(|listener| listener.point.index() == point) && !design.listeners.is_empty()
    };
    let card = packs.catalog.designs.iter().find(is_revealed).unwrap();
    let card = packs.catalog.design(&card.id).unwrap();
    let found = find(&packs, card, 60_000).unwrap();
    assert!(matches!(found.way, Way::ByItself(Some(_))) && is_right(&packs, &found, card), "{:?}", found.way);
}

#[test]
fn a_search_that_ends_early_says_what_it_tried() {
    let packs = open(&root().join("content/principes"));
    // Only a variant uses this tile.
    let card = packs.catalog.design("village-levy").unwrap();
    let error = find(&packs, card, 40).unwrap_err();
    let TrialError::NotFound(tried) = &error else { panic!("{error}") };
    assert!(tried.games > 0 && tried.answers >= 40 && tried.answers < 60, "{tried:?}");
    let told = error.to_string();
    for words in ["has not found", "games with", "a seat had the card in", "only in `box`"] {
        assert!(told.contains(words), "{told}");
    }
}
