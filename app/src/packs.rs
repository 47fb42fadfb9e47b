//! Finds and opens packs, and makes games from them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use principes_content::packs::{find_pack, folders_in};
use principes_content::{LoadOptions, Stage, check};
use principes_core::{Catalog, Game, GameConfig, StartError};
use principes_findings::{Finding, hint, hint_for, nearest};
use principes_model::{Loaded, PackInfo};
use principes_scripting::LuaHost;
use principes_source::{PackSource, base_game, built_in, folder, is_packed, open};
use serde::{Deserialize, Serialize};

use crate::words::Words;

/// The folders in which packs are looked for by default.
pub const PLACES: [&str; 2] = ["content", "mods"];

/// Why packs could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The path does not exist.
    #[error("`{}` does not exist{}", .0.display(), instead_of(.0))]
    Missing(PathBuf),
    /// The path is neither a folder nor a zip file.
    #[error("`{}` is not a pack: it is neither a folder nor a zip file", .0.display())]
    NotAPack(PathBuf),
    /// The file could not be read.
    #[error("cannot open `{}` as a pack: {cause}", path.display())]
    Unreadable {
        /// The path as the user gave it.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// The base game is neither in its folder nor inside the program.
    #[error("the base game was not found; give the path of a pack")]
    NoBaseGame,
    /// The default folders contain no pack.
    #[error("no pack found here or under content/ and mods/; give the path of a pack")]
    NoneHere,
    /// No pack has this id.
    #[error("unknown pack `{id}`{}", hint(near.as_deref()))]
    UnknownPack {
        /// The requested id.
        id: String,
        /// A similar known id.
        near: Option<String>,
    },
    /// No game has this id.
    #[error("unknown game `{id}`; the games are: {}{}", known.join(", "), hint(near.as_deref()))]
    UnknownGame {
        /// The requested id.
        id: String,
        /// The ids of all games.
        known: Vec<String>,
        /// A similar known name.
        near: Option<String>,
    },
    /// The packs have errors. The findings are all errors, never warnings.
    #[error("the packs have {} error{}", .0.len(), if .0.len() == 1 { "" } else { "s" })]
    Broken(Vec<Finding>),
    /// No pack has this language.
    #[error("unknown language `{wanted}`; the packs have: {}", known.join(", "))]
    NoLanguage {
        /// The requested language.
        wanted: String,
        /// The available languages.
        known: Vec<String>,
    },
}

impl PackError {
    /// The error for packs with these findings.
    pub fn broken(findings: Vec<Finding>) -> Self {
        PackError::Broken(findings.into_iter().filter(Finding::is_error).collect())
    }
}

/// Where a path that does not exist was looked for, and what is there under a name like it.
fn instead_of(path: &Path) -> String {
    let whole = if path.is_absolute() { path.to_owned() } else { Path::new(".").join(path) };
    let Some(missing) = whole.ancestors().take_while(|above| !above.exists()).last() else { return String::new() };
    let (Some(folder), Some(name)) = (missing.parent(), missing.file_name().map(|name| name.to_string_lossy())) else {
        return String::new();
    };
    let searched = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let here = format!("; `{}` has no `{name}`", searched.display());
    match names.iter().find(|there| there.to_lowercase() == name.to_lowercase()) {
        Some(there) => format!("{here}, but has `{there}`"),
        None => format!("{here}{}", hint_for(&name, names.iter().map(String::as_str))),
    }
}

/// Which packs to open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackRequest {
    /// Folders or zip files. If empty, the game of `game`, or the base game.
    pub paths: Vec<PathBuf>,
    /// The id of the game: one of several opened packs or, without paths, a game in `search`.
    pub game: Option<String>,
    /// The ids of packs that are added to it, from `search` or the program.
    pub adds: Vec<String>,
    /// The folders in which required packs are looked for.
    pub search: Vec<PathBuf>,
}

/// A pack by id and version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackRef {
    /// The id in the manifest.
    pub id: String,
    /// The version in the manifest, such as `1.2.3`.
    pub version: String,
}

/// Packs that were loaded without errors and can be played.
pub struct OpenPacks {
    /// Everything that was loaded.
    pub loaded: Loaded,
    /// The data for the kernel.
    pub catalog: Arc<Catalog>,
    /// The packs by id and version, in load order.
    pub packs: Vec<PackRef>,
    /// The folders whose files were read.
    pub folders: Vec<PathBuf>,
}

