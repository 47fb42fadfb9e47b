//! Which packs take part, and in which order: manifests, `requires`, `conflicts`, the search for missing packs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use principes_schemas::{Pack, PackKind};
use semver::{Version, VersionReq};

use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::document::{self, Document, Part, escape};
use crate::source::{DiskPack, EmbeddedPack, PackSource};
use crate::validate::{self, listing};

/// Version of the content formats that this program reads.
pub const FORMAT: u32 = 1;
/// Version of the script interface that this program offers.
pub const API: u32 = 1;

/// A pack with its manifest.
pub struct PackEntry {
    /// Where its files are.
    pub source: Arc<dyn PackSource>,
    /// What its manifest says.
    pub manifest: Pack,
    /// The manifest's file.
    pub document: Document,
}

impl PackEntry {
    fn id(&self) -> &str {
        self.manifest.id.as_str()
    }

    fn finding(&self, code: &'static str, pointer: &str, part: Part, message: String) -> Diagnostic {
        self.document.finding(code, pointer, part, message)
    }
}

/// The folders in which required packs are looked for beside the given ones: `content`, `mods`, and those of a
/// `PRINCIPES_PATH`.
pub fn search_path(principes_path: Option<&std::ffi::OsStr>) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("content"), PathBuf::from("mods")];
    folders
        .extend(principes_path.into_iter().flat_map(std::env::split_paths).filter(|path| !path.as_os_str().is_empty()));
    folders
}

/// The given packs and all that they require, each after what it requires. Packs whose manifest is broken are missing.
pub fn resolve(
    given: &[Arc<dyn PackSource>],
    search: &[PathBuf],
    game: Option<&str>,
    findings: &mut Vec<Diagnostic>,
) -> Vec<PackEntry> {
    let mut entries: BTreeMap<String, PackEntry> = BTreeMap::new();
    for source in given {
        let Some(entry) = read_manifest(source, findings) else { continue };
        if let Some(first) = entries.get(entry.id()) {
            let message = format!("pack `{}` is given twice", entry.id());
            findings.push(
                entry
                    .finding("P0201", "/id", Part::Value, message)
                    .help(format!("the first is {}", first.document.file)),
            );
            continue;
        }
        entries.insert(entry.id().to_owned(), entry);
    }
    add_required(&mut entries, given, search, findings);
    check_versions(&entries, findings);
    let order = order(&entries, findings);
    let chosen = choose(&entries, &order, game, findings);
    chosen.into_iter().filter_map(|id| entries.remove(&id)).collect()
}

/// Reads `pack.json`.
pub fn read_manifest(source: &Arc<dyn PackSource>, findings: &mut Vec<Diagnostic>) -> Option<PackEntry> {
    let file = source.label("pack.json");
    let bytes = match source.read("pack.json") {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            findings.push(
                Diagnostic::new("P0010", file, "there is no pack.json")
                    .help("every pack has a pack.json in its outermost folder; `principes new NAME` writes one"),
            );
            return None;
        }
        Err(error) => {
            findings.push(Diagnostic::new("P0001", file, format!("the file cannot be read: {error}")));
            return None;
        }
    };
    let document = document::parse(0, "pack.json", &file, bytes, findings).ok()?;
    // A format this program does not know would only give misleading schema errors.
    let number = |key: &str| document.value.get(key).and_then(serde_json::Value::as_u64);
    let mut known = true;
    for (key, ours, what) in [("format", FORMAT, "content format"), ("api", API, "script interface")] {
        if let Some(theirs) = number(key).filter(|&n| n != u64::from(ours)) {
            let message = format!("the pack wants {what} {theirs}; this program has {ours}");
            let help = if theirs > u64::from(ours) { "use a newer program" } else { "bring the pack up to date" };
            findings.push(document.finding("P0203", &format!("/{key}"), Part::Value, message).help(help));
            known = false;
        }
    }
    if !known {
        return None;
    }
    let issues = validate::check("pack", &document.value);
    let broken = !issues.is_empty();
    for issue in issues {
        let pointer = issue.pointer.clone();
        findings.push(issue.finding_in(&document, &pointer));
    }
    if broken {
        return None;
    }
    let manifest: Pack = match serde_json::from_value(document.value.clone()) {
        Ok(manifest) => manifest,
        Err(error) => {
            findings.push(document.finding("P0109", "", Part::Value, error.to_string()));
            return None;
        }
    };
    if manifest.kind == PackKind::Game && manifest.seats.is_none() {
        findings.push(
            document
                .finding("P0103", "", Part::Value, "the field `seats` is missing")
                .help("a game says for how many seats it is: \"seats\": {\"min\": 2, \"max\": 4}"),
        );
        return None;
    }
    Some(PackEntry { source: Arc::clone(source), manifest, document })
}

