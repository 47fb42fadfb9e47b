//! Which packs are loaded, and in what order: manifests, `requires`, `optional`, `conflicts`, the search for missing
//! packs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use principes_findings::budget::MOST_NAMED_PACKS;
use principes_findings::{Code, Finding, did_you_mean, listing};
pub use principes_json::MemberPart;
use principes_json::{escape, parse, schema};
pub use principes_model::{After, OrderReason, PackEntry};
use principes_schemas::{Pack, PackKind};
use principes_source::{self as source, PackSource, built_in};
use semver::{Version, VersionReq};
use serde::Deserialize as _;

/// Version of the content formats that this program reads.
pub const FORMAT: u32 = 1;
/// Version of the script interface that this program offers.
pub const API: u32 = 1;

/// The folders in which to look for required packs: `content`, `mods`, and those in `PRINCIPES_PATH`.
pub fn search_path(principes_path: Option<&std::ffi::OsStr>) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("content"), PathBuf::from("mods")];
    folders
        .extend(principes_path.into_iter().flat_map(std::env::split_paths).filter(|path| !path.as_os_str().is_empty()));
    folders
}

/// The given packs and all that they require, each after those that it requires. Packs with broken manifests are left
/// out.
pub fn resolve(
    given: &[Arc<dyn PackSource>],
    search: &[PathBuf],
    game: Option<&str>,
    findings: &mut Vec<Finding>,
) -> Vec<PackEntry> {
    let mut entries: BTreeMap<String, PackEntry> = BTreeMap::new();
    for source in given {
        let Some(entry) = read_manifest(source, findings) else { continue };
        if let Some(first) = entries.get(entry.id()) {
            let message = format!("pack `{}` is given twice", entry.id());
            findings.push(
                entry
                    .finding(Code::DuplicateId, "/id", MemberPart::Value, message)
                    .help(format!("the first is {}", first.document.file)),
            );
            continue;
        }
        entries.insert(entry.id().to_owned(), entry);
    }
    let beside: BTreeSet<PathBuf> = given.iter().filter_map(|source| source.beside()).collect();
    let folders: Vec<PathBuf> = beside.into_iter().chain(search.iter().cloned()).collect();
    add_required(&mut entries, &folders, findings);
    check_versions(&entries, &folders, findings);
    let sorted = order(&entries);
    report_circles(&entries, &sorted, findings);
    let chosen: BTreeSet<String> = choose(&entries, &sorted, game, findings).into_iter().collect();
    entries.retain(|id, _| chosen.contains(id));
    // Sorted again without the packs of other games, so that the reasons name only packs that are loaded.
    let sorted = order(&entries);
    sorted.into_iter().filter_map(|(id, reason)| Some(PackEntry { reason, ..entries.remove(&id)? })).collect()
}

/// Reads `pack.json`.
pub fn read_manifest(source: &Arc<dyn PackSource>, findings: &mut Vec<Finding>) -> Option<PackEntry> {
    if let Some(refusal) = source.refusal() {
        let file = source.label(&refusal.entry);
        findings.push(Finding::new(Code::RefusedArchive, file, refusal.message.as_str()).help(refusal.help.as_str()));
        return None;
    }
    let file = source.label("pack.json");
    let bytes = match source.read("pack.json") {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            findings.push(
                Finding::new(Code::NoManifest, file, "there is no pack.json")
                    .help("add a pack.json to the top folder of the pack; `principes new NAME` writes one"),
            );
            return None;
        }
        Err(error) => {
            findings.push(Finding::new(Code::Unreadable, file, format!("cannot read the file: {error}")));
            return None;
        }
    };
    let document = parse(0, "pack.json", &file, &bytes, findings).ok()?;
    // An unknown format would only cause misleading schema errors.
    let number = |key: &str| document.value.get(key).and_then(serde_json::Value::as_u64);
    let mut known = true;
    for (key, ours, what) in [("format", FORMAT, "content format"), ("api", API, "script interface")] {
        if let Some(theirs) = number(key).filter(|&n| n != u64::from(ours)) {
            let message = format!("the pack needs {what} {theirs}, but this program has {ours}");
            let help = if theirs > u64::from(ours) { "use a newer version of the program" } else { "update the pack" };
            findings.push(
                document.finding(Code::OtherProgramVersion, &format!("/{key}"), MemberPart::Value, message).help(help),
            );
            known = false;
        }
    }
    if !known {
        return None;
    }
    let violations = schema::check("pack", &document.value);
    let broken = !violations.is_empty();
    for violation in violations {
        let pointer = violation.pointer.clone();
        findings.push(violation.finding_in(&document, &pointer));
    }
    if broken {
        return None;
    }
    let manifest = match Pack::deserialize(&*document.value) {
        Ok(manifest) => manifest,
        Err(error) => {
            findings.push(document.finding(Code::UnfitValue, "", MemberPart::Value, error.to_string()));
            return None;
        }
    };
    let named = manifest.requires.len() + manifest.optional.len() + manifest.conflicts.len();
    if named > MOST_NAMED_PACKS {
        let message = format!("the manifest names {named} other packs; at most {MOST_NAMED_PACKS} are allowed");
        let finding = document.finding(Code::BudgetExceeded, "", MemberPart::Value, message);
        findings.push(finding.help("name only packs that the pack builds on or conflicts with"));
        return None;
    }
    if manifest.kind == PackKind::Game && manifest.seats.is_none() {
        findings.push(
            document
                .finding(Code::MissingField, "", MemberPart::Value, "missing field `seats`")
                .help("a game declares its number of seats: \"seats\": {\"min\": 2, \"max\": 4}"),
        );
        return None;
    }
    Some(PackEntry { source: Arc::clone(source), manifest, document, reason: OrderReason::default() })
}

