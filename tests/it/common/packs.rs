//! The packs of the repository, and a toy.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use principes_content::LoadOptions;
use principes_core::bots::{Bot, RandomBot};
use principes_core::*;
use principes_model::Loaded;
use principes_scripting::LuaHost;
use principes_source::{MemoryPack, PackSource, folder};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of all tests and all sources.
pub fn sources() -> String {
    let mut open = vec![root().to_path_buf()];
    let mut text = String::new();
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                open.push(path);
            } else if name.ends_with(".rs") {
                text += &std::fs::read_to_string(path).unwrap();
            }
        }
    }
    text
}

/// Folders of all packs: the base game and everything under `mods/`. `PRINCIPES_ONLY` selects one of them.
pub fn pack_folders() -> Vec<PathBuf> {
    let only = std::env::var("PRINCIPES_ONLY").ok();
    let mut folders = vec![root().join("content/principes")];
    folders.extend(principes_content::packs::folders_in(&root().join("mods")));
    folders.sort();
    folders.retain(|folder| only.as_ref().is_none_or(|only| folder.ends_with(only)));
    assert!(!folders.is_empty(), "there is no such pack");
    folders
}

pub fn options() -> LoadOptions {
    let search = vec![root().join("content"), root().join("mods")];
    LoadOptions { search, ..LoadOptions::default() }
}

/// Loads packs, or fails with everything that is wrong with them.
pub fn load(packs: &[Arc<dyn PackSource>]) -> Loaded {
    principes_content::load(packs, &options())
        .unwrap_or_else(|findings| panic!("{}", principes_findings::print_human(&findings, false)))
}

/// A pack with what it needs, ready to be played.
pub struct Pack {
    pub name: String,
    pub loaded: Loaded,
    host: OnceCell<LuaHost>,
}

impl Pack {
    pub fn of(loaded: Loaded) -> Self {
        let name = loaded.packs.last().unwrap().manifest.id.to_string();
        Pack { name, loaded, host: OnceCell::new() }
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.loaded.catalog
    }

    /// A new host, in which nothing has run yet.
    pub fn fresh_host(&self) -> LuaHost {
        self.loaded.host().unwrap_or_else(|findings| panic!("{}", principes_findings::print_human(&findings, false)))
    }

    /// The shared host.
    pub fn host(&self) -> &LuaHost {
        self.host.get_or_init(|| self.fresh_host())
    }

    /// The configuration of a game by its number, which varies the seed, the number of seats, and the variant.
    pub fn config(&self, number: u64) -> GameConfig {
        let catalog = self.catalog();
        let rounds = usize::try_from(number).unwrap();
        let mut options = Vec::new();
        let (mut least, mut most) = catalog.seats;
        // Every second game has no variant; variants share the others.
        if rounds % 2 == 1 && !catalog.variants.is_empty() {
            let variant = &catalog.variants[rounds / 2 % catalog.variants.len()];
            options.clone_from(&variant.options);
            (least, most) = (least.max(variant.seats.0), most.min(variant.seats.1));
        }
        let seats = usize::from(most) - rounds % usize::from(most - least + 1);
        // Vary which factions play.
        let seats = (0..seats).map(|seat| FactionId::at((seat + rounds) % catalog.playable)).collect();
        GameConfig { seats, seed: number, options }
    }

    pub fn game(&self, host: &LuaHost, number: u64) -> Game<LuaHost> {
        let config = self.config(number);
        let started = Game::new(Arc::clone(self.catalog()), host.clone(), config);
        started.unwrap_or_else(|error| panic!("{}: game {number} does not start: {error}", self.name))
    }
}

/// The pack in a folder of the repository, with what it needs. It is loaded once for all tests of the program; each gets
/// a host of its own.
pub fn pack(path: impl AsRef<Path>) -> Pack {
    static LOADED: Mutex<BTreeMap<PathBuf, Arc<OnceLock<Loaded>>>> = Mutex::new(BTreeMap::new());
    let path = root().join(path);
    // A test that fails to load a pack holds no lock, so that only the tests of this pack fail.
    let loaded = Arc::clone(LOADED.lock().entry(path.clone()).or_default());
    Pack::of(loaded.get_or_init(|| load(&[folder(path)])).clone())
}

/// All packs, each with what it needs.
pub fn packs() -> Vec<Pack> {
    pack_folders().into_iter().map(pack).collect()
}

/// The games, each with what it needs. `tests/it/mods.rs` plays extensions, with fewer games.
pub fn whole_games() -> Vec<Pack> {
    packs().into_iter().filter(|pack| pack.loaded.manifest.id.as_str() == pack.name).collect()
}

/// The limit of decisions in one game.
pub const DECISION_CAP: usize = 20_000;

/// The next action of a random player: an answer, or sometimes an aside.
pub fn next_answer(game: &mut Game<LuaHost>, bot: &mut RandomBot) -> Option<Answer> {
    let seats: Vec<SeatId> = game.table().world.seats().collect();
    let asked = game.pending().first().map(|ask| (*ask).clone())?;
    if let Some(seat) = seats.get(game.record().len() % seats.len().max(1))
        && let Some(option) = bot.aside(game, *seat)
    {
        return Some(Answer { seat: *seat, option, aside: true });
    }
    let option = bot.choose(game, &asked);
    Some(Answer { seat: asked.seat, option, aside: false })
}