fn add_required(
    entries: &mut BTreeMap<String, PackEntry>,
    given: &[Arc<dyn PackSource>],
    search: &[PathBuf],
    findings: &mut Vec<Diagnostic>,
) {
    let beside: BTreeSet<PathBuf> = given.iter().filter_map(|source| source.beside()).collect();
    let folders: Vec<PathBuf> = beside.into_iter().chain(search.iter().cloned()).collect();
    let mut missing: BTreeSet<String> = BTreeSet::new();
    loop {
        let wanted = entries.values().flat_map(|entry| entry.manifest.requires.keys()).cloned();
        let Some(id) = wanted.into_iter().find(|id| !entries.contains_key(id) && !missing.contains(id)) else { break };
        match find(&id, &folders).and_then(|source| read_manifest(&source, findings)) {
            Some(entry) => {
                entries.insert(id, entry);
            }
            None => {
                missing.insert(id);
            }
        }
    }
    for entry in entries.values() {
        for id in entry.manifest.requires.keys().filter(|id| missing.contains(*id)) {
            let at = format!("/requires/{}", escape(id));
            let near = did_you_mean(id, known_ids(&folders).iter().map(String::as_str));
            let places: Vec<String> =
                folders.iter().map(|folder| folder.to_string_lossy().replace('\\', "/")).collect();
            let help = near.unwrap_or_else(|| format!("looked in {}", listing(&places)));
            findings.push(
                entry.finding("P0204", &at, Part::Key, format!("the required pack `{id}` is not found")).help(help),
            );
        }
    }
}

fn find(id: &str, folders: &[PathBuf]) -> Option<Arc<dyn PackSource>> {
    let on_disk = folders.iter().find_map(|folder| {
        let named = folder.join(id);
        if quick_id(&named).as_deref() == Some(id) {
            return Some(named);
        }
        folders_in(folder).into_iter().find(|path| quick_id(path).as_deref() == Some(id))
    });
    if let Some(path) = on_disk {
        return Some(Arc::new(DiskPack::new(path)));
    }
    let embedded: Arc<dyn PackSource> = Arc::new(EmbeddedPack);
    let entry = read_manifest(&embedded, &mut Vec::new())?;
    (entry.id() == id).then_some(embedded)
}

fn known_ids(folders: &[PathBuf]) -> BTreeSet<String> {
    folders.iter().flat_map(|folder| folders_in(folder)).filter_map(|path| quick_id(&path)).collect()
}

/// The pack with an id, as `requires` and the choice of a game find it: in some folders, else the base game.
pub fn find_pack(id: &str, folders: &[PathBuf]) -> Result<Arc<dyn PackSource>, Option<String>> {
    find(id, folders).ok_or_else(|| did_you_mean(id, known_ids(folders).iter().map(String::as_str)))
}

/// The folders of packs inside a folder, sorted; also one level deeper, where packs are sorted into folders.
pub fn folders_in(place: &Path) -> Vec<PathBuf> {
    let list = |place: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    };
    let is_pack = |path: &PathBuf| path.join("pack.json").is_file();
    list(place)
        .into_iter()
        .flat_map(|path| if is_pack(&path) { vec![path] } else { list(&path).into_iter().filter(is_pack).collect() })
        .collect()
}

/// The id in a folder's manifest, whatever else is wrong with it.
fn quick_id(folder: &Path) -> Option<String> {
    let bytes = DiskPack::new(folder).read("pack.json").ok()?;
    let value: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    value.get("id")?.as_str().map(str::to_owned)
}