impl OpenPacks {
    /// Opens packs for playing, without their scenarios.
    ///
    /// # Errors
    /// [`PackError`]: a path does not name a pack, or the packs have errors.
    pub fn open(request: &PackRequest) -> Result<Self, PackError> {
        let options = LoadOptions {
            game: request.game.clone(),
            search: request.search.clone(),
            until: Stage::Scripts,
            scenarios: false,
            pictures: false,
            ..LoadOptions::default()
        };
        Self::load(&sources_of(request)?, &options)
    }

    /// Loads the given packs with custom options.
    ///
    /// # Errors
    /// [`PackError::Broken`].
    pub fn load(given: &[Arc<dyn PackSource>], options: &LoadOptions) -> Result<Self, PackError> {
        let checked = check(given, options);
        checked.loaded.map(OpenPacks::new).ok_or_else(|| PackError::broken(checked.findings))
    }

    /// Wraps packs that were loaded elsewhere.
    pub fn new(loaded: Loaded) -> Self {
        let reference =
            |pack: &PackInfo| PackRef { id: pack.manifest.id.to_string(), version: pack.manifest.version.to_string() };
        OpenPacks {
            catalog: loaded.catalog.clone(),
            packs: loaded.packs.iter().map(reference).collect(),
            folders: loaded.packs.iter().filter_map(|pack| pack.folder.clone()).collect(),
            loaded,
        }
    }

    /// Drops everything that playing does not need, to save memory.
    pub fn only_to_play(self) -> Self {
        OpenPacks { loaded: self.loaded.only_to_play(), ..self }
    }

    /// A script host; each thread needs its own.
    ///
    /// # Errors
    /// [`PackError::Broken`].
    pub fn host(&self) -> Result<LuaHost, PackError> {
        self.loaded.host().map_err(PackError::broken)
    }

    /// A script host with a copy of the catalog.
    ///
    /// # Errors
    /// [`PackError::Broken`].
    pub fn host_of(&self, catalog: Arc<Catalog>) -> Result<LuaHost, PackError> {
        self.loaded.host_with(catalog, LuaHost::new).map_err(PackError::broken)
    }

    /// Starts a game of these packs and runs it to its first decision.
    ///
    /// # Errors
    /// [`StartError`]: the configuration does not fit, or a setup script fails.
    pub fn start(&self, host: &LuaHost, config: GameConfig) -> Result<Game<LuaHost>, StartError> {
        Game::new(self.catalog.clone(), host.clone(), config)
    }

    /// Names and sentences in a language.
    pub fn words(&self, language: &str) -> Words {
        Words::new(self.catalog.clone(), self.loaded.messages.clone(), language)
    }

    /// Fails if no pack has the language.
    ///
    /// # Errors
    /// [`PackError::NoLanguage`].
    pub fn require_language(&self, language: &str) -> Result<(), PackError> {
        let mut known: Vec<String> = Vec::new();
        let others = self.loaded.packs.iter().flat_map(|pack| &pack.manifest.languages);
        for code in self.loaded.manifest.languages.iter().chain(others) {
            if !known.contains(code) {
                known.push(code.clone());
            }
        }
        match known.iter().any(|code| code == language) {
            true => Ok(()),
            false => Err(PackError::NoLanguage { wanted: language.to_owned(), known }),
        }
    }
}

/// The packs that a request names, without those that they require.
///
/// # Errors
/// [`PackError`]: a path does not name a pack, or no game has the id.
pub fn sources_of(request: &PackRequest) -> Result<Vec<Arc<dyn PackSource>>, PackError> {
    let mut found = match &request.game {
        Some(game) if request.paths.is_empty() => vec![game_named(game, &request.search)?],
        _ => sources(&request.paths)?,
    };
    for id in &request.adds {
        let unknown = |near| PackError::UnknownPack { id: id.clone(), near };
        found.push(find_pack(id, &request.search).map_err(unknown)?);
    }
    Ok(found)
}

/// The packs at the given paths. Default: the base game.
///
/// # Errors
/// [`PackError`]: a path does not name a pack.
pub fn sources(paths: &[PathBuf]) -> Result<Vec<Arc<dyn PackSource>>, PackError> {
    if paths.is_empty() {
        return Ok(vec![base()?]);
    }
    paths.iter().map(|path| source(path)).collect()
}