fn add_required(entries: &mut BTreeMap<String, PackEntry>, folders: &[PathBuf], findings: &mut Vec<Finding>) {
    let mut missing: BTreeSet<String> = BTreeSet::new();
    loop {
        let wanted = entries.values().flat_map(|entry| entry.manifest.requires.keys()).cloned();
        let Some(id) = wanted.into_iter().find(|id| !entries.contains_key(id) && !missing.contains(id)) else { break };
        let ranges: Vec<VersionReq> = entries
            .values()
            .filter_map(|entry| VersionReq::parse(entry.manifest.requires.get(&id)?.as_str()).ok())
            .collect();
        let fits = |version: &Version| ranges.iter().all(|range| range.matches(version));
        let found = candidates(&id, folders);
        // If no version fits, the first pack found is loaded and reported.
        let best = found.iter().find(|found| found.version.as_ref().is_some_and(fits)).or(found.first());
        match best.and_then(|found| read_manifest(&found.source, findings)) {
            Some(entry) => {
                entries.insert(id, entry);
            }
            None => {
                missing.insert(id);
            }
        }
    }
    let known = if missing.is_empty() { BTreeSet::new() } else { known_ids(folders) };
    for entry in entries.values() {
        for id in entry.manifest.requires.keys().filter(|id| missing.contains(*id)) {
            let at = format!("/requires/{}", escape(id));
            let near = did_you_mean(id, known.iter().map(String::as_str));
            let places: Vec<String> =
                folders.iter().map(|folder| folder.to_string_lossy().replace('\\', "/")).collect();
            let help = near.unwrap_or_else(|| format!("looked in {}", listing(&places)));
            findings.push(
                entry
                    .finding(Code::MissingPack, &at, MemberPart::Key, format!("required pack `{id}` not found"))
                    .help(help),
            );
        }
    }
}

/// A pack with a certain id.
struct Candidate {
    source: Arc<dyn PackSource>,
    version: Option<Version>,
}

/// All packs with an id, in the order of the folders. The one inside the program is last.
fn candidates(id: &str, folders: &[PathBuf]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    for folder in folders {
        let named = folder.join(id);
        let others = folders_in(folder).into_iter().filter(|path| *path != named).chain(packed_in(folder));
        for path in std::iter::once(named.clone()).chain(others) {
            let key = path.canonicalize().unwrap_or_else(|_| path.clone());
            if seen.contains(&key) {
                continue;
            }
            let Some((source, value)) = quick_manifest(&path) else { continue };
            if value.id.as_deref() == Some(id) {
                let version = value.version.and_then(|version| Version::parse(&version).ok());
                found.push(Candidate { source, version });
                seen.insert(key);
            }
        }
    }
    let inside = built_in().iter().map(|pack| Arc::new(pack.clone()) as Arc<dyn PackSource>);
    found.extend(inside.filter_map(|source| {
        let manifest = brief_manifest(&*source).filter(|manifest| manifest.id.as_deref() == Some(id))?;
        Some(Candidate { source, version: manifest.version.and_then(|version| Version::parse(&version).ok()) })
    }));
    found
}

fn known_ids(folders: &[PathBuf]) -> BTreeSet<String> {
    let id = |path: PathBuf| quick_manifest(&path)?.1.id;
    let inside = built_in().iter().filter_map(|pack| brief_manifest(pack)?.id);
    folders.iter().flat_map(|folder| folders_in(folder)).filter_map(id).chain(inside).collect()
}

/// The pack with an id as `requires` and `--game` find it: in these folders, or else inside the program.
pub fn find_pack(id: &str, folders: &[PathBuf]) -> Result<Arc<dyn PackSource>, Option<String>> {
    let found = candidates(id, folders).into_iter().next().map(|found| found.source);
    found.ok_or_else(|| did_you_mean(id, known_ids(folders).iter().map(String::as_str)))
}

