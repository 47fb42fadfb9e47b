//! Which packs a command works on, and what is needed to play them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use principes_content::diagnostic::{Diagnostic, print_human};
use principes_content::load::{LoadOptions, Loaded, Stage, check};
use principes_content::packs::{find_pack, folders_in, search_path};
use principes_content::source::{PackSource, base_game, folder, is_packed, open};
use principes_core::{Catalog, Game, GameConfig};
use principes_scripting::LuaHost;

use crate::out;
use crate::save::{PackRef, start_words};
use crate::words::Words;

pub use principes_content::diagnostic::nearest;
pub use principes_content::scenario::hook_name;

/// `; did you mean …?` behind a name that is none of these; nothing where none is near.
pub fn hint<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(wrong, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// The script host of all commands.
pub type Host = LuaHost;

/// Which packs.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PackArgs {
    /// A pack to load; may be repeated. The base game unless said.
    #[arg(long = "pack", value_name = "PATH")]
    pub packs: Vec<PathBuf>,
    /// Which game: one of several that are loaded, or, without --pack, one under content/, mods/ and PRINCIPES_PATH.
    #[arg(long, value_name = "ID")]
    pub game: Option<String>,
}

/// Packs that can be played.
pub struct Ready {
    /// All that was loaded.
    pub loaded: Loaded,
    /// What the kernel needs.
    pub catalog: Arc<Catalog>,
    /// The packs by id and version, in load order.
    pub packs: Vec<PackRef>,
    /// Folders whose files were read.
    pub folders: Vec<PathBuf>,
}

impl Ready {
    /// What was loaded, ready to be played.
    pub fn new(loaded: Loaded) -> Self {
        let reference = |pack: &principes_content::load::PackInfo| PackRef {
            id: pack.manifest.id.to_string(),
            version: pack.manifest.version.to_string(),
        };
        Ready {
            catalog: loaded.catalog.clone(),
            packs: loaded.packs.iter().map(reference).collect(),
            folders: loaded.packs.iter().filter_map(|pack| pack.folder.clone()).collect(),
            loaded,
        }
    }

    /// Without what playing does not need, for those who need the memory.
    pub fn only_to_play(self) -> Self {
        Ready { loaded: self.loaded.only_to_play(), ..self }
    }

    /// A script host; each thread needs its own.
    pub fn host(&self) -> Result<Host> {
        self.loaded.host().map_err(|findings| refuse(&findings))
    }

    /// A script host that works with a copy of the catalog.
    pub fn host_of(&self, catalog: Arc<Catalog>) -> Result<Host> {
        self.loaded.host_with(catalog, LuaHost::new).map_err(|findings| refuse(&findings))
    }

    /// A game of these packs.
    pub fn start(&self, host: &Host, config: GameConfig) -> Result<Game<Host>> {
        Game::new(self.catalog.clone(), host.clone(), config).map_err(|error| anyhow!("{}", start_words(&error)))
    }

    /// Names and sentences in a language.
    pub fn words(&self, language: &str) -> Words {
        Words::new(self.catalog.clone(), self.loaded.messages.clone(), language)
    }

    /// Fails where neither the game nor another pack has a language.
    pub fn require_language(&self, language: &str) -> Result<()> {
        let mut all: Vec<&str> = Vec::new();
        let others = self.loaded.packs.iter().flat_map(|pack| &pack.manifest.languages);
        for known in self.loaded.manifest.languages.iter().chain(others) {
            if !all.contains(&known.as_str()) {
                all.push(known);
            }
        }
        if !all.contains(&language) {
            bail!("there is no language `{language}`; the packs have: {}", all.join(", "));
        }
        Ok(())
    }
}

/// Loads packs to be played, without their scenarios. What is wrong with them is told on standard error.
pub fn load(args: &PackArgs) -> Result<Ready> {
    let options = options(args.game.as_deref(), Stage::Scripts);
    ready(&given(args)?, &LoadOptions { scenarios: false, ..options })
}

/// The packs that are meant, without those they require.
pub fn given(args: &PackArgs) -> Result<Vec<Arc<dyn PackSource>>> {
    match &args.game {
        Some(game) if args.packs.is_empty() => Ok(vec![named(game)?]),
        _ => sources(&args.packs),
    }
}

/// Loads given packs, to be played or tested.
pub fn load_sources(given: &[Arc<dyn PackSource>], game: Option<&str>) -> Result<Ready> {
    ready(given, &options(game, Stage::Scripts))
}

fn ready(given: &[Arc<dyn PackSource>], options: &LoadOptions) -> Result<Ready> {
    let checked = check(given, options);
    match checked.loaded {
        Some(loaded) => Ok(Ready::new(loaded)),
        None => Err(refuse(&checked.findings)),
    }
}

/// Tells what is wrong with packs that cannot be played, and gives the error that says so.
pub fn refuse(findings: &[Diagnostic]) -> anyhow::Error {
    let errors: Vec<Diagnostic> = findings.iter().filter(|finding| finding.is_error()).cloned().collect();
    out::note(print_human(&errors, true).trim_end());
    let count = errors.len();
    anyhow!("the packs have {count} error{}", if count == 1 { "" } else { "s" })
}