pub fn give(game: &mut Game<LuaHost>, answer: &Answer) -> Result<(), AnswerError> {
    match answer.aside {
        true => game.play_aside(answer.seat, answer.option),
        false => game.answer(answer.seat, answer.option),
    }
}

/// An answer as players write it.
pub fn written(game: &Game<LuaHost>, answer: &Answer) -> String {
    let catalog = game.catalog();
    let beside = if answer.aside { " (beside)" } else { "" };
    format!("{}: {}{beside}", catalog.id_of(Value::Faction(answer.seat)), answer.option.key(catalog))
}

// A toy ------------------------------------------------------------------------------------------------------------

pub const SCRIPT: &str = r#"
local M = {}
function M.setup()
    choose(faction.red, "pick", { "left", "right" })
    set(counter.purse, 3, faction.red)
end
function M.pay(seat)
    local paid = choose(seat, "pick", function() return { { "pay", get(counter.purse, seat) }, "keep" } end)
    if paid == "pay" then
        add(counter.purse, -1, seat)
        log("paid", seat)
    end
    log("rolled", roll(6))
end
function M.fail() error("as planned") end
function M.turn(seat)
    if choose(seat, "pick", { "left", "right" }) == "right" then win(seat, "right") end
end
function M.watch() add(counter.purse, 5, faction.blue) end
function M.play(self, seat) add(counter.purse, self.gain, seat) end
return M
"#;

/// The files of a tiny game.
const TOY: &[(&str, &str)] = &[
    (
        "pack.json",
        r#"{"format": 1, "id": "toy", "version": "1.0.0", "api": 1, "title": "Toy", "kind": "game", "seats": {"min": 1, "max": 2}}"#,
    ),
    (
        "factions.json",
        r#"{"factions": [{"id": "red", "playable": true, "group": "side", "color": "red"},
        {"id": "blue", "playable": true, "group": "side", "color": "blue"}]}"#,
    ),
    (
        "spaces.json",
        r#"{"spaces": [{"id": "hill", "kind": "land", "home": "red", "at": [0, 0], "adjacent": ["dale"]},
        {"id": "dale", "kind": "land", "home": null, "at": [1, 0], "adjacent": ["hill"]}]}"#,
    ),
    (
        "kinds.json",
        r#"{"kinds": [{"id": "guard", "class": "unit", "occupies": true, "supply": [{"faction": "blue", "count": 2}]}]}"#,
    ),
    (
        "counters.json",
        r#"{"counters": [{"id": "purse", "scope": "faction", "min": 0, "max": 9, "start": 1, "visible": "everyone"},
        {"id": "round", "scope": "game", "min": 0, "max": 9, "start": 0, "visible": "everyone"}]}"#,
    ),
    (
        "zones.json",
        r#"{"zones": [{"id": "deck", "scope": "game", "visible": "nobody", "active": false},
        {"id": "hand", "scope": "faction", "visible": "owner", "active": false}]}"#,
    ),
    (
        "points.json",
        r#"{"points": [{"id": "card.play", "kind": "effect", "args": ["seat"], "doc": "A card is played."}]}"#,
    ),
    (
        "cards.json",
        r#"{"cards": [{"id": "windfall", "type": "luck", "copies": 2, "zone": "deck", "params": {"gain": 2},
        "hooks": {"card.play": "toy.play"}}]}"#,
    ),
    ("decisions.json", r#"{"decisions": [{"id": "pick", "options": ["left", "right", "pay", "keep"]}]}"#),
    (
        "phases.json",
        r#"{"phases": [{"id": "setup", "run": "toy.setup"}, {"id": "rounds", "repeat": 5, "counter": "round",
        "phases": [{"id": "turns", "each": "toy.turn"}]}]}"#,
    ),
    ("procedures.json", r#"{"procedures": [{"id": "control"}]}"#),
    (
        "locale/en/all.json",
        r#"{"messages": {"pack.title": "Toy", "faction.red": "Red", "faction.blue": "Blue", "space.hill": "Hill",
        "space.dale": "Dale", "kind.guard": "Guard", "counter.purse": "Purse", "counter.round": "Round", "zone.deck": "Deck",
        "zone.hand": "Hand", "phase.setup": "Setup", "phase.rounds": "Rounds", "phase.turns": "Turns",
        "card.windfall.title": "Windfall", "card.windfall.text": "Gain {gain}.", "decision.pick": "What?",
        "option.left": "Left", "option.right": "Right", "option.pay": "Pay from {1}", "option.keep": "Keep",
        "log.paid": "{1} pays.", "log.rolled": "A {1}.", "outcome.right": "Right", "type.luck": "Luck", "word.land": "Land", "word.unit": "Unit", "word.side": "Side"}}"#,
    ),
    ("scripts/toy.lua", SCRIPT),
];

/// The text of one of the toy's files.
pub fn toy_file(path: &str) -> &'static str {
    TOY.iter().find(|(known, _)| *known == path).unwrap().1
}

/// The toy with some files added or replaced.
pub fn toy(files: &[(&str, &str)]) -> Arc<dyn PackSource> {
    let all = TOY.iter().chain(files);
    Arc::new(all.fold(MemoryPack::new("toy"), |pack, (path, text)| pack.with(path, *text)))
}