/// The folders of packs inside a folder, sorted. Also looks one level deeper, for packs in subfolders.
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

/// The packed packs inside a folder, sorted.
fn packed_in(place: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| source::is_packed(path)).collect();
    found.sort();
    found
}

/// The fields of a manifest that are needed to find a pack. The rest is not kept.
#[derive(serde::Deserialize)]
struct BriefManifest {
    id: Option<String>,
    version: Option<String>,
}

/// The manifest of a folder or packed file, even if other parts of the pack are wrong.
fn quick_manifest(path: &Path) -> Option<(Arc<dyn PackSource>, BriefManifest)> {
    let source = source::open(path).ok()?;
    let manifest = brief_manifest(&*source)?;
    Some((source, manifest))
}

fn brief_manifest(source: &dyn PackSource) -> Option<BriefManifest> {
    let bytes = source.read("pack.json").ok()?;
    // The check of the pack reports a byte order mark.
    serde_json::from_slice(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes)).ok()
}

fn check_versions(entries: &BTreeMap<String, PackEntry>, folders: &[PathBuf], findings: &mut Vec<Finding>) {
    for entry in entries.values() {
        let manifest = &entry.manifest;
        if let Err(error) = Version::parse(manifest.version.as_str()) {
            let message = format!("`{}` is not a version: {error}", manifest.version);
            findings.push(
                entry.finding(Code::BadVersion, "/version", MemberPart::Value, message).help("write it as `1.2.3`"),
            );
        }
        let lists =
            [("requires", &manifest.requires), ("optional", &manifest.optional), ("conflicts", &manifest.conflicts)];
        for (key, list) in lists {
            for (id, range) in list.iter() {
                let at = format!("/{key}/{}", escape(id));
                let range = match VersionReq::parse(range.as_str()) {
                    Ok(range) => range,
                    Err(error) => {
                        let message = format!("`{range}` is not a version range: {error}");
                        findings.push(
                            entry
                                .finding(Code::BadVersion, &at, MemberPart::Value, message)
                                .help("write it as `^1.2`, `>=1.0, <2.0` or `*`"),
                        );
                        continue;
                    }
                };
                let Some(other) = entries.get(id) else { continue };
                let Some(version) = other.version() else { continue };
                let its_version = format!("`{id}` {version}");
                if key != "conflicts" && !range.matches(&version) {
                    let fitting = candidates(id, folders).into_iter().find_map(|found| {
                        found.version.filter(|other| range.matches(other)).map(|v| (v, found.source))
                    });
                    let help = match fitting {
                        Some((fitting, source)) => format!("use `{id}` {fitting} from {}", source.label("")),
                        None => format!(
                            "if the pack works with {version}, widen the range to `{}`",
                            widened(&range, &version)
                        ),
                    };
                    let verb = if key == "requires" { "needs" } else { "works only with" };
                    let message = format!("the pack {verb} `{id}` {range}, but {version} is loaded");
                    findings.push(
                        entry
                            .finding(Code::UnsuitablePack, &at, MemberPart::Value, message)
                            .label(other.label("/version", MemberPart::Value, its_version.clone()))
                            .help(help),
                    );
                }
                // If both name each other, one finding is enough.
                let reported = other.manifest.conflicts.contains_key(entry.id()) && other.id() < entry.id();
                if key == "conflicts" && range.matches(&version) && !reported {
                    let message = format!("the pack conflicts with `{id}` {version}");
                    findings.push(
                        entry
                            .finding(Code::ConflictingPacks, &at, MemberPart::Key, message)
                            .label(other.label("/version", MemberPart::Value, its_version))
                            .help("leave one of them out"),
                    );
                }
            }
        }
    }
}

/// A version range that includes a version that the present one excludes.
fn widened(range: &VersionReq, version: &Version) -> String {
    let later = range
        .comparators
        .iter()
        .all(|part| (part.major, part.minor, part.patch) < (version.major, Some(version.minor), Some(version.patch)));
    if later && !range.comparators.is_empty() { format!("^{version}") } else { format!(">={version}") }
}

/// The packs in order: each after those that its manifest puts before it, and otherwise by id. Packs in a cycle, and
/// those that need them, are left out.
fn order(entries: &BTreeMap<String, PackEntry>) -> Vec<(String, OrderReason)> {
    let mut done: Vec<(String, OrderReason)> = Vec::new();
    loop {
        let placed = |id: &str| done.iter().any(|(other, _)| other == id);
        let ready = |entry: &PackEntry| entry.earlier().all(|(_, id)| placed(id) || !entries.contains_key(id));
        let mut next = entries.values().filter(|entry| !placed(entry.id()) && ready(entry));
        let Some(entry) = next.next() else { return done };
        let before = next.map(|other| other.id().to_owned()).collect();
        let after = |(key, id): (&'static str, &String)| {
            let list = if key == "requires" { &entry.manifest.requires } else { &entry.manifest.optional };
            Some(After {
                id: id.clone(),
                range: list.get(id)?.to_string(),
                optional: key == "optional",
                line: entry.document.line(&format!("/{key}/{}", escape(id))),
            })
        };
        let after = entry.earlier().filter(|(_, id)| entries.contains_key(*id)).filter_map(after).collect();
        done.push((entry.id().to_owned(), OrderReason { after, before }));
    }
}