/// How packs are loaded: required ones are looked for in the usual places.
pub fn options(game: Option<&str>, until: Stage) -> LoadOptions {
    let search = search_path(std::env::var_os("PRINCIPES_PATH").as_deref());
    LoadOptions { game: game.map(str::to_owned), search, until, ..LoadOptions::default() }
}

/// The packs at some paths; with none the base game.
pub fn sources(paths: &[PathBuf]) -> Result<Vec<Arc<dyn PackSource>>> {
    if paths.is_empty() {
        return Ok(vec![base()]);
    }
    paths.iter().map(|path| source(path)).collect()
}

/// The game with an id, wherever packs are looked for.
fn named(game: &str) -> Result<Arc<dyn PackSource>> {
    let search = options(None, Stage::Scripts).search;
    find_pack(game, &search).map_err(|_| {
        let games = games(&search);
        let ids: Vec<&str> = games.keys().map(String::as_str).collect();
        // Somebody may know it by its title or its folder only.
        let names = games.iter().flat_map(|(id, names)| names.iter().map(move |name| (name.as_str(), id)));
        let names: BTreeMap<&str, &String> = names.collect();
        let wanted = game.to_lowercase();
        let near = names.get(wanted.as_str()).copied().or_else(|| {
            let name = nearest(&wanted, names.keys().copied())?;
            names.get(name.as_str()).copied()
        });
        let near = near.map(|id| format!("; did you mean `{id}`?")).unwrap_or_default();
        anyhow!(
            "there is no game `{game}` under content/, mods/ or PRINCIPES_PATH; there are: {}{near}",
            ids.join(", ")
        )
    })
}

/// The games in some folders and the one inside the program: their ids, each with its names in lower case.
fn games(search: &[PathBuf]) -> BTreeMap<String, BTreeSet<String>> {
    let folders = search.iter().flat_map(|place| folders_in(place));
    let found = folders.map(|path| (path.file_name().map(|name| name.to_string_lossy().into_owned()), folder(path)));
    let mut games: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, source) in found.chain([(None, base_game())]) {
        let Ok(bytes) = source.read("pack.json") else { continue };
        let Ok(manifest) = serde_json::from_slice::<serde_json::Value>(&bytes) else { continue };
        let Some(id) = manifest["id"].as_str().filter(|_| manifest["kind"] == "game") else { continue };
        let title = manifest["title"].as_str().map(str::to_owned);
        let names = [Some(id.to_owned()), title, name].into_iter().flatten().map(|name| name.to_lowercase());
        games.entry(id.to_owned()).or_default().extend(names);
    }
    games
}

/// The pack at a path.
pub fn source(path: &Path) -> Result<Arc<dyn PackSource>> {
    if !path.exists() {
        bail!("there is no pack at `{}`", path.display());
    }
    if !path.is_dir() && !is_packed(path) {
        bail!("`{}` is no pack: neither a folder nor a zip file", path.display());
    }
    open(path).with_context(|| format!("`{}` is no pack", path.display()))
}

/// The base game: from its folder under `content/` where that is there, so that edits apply; else from the program.
pub fn base() -> Arc<dyn PackSource> {
    let embedded = base_game();
    let on_disk = embedded.read("pack.json").ok().and_then(|bytes| {
        let manifest: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
        let path = Path::new("content").join(manifest.get("id")?.as_str()?);
        path.join("pack.json").is_file().then_some(path)
    });
    on_disk.map_or(embedded, folder)
}

/// Where packs are, unless the user says where.
pub const PLACES: [&str; 2] = ["content", "mods"];

/// The folders of packs under `content/` and `mods/`; where there are none, the pack that we stand in.
pub fn here() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = PLACES.iter().flat_map(|place| folders_in(Path::new(place))).collect();
    if found.is_empty() && Path::new("pack.json").is_file() {
        found.push(PathBuf::from("."));
    }
    found
}

/// The folders of packs under some paths: a pack itself, or the packs inside a folder. With no path, what
/// lies [`here`].
pub fn under(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if paths.is_empty() {
        found = here();
        if found.is_empty() {
            bail!("there is no pack here, and none under content/ or mods/: name the path of one");
        }
        return Ok(found);
    }
    for path in paths {
        if !path.exists() {
            bail!("there is nothing at `{}`", path.display());
        }
        if is_packed(path) {
            found.push(path.clone());
            continue;
        }
        // A file of a pack stands for its pack.
        let pack = path.ancestors().find(|above| above.join("pack.json").is_file());
        match pack {
            Some(pack) => found.push(pack.to_path_buf()),
            None => {
                let packs = folders_in(path);
                if packs.is_empty() {
                    // The check says what is missing there.
                    found.push(path.clone());
                }
                found.extend(packs);
            }
        }
    }
    found.dedup();
    Ok(found)
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first digits of the SHA-256 of some bytes.
pub fn digest(bytes: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    hex(&Sha256::digest(bytes)).chars().take(12).collect()
}