fn check_versions(entries: &BTreeMap<String, PackEntry>, findings: &mut Vec<Diagnostic>) {
    for entry in entries.values() {
        let manifest = &entry.manifest;
        if let Err(error) = Version::parse(manifest.version.as_str()) {
            let message = format!("`{}` is no version: {error}", manifest.version);
            findings.push(entry.finding("P0211", "/version", Part::Value, message).help("write it as `1.2.3`"));
        }
        let both = [("requires", &manifest.requires), ("conflicts", &manifest.conflicts)];
        for (key, list) in both {
            for (id, range) in list.iter() {
                let at = format!("/{key}/{}", escape(id));
                let range = match VersionReq::parse(range.as_str()) {
                    Ok(range) => range,
                    Err(error) => {
                        let message = format!("`{range}` is no range of versions: {error}");
                        findings.push(
                            entry
                                .finding("P0211", &at, Part::Value, message)
                                .help("write it as `^1.2`, `>=1.0, <2.0` or `*`"),
                        );
                        continue;
                    }
                };
                let Some(other) = entries.get(id) else { continue };
                let Ok(version) = Version::parse(other.manifest.version.as_str()) else { continue };
                if key == "requires" && !range.matches(&version) {
                    let message = format!("the pack needs `{id}` {range}, but {version} is loaded");
                    findings.push(
                        entry
                            .finding("P0205", &at, Part::Value, message)
                            .help(format!("load another version of `{id}` ({})", other.document.file)),
                    );
                }
                if key == "conflicts" && range.matches(&version) {
                    let message = format!("the pack cannot be loaded together with `{id}` {version}");
                    findings.push(entry.finding("P0206", &at, Part::Key, message).help("leave one of them out"));
                }
            }
        }
    }
}

/// Each pack after what it requires; where that leaves a choice, by id.
fn order(entries: &BTreeMap<String, PackEntry>, findings: &mut Vec<Diagnostic>) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    loop {
        let ready =
            |entry: &PackEntry| entry.manifest.requires.keys().all(|id| done.contains(id) || !entries.contains_key(id));
        let next = entries.iter().find(|(id, entry)| !done.contains(id) && ready(entry));
        match next {
            Some((id, _)) => done.push(id.clone()),
            None => break,
        }
    }
    let left: Vec<&PackEntry> = entries.iter().filter(|(id, _)| !done.contains(id)).map(|(_, entry)| entry).collect();
    if let Some(first) = left.first() {
        let names: Vec<&str> = left.iter().map(|entry| entry.id()).collect();
        let message = format!("packs require each other in a circle: {}", listing(&names));
        findings
            .push(first.finding("P0207", "/requires", Part::Key, message).help("one of them must not need the others"));
    }
    done
}

/// The game's packs among those loaded: the game, what it requires, and the extensions of either.
fn choose(
    entries: &BTreeMap<String, PackEntry>,
    order: &[String],
    game: Option<&str>,
    findings: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let closure = |id: &str| {
        let mut all: BTreeSet<String> = BTreeSet::new();
        let mut open = vec![id.to_owned()];
        while let Some(id) = open.pop() {
            if let Some(entry) = entries.get(&id)
                && all.insert(id)
            {
                open.extend(entry.manifest.requires.keys().cloned());
            }
        }
        all
    };
    let is_game = |id: &str| entries.get(id).is_some_and(|entry| entry.manifest.kind == PackKind::Game);
    let games: Vec<&String> = order.iter().filter(|id| is_game(id)).collect();
    let outermost: Vec<&&String> =
        games.iter().filter(|id| !games.iter().any(|other| other != *id && closure(other).contains(**id))).collect();
    let chosen = match game {
        Some(wanted) => match games.iter().find(|id| id.as_str() == wanted) {
            Some(id) => (**id).clone(),
            None => {
                let help = did_you_mean(wanted, games.iter().map(|id| id.as_str()));
                let help = help.unwrap_or_else(|| format!("the games here are {}", listing(&games)));
                findings.push(Diagnostic::new("P0208", wanted, format!("no game `{wanted}` is loaded")).help(help));
                return Vec::new();
            }
        },
        None => match outermost.as_slice() {
            [only] => (**only).clone(),
            [] => {
                // A broken manifest has said enough already.
                if let Some(entry) = entries.values().next()
                    && !findings.iter().any(Diagnostic::is_error)
                {
                    findings.push(
                        entry
                            .finding("P0208", "/kind", Part::Value, "no game is loaded, only extensions".to_owned())
                            .help("name the game in `requires`, or give its pack as well"),
                    );
                }
                return Vec::new();
            }
            several => {
                let names: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
                let entry = &entries[several[0].as_str()];
                findings.push(
                    entry
                        .finding(
                            "P0208",
                            "/kind",
                            Part::Value,
                            format!("several games are loaded: {}", listing(&names)),
                        )
                        .help("choose one with --game"),
                );
                return Vec::new();
            }
        },
    };
    let needed = closure(&chosen);
    let belongs =
        |id: &String| needed.contains(id) || closure(id).iter().all(|other| !is_game(other) || needed.contains(other));
    order.iter().filter(|id| belongs(id)).cloned().collect()
}