fn report_circles(
    entries: &BTreeMap<String, PackEntry>,
    sorted: &[(String, OrderReason)],
    findings: &mut Vec<Finding>,
) {
    let left: BTreeMap<&str, &PackEntry> = entries
        .values()
        .filter(|entry| !sorted.iter().any(|(id, _)| id == entry.id()))
        .map(|entry| (entry.id(), entry))
        .collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for start in left.keys() {
        let mut path: Vec<(&str, &'static str)> = Vec::new();
        let mut at = *start;
        let circle = loop {
            if let Some(first) = path.iter().position(|(id, _)| *id == at) {
                break Some(&path[first..]);
            }
            if !seen.insert(at) {
                break None;
            }
            // The remaining packs are in cycles.
            let Some((key, next)) = left[at].earlier().find(|(_, id)| left.contains_key(id.as_str())) else {
                break None;
            };
            path.push((at, key));
            at = next;
        };
        let Some(circle) = circle else { continue };
        let link = |n: usize| {
            let (id, key) = circle[n];
            let next = circle[(n + 1) % circle.len()].0;
            let verb = if key == "requires" { "requires" } else { "comes after" };
            (left[id], format!("/{key}/{}", escape(next)), format!("`{id}` {verb} `{next}`"))
        };
        let names: Vec<&str> = circle.iter().map(|(id, _)| *id).collect();
        let (entry, at, _) = link(0);
        let message = match names.as_slice() {
            [one] => format!("the pack `{one}` requires itself"),
            several => format!("packs require each other in a cycle: {}", listing(several)),
        };
        let finding =
            entry.finding(Code::CircularPacks, &at, MemberPart::Key, message).help("remove one of these requirements");
        findings.push((1..circle.len()).fold(finding, |finding, n| {
            let (entry, at, message) = link(n);
            finding.label(entry.label(&at, MemberPart::Key, message))
        }));
    }
}

/// The game with an id, or else with a title or a folder of this name.
fn game_named<'a>(name: &str, games: &[&'a String], entries: &BTreeMap<String, PackEntry>) -> Option<&'a String> {
    let wanted = name.to_lowercase();
    let is_called = |id: &&&String| {
        let entry = &entries[id.as_str()];
        let folder = Path::new(&entry.document.file).parent().and_then(Path::file_name);
        let folder = folder.map(|folder| folder.to_string_lossy().to_lowercase());
        entry.manifest.title.to_lowercase() == wanted || folder.as_ref() == Some(&wanted)
    };
    games.iter().find(|id| id.as_str() == name).or_else(|| games.iter().find(is_called)).copied()
}

/// The packs of the game: the game itself, what it requires, and the extensions of these.
fn choose(
    entries: &BTreeMap<String, PackEntry>,
    sorted: &[(String, OrderReason)],
    game: Option<&str>,
    findings: &mut Vec<Finding>,
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
    let order = || sorted.iter().map(|(id, _)| id);
    let games: Vec<&String> = order().filter(|id| is_game(id)).collect();
    let outermost: Vec<&&String> =
        games.iter().filter(|id| !games.iter().any(|other| other != *id && closure(other).contains(**id))).collect();
    let chosen = match game {
        Some(wanted) => match game_named(wanted, &games, entries) {
            Some(id) => id.clone(),
            None => {
                let help = did_you_mean(wanted, games.iter().map(|id| id.as_str()));
                let help = help.unwrap_or_else(|| format!("the games here are {}", listing(&games)));
                findings.push(Finding::new(Code::NotOneGame, wanted, format!("unknown game `{wanted}`")).help(help));
                return Vec::new();
            }
        },
        None => match outermost.as_slice() {
            [only] => (**only).clone(),
            [] => {
                // A broken manifest has already been reported.
                if let Some(entry) = entries.values().next()
                    && !findings.iter().any(Finding::is_error)
                {
                    findings.push(
                        entry
                            .finding(
                                Code::NotOneGame,
                                "/kind",
                                MemberPart::Value,
                                "no game is loaded, only extensions".to_owned(),
                            )
                            .help("name the game in `requires`, or load it too"),
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
                            Code::NotOneGame,
                            "/kind",
                            MemberPart::Value,
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
    order().filter(|id| belongs(id)).cloned().collect()
}