/// The pack at a path.
///
/// # Errors
/// [`PackError`]: the path does not name a pack.
pub fn source(path: &Path) -> Result<Arc<dyn PackSource>, PackError> {
    if !path.exists() {
        return Err(PackError::Missing(path.to_owned()));
    }
    if !path.is_dir() && !is_packed(path) {
        return Err(PackError::NotAPack(path.to_owned()));
    }
    open(path).map_err(|cause| PackError::Unreadable { path: path.to_owned(), cause })
}

/// The base game: from its folder under `content/`, if that exists, so that edits apply; otherwise the built-in copy.
///
/// # Errors
/// [`PackError::NoBaseGame`]: there is neither.
pub fn base() -> Result<Arc<dyn PackSource>, PackError> {
    let embedded = base_game().ok_or(PackError::NoBaseGame)?;
    let on_disk = embedded.read("pack.json").ok().and_then(|bytes| {
        let manifest: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
        let path = Path::new("content").join(manifest.get("id")?.as_str()?);
        path.join("pack.json").is_file().then_some(path)
    });
    Ok(on_disk.map_or(embedded, folder))
}

/// The game with an id, in the given folders or built in. The name of its folder and its title also find it.
fn game_named(name: &str, search: &[PathBuf]) -> Result<Arc<dyn PackSource>, PackError> {
    if let Ok(found) = find_pack(name, search) {
        return Ok(found);
    }
    let games = games(search);
    let names = games.iter().flat_map(|(id, names)| names.iter().map(move |name| (name.as_str(), id)));
    let names: BTreeMap<&str, &String> = names.collect();
    let wanted = name.to_lowercase();
    let known = names.get(wanted.as_str()).and_then(|id| find_pack(id, search).ok());
    known.ok_or_else(|| {
        let near = nearest(&wanted, names.keys().copied()).and_then(|name| names.get(name.as_str()).copied().cloned());
        PackError::UnknownGame { id: name.to_owned(), near, known: games.keys().cloned().collect() }
    })
}

/// The built-in games and the games in some folders: their ids, each with its names in lower case.
fn games(search: &[PathBuf]) -> BTreeMap<String, BTreeSet<String>> {
    let folders = search.iter().flat_map(|place| folders_in(place));
    let found = folders.map(|path| (path.file_name().map(|name| name.to_string_lossy().into_owned()), folder(path)));
    let mut games: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let inside = built_in().iter().map(|pack| {
        let source: Arc<dyn PackSource> = Arc::new(pack.clone());
        (Some(pack.folder().to_owned()), source)
    });
    for (name, source) in found.chain(inside) {
        let Ok(bytes) = source.read("pack.json") else { continue };
        let Ok(manifest) = serde_json::from_slice::<serde_json::Value>(&bytes) else { continue };
        let Some(id) = manifest["id"].as_str().filter(|_| manifest["kind"] == "game") else { continue };
        let title = manifest["title"].as_str().map(str::to_owned);
        let names = [Some(id.to_owned()), title, name].into_iter().flatten().map(|name| name.to_lowercase());
        games.entry(id.to_owned()).or_default().extend(names);
    }
    games
}

/// The folders of packs under `content/` and `mods/`. If there are none, the current folder, if it is a pack.
pub fn here() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = PLACES.iter().flat_map(|place| folders_in(Path::new(place))).collect();
    if found.is_empty() && Path::new("pack.json").is_file() {
        found.push(PathBuf::from("."));
    }
    found
}

/// The folders of packs under the given paths. A path can be a pack or a folder that holds packs. Without paths, the
/// result of [`here`].
///
/// # Errors
/// [`PackError`]: a path does not exist, or no path is given and [`here`] finds no pack.
pub fn under(paths: &[PathBuf]) -> Result<Vec<PathBuf>, PackError> {
    if paths.is_empty() {
        let found = here();
        return if found.is_empty() { Err(PackError::NoneHere) } else { Ok(found) };
    }
    let mut found = Vec::new();
    for path in paths {
        if !path.exists() {
            return Err(PackError::Missing(path.clone()));
        }
        if is_packed(path) {
            found.push(path.clone());
            continue;
        }
        // A file in a pack stands for its pack.
        if let Some(pack) = path.ancestors().find(|above| above.join("pack.json").is_file()) {
            found.push(pack.to_path_buf());
            continue;
        }
        let packs = folders_in(path);
        if packs.is_empty() {
            // The check reports that `pack.json` is missing.
            found.push(path.clone());
        }
        found.extend(packs);
    }
    found.dedup();
    Ok(found)
}
