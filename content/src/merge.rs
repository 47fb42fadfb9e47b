//! Reading the files of all packs and putting them together: documents, patches, ids, typed entities.

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_core::catalog::KernelPoints;
use principes_schemas::{self as schemas, Family};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::archive::MAX_TOTAL_BYTES;
use crate::cache::{Script, Stand};
use crate::diagnostic::{Diagnostic, Label, suggestion};
use crate::document::{self, Document, Documents, Message, Part, escape};
use crate::load::{LoadOptions, Stage};
use crate::packs::PackEntry;
use crate::patches::{self, History};
use crate::props;
use crate::recover::{self, Broken};
use crate::source::{MAX_FILES, is_safe_path, visible};
use crate::validate::{self, Ids, References, listing, singular};

/// Where an entity stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Position of its document.
    pub document: usize,
    /// Pointer to it.
    pub pointer: String,
}

/// An entity with its place.
#[derive(Clone, Debug)]
pub struct Sourced<T> {
    /// What the file says, patches applied.
    pub value: Arc<T>,
    /// Where it stands.
    pub place: Place,
}

/// One script file.
#[derive(Clone)]
pub struct ScriptFile {
    /// Module name.
    pub module: String,
    /// Path inside the pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// Its text.
    pub text: Arc<str>,
    /// What is known of it alone.
    pub(crate) known: Arc<Script>,
}

/// A message of one language.
#[derive(Clone, Debug)]
pub struct MessageEntry {
    /// What the file says.
    pub message: Arc<Message>,
    /// Where it stands.
    pub place: Place,
}

impl std::ops::Deref for MessageEntry {
    type Target = Message;
    fn deref(&self) -> &Message {
        &self.message
    }
}

/// Everything that all packs say, in load order.
#[derive(Default)]
pub struct Merged {
    /// Packs, each after what it requires.
    pub packs: Vec<PackEntry>,
    /// Files.
    pub documents: Documents,
    /// Script files.
    pub scripts: Vec<ScriptFile>,
    /// Ids that references may name.
    pub ids: Arc<Ids>,
    /// Digested content of each file that decides what happens, for the fingerprint.
    pub digest: Vec<(String, Arc<[u8]>)>,
    /// What patches did to each entity that they name.
    pub histories: BTreeMap<(Family, String), History>,
    /// What could not be read or mended, so that counts of it would mislead.
    pub broken: Broken,
    /// Props.
    pub props: Vec<Sourced<schemas::Prop>>,
    /// Factions, playable ones first.
    pub factions: Vec<Sourced<schemas::Faction>>,
    /// Spaces.
    pub spaces: Vec<Sourced<schemas::Space>>,
    /// Kinds.
    pub kinds: Vec<Sourced<schemas::Kind>>,
    /// Counters.
    pub counters: Vec<Sourced<schemas::Counter>>,
    /// Zones.
    pub zones: Vec<Sourced<schemas::Zone>>,
    /// Cards.
    pub cards: Vec<Sourced<schemas::Card>>,
    /// Rules.
    pub rules: Vec<Sourced<schemas::Rule>>,
    /// Points.
    pub points: Vec<Sourced<schemas::Point>>,
    /// Decisions.
    pub decisions: Vec<Sourced<schemas::Decision>>,
    /// Outermost phases.
    pub phases: Vec<Sourced<schemas::Phase>>,
    /// Procedures.
    pub procedures: Vec<Sourced<schemas::Procedure>>,
    /// Variants.
    pub variants: Vec<Sourced<schemas::Variant>>,
    /// Pins.
    pub pins: Vec<Sourced<schemas::Pin>>,
    /// Scenarios.
    pub scenarios: Vec<Sourced<schemas::Scenario>>,
    /// Messages.
    pub messages: Vec<MessageEntry>,
}

impl Merged {
    /// A finding about a value of an entity: `field` is a pointer inside it, empty for the entity itself.
    pub fn finding(&self, place: &Place, field: &str, code: &'static str, message: impl Into<String>) -> Diagnostic {
        let pointer = format!("{}{field}", place.pointer);
        self.documents.finding(place.document, &pointer, Part::Value, code, message)
    }

    /// The same, pointing at a key.
    pub fn finding_at_key(
        &self,
        place: &Place,
        field: &str,
        code: &'static str,
        message: impl Into<String>,
    ) -> Diagnostic {
        let pointer = format!("{}{field}", place.pointer);
        self.documents.finding(place.document, &pointer, Part::Key, code, message)
    }

    /// The finding with a fix that takes a value of an entity away.
    pub fn without(&self, finding: Diagnostic, place: &Place, field: &str) -> Diagnostic {
        let (document, pointer) = self.documents.home(place.document, &format!("{}{field}", place.pointer));
        match document.removal(&pointer) {
            Some(span) => finding.fix("take it away", span, ""),
            None => finding,
        }
    }

    /// A label at a value of an entity.
    pub fn label(&self, place: &Place, field: &str, message: impl Into<String>) -> Label {
        self.documents.label(place.document, &format!("{}{field}", place.pointer), Part::Value, message)
    }

    /// Whether a pack is loaded after another because its manifest, or that of a pack between them, says so. A pack
    /// stands on itself too.
    pub fn stands_on(&self, pack: usize, other: usize) -> bool {
        let mut open = vec![pack];
        let mut seen = BTreeSet::new();
        while let Some(at) = open.pop() {
            if at == other {
                return true;
            }
            if seen.insert(at) {
                let named = |(_, earlier): &(usize, &PackEntry)| self.packs[at].names(earlier.manifest.id.as_str());
                open.extend(self.packs.iter().enumerate().filter(named).map(|(at, _)| at));
            }
        }
        false
    }

    /// The pack that declares an entity, as its position in load order.
    pub fn pack_of(&self, place: &Place) -> usize {
        self.documents.0[place.document].pack
    }

    /// Whether a patch removed the entity.
    pub fn is_removed(&self, family: Family, id: &str) -> bool {
        let history = self.histories.get(&(family, id.to_owned()));
        history.is_some_and(|History { place, .. }| {
            self.documents.0[place.document].value.pointer(&place.pointer).is_none_or(Value::is_null)
        })
    }
}

/// Reads and merges the packs up to a stage.
pub fn merge(packs: Vec<PackEntry>, options: &LoadOptions, findings: &mut Vec<Diagnostic>) -> Merged {
    let mut merged = Merged { packs, ..Merged::default() };
    read_files(&mut merged, options, findings);
    if options.until <= Stage::Schema {
        return merged;
    }
    for twin in check_unique(&merged, findings) {
        if let Some(entity) = merged.documents.0[twin.document].value_mut().pointer_mut(&twin.pointer) {
            *entity = Value::Null;
        }
    }
    patches::apply(&mut merged, findings);
    collect_ids(&mut merged);
    check_references(&mut merged, findings);
    merged.props = gather(&merged, Family::Props, findings);
    props::check(&mut merged, findings);
    gather_all(&mut merged, findings);
    patches::check_messages(&merged, findings);
    merged
}

/// All scripts of a pack together, in bytes: what is worked out of them takes a hundred times as much.
const MAX_SCRIPT_BYTES: usize = 1 << 20;

/// Reads all files, and from [`Stage::Schema`] on looks whether they fit their schemas.
fn read_files(merged: &mut Merged, options: &LoadOptions, findings: &mut Vec<Diagnostic>) {
    let mut reading = Reading { merged, options, findings, modules: BTreeMap::new() };
    for pack in 0..reading.merged.packs.len() {
        if let Err(message) = reading.pack(pack) {
            let file = reading.merged.packs[pack].source.label("");
            reading.findings.push(Diagnostic::new("P0001", file, message));
            reading.merged.broken.anything = true;
        }
    }
}

struct Reading<'r> {
    merged: &'r mut Merged,
    options: &'r LoadOptions,
    findings: &'r mut Vec<Diagnostic>,
    /// Files of the script modules so far.
    modules: BTreeMap<String, String>,
}

impl Reading<'_> {
    /// Reads a pack; an error says why it is not read to its end.
    fn pack(&mut self, pack: usize) -> Result<(), String> {
        let source = Arc::clone(&self.merged.packs[pack].source);
        let paths = source.list().map_err(|error| format!("the pack cannot be listed: {error}"))?;
        if paths.len() > MAX_FILES {
            return Err(format!("the pack has {} files; {MAX_FILES} are allowed", paths.len()));
        }
        let mut lower: BTreeMap<String, String> = BTreeMap::new();
        let mut total = 0_u64;
        let mut scripts = 0_usize;
        for path in paths {
            let file = source.label(&path);
            if let Some(finding) = bad_name(&path, &file, &mut lower) {
                self.findings.push(finding);
                continue;
            }
            let wanted = !path.starts_with("assets/") && (self.options.scenarios || !path.starts_with("scenarios/"));
            let is_json = path.ends_with(".json") && wanted;
            let module = path.strip_prefix("scripts/").and_then(|rest| rest.strip_suffix(".lua"));
            if !is_json && module.is_none() {
                if source.is_link(&path) {
                    self.findings.push(link_refused(file));
                }
                continue;
            }
            let bytes = match self.options.cache.read(&*source, &path, &file) {
                Ok(bytes) => bytes,
                Err(error) => {
                    self.findings.push(match source.is_link(&path) {
                        true => link_refused(file),
                        false => Diagnostic::new("P0001", file, format!("the file cannot be read: {error}")),
                    });
                    self.merged.broken.anything = true;
                    continue;
                }
            };
            total += bytes.len() as u64;
            if total > MAX_TOTAL_BYTES {
                let most = MAX_TOTAL_BYTES >> 20;
                return Err(format!("the files of the pack are together longer than {most} MiB"));
            }
            scripts += if module.is_some() { bytes.len() } else { 0 };
            if module.is_some() && scripts > MAX_SCRIPT_BYTES {
                let most = MAX_SCRIPT_BYTES >> 20;
                let message = format!("with this script those of the pack are longer than {most} MiB together");
                self.findings.push(Diagnostic::new("P0001", file, message));
                self.merged.broken.anything = true;
                return Ok(());
            }
            match module {
                Some(module) => self.script(pack, module, &path, file, bytes),
                None => self.json(pack, &path, &file, bytes),
            }
        }
        Ok(())
    }

    fn script(&mut self, pack: usize, module: &str, path: &str, file: String, bytes: Arc<[u8]>) {
        let text = document::decode(&file, &bytes, self.findings);
        self.digest(pack, path, bytes);
        if let Some(first) = self.modules.insert(module.to_owned(), file.clone()) {
            self.findings.push(
                Diagnostic::new("P0303", &file, format!("two packs have a script module `{module}`"))
                    .help(format!("the first is {first}; rename one of them")),
            );
            return;
        }
        let known = self.options.cache.script(&file, &text);
        let (module, path) = (module.to_owned(), path.to_owned());
        self.merged.scripts.push(ScriptFile { module, path, file, text, known });
    }

    fn json(&mut self, pack: usize, path: &str, file: &str, bytes: Arc<[u8]>) {
        if path == "pack.json" {
            self.digest(pack, path, bytes);
            return;
        }
        let known = self.options.cache.json(path, file, &bytes);
        if !path.starts_with("scenarios/") && !path.starts_with("locale/") {
            self.digest(pack, path, Arc::clone(&known.bytes));
        }
        let mut stand = &known.first;
        self.note(stand);
        if self.options.until >= Stage::Schema {
            stand = known.fitted();
            self.note(stand);
        }
        if let Some(document) = &stand.document {
            self.merged.documents.0.push(document.of_pack(pack));
        }
    }

    /// Notes what was found in a file.
    fn note(&mut self, stand: &Stand) {
        self.findings.extend(stand.findings.iter().cloned());
        self.merged.broken.extend(&stand.broken);
    }

    /// Notes a file that decides what happens.
    fn digest(&mut self, pack: usize, path: &str, bytes: Arc<[u8]>) {
        let name = format!("{}/{path}", self.merged.packs[pack].manifest.id);
        self.merged.digest.push((name, bytes));
    }
}

/// What is wrong with a file's name. `lower` holds those before it in lower case.
fn bad_name(path: &str, file: &str, lower: &mut BTreeMap<String, String>) -> Option<Diagnostic> {
    if !is_safe_path(path) {
        let message = format!("`{}` is not a name that every system can store", visible(path));
        let help = "use letters, digits, `.`, `_` and `-`; not the names of devices such as `con`";
        return Some(Diagnostic::new("P0002", file, message).help(help));
    }
    let twin = lower.insert(path.to_ascii_lowercase(), path.to_owned())?;
    let message = format!("the name differs from `{twin}` only in upper and lower case");
    Some(Diagnostic::new("P0002", file, message).help("rename one of them: some systems cannot keep both"))
}

fn link_refused(file: String) -> Diagnostic {
    Diagnostic::new("P0001", file, "this is a link; links are not followed, because they could lead out of the pack")
        .help("put the file itself in its place")
}

/// The family of a file by its key.
pub(crate) fn family(document: &Document, findings: &mut Vec<Diagnostic>) -> Option<Family> {
    let all: Vec<&str> = Family::ALL.iter().map(|family| family.key()).collect();
    let Some(object) = document.value.as_object() else {
        findings.push(
            document
                .finding("P0011", "", Part::Value, "a content file is an object with one family key")
                .help(format!("the families are {}", listing(&all))),
        );
        return None;
    };
    let keys: Vec<&String> = object.keys().filter(|key| *key != "$schema").collect();
    let families: Vec<Family> = keys.iter().filter_map(|key| Family::with_key(key)).collect();
    match families.as_slice() {
        [one] => Some(*one),
        [] => {
            let near = keys.iter().find_map(|key| Some((key, suggestion(key, all.iter().copied())?)));
            let at = near.as_ref().map_or(String::new(), |(key, _)| format!("/{}", escape(key)));
            findings.push(
                document
                    .finding("P0011", &at, Part::Key, "the file has no family key")
                    .help(format!("the families are {}", listing(&all)))
                    .suggest(near.map(|(_, near)| near)),
            );
            None
        }
        several => {
            let names: Vec<&str> = several.iter().map(|family| family.key()).collect();
            let at = format!("/{}", names[1]);
            findings.push(
                document
                    .finding(
                        "P0011",
                        &at,
                        Part::Key,
                        format!("a file holds one family, this one has {}", listing(&names)),
                    )
                    .help("write a file for each"),
            );
            None
        }
    }
}

/// Checks a file by its schema, and mends or leaves out what does not fit.
pub(crate) fn check_schema(document: &mut Document, broken: &mut Broken, findings: &mut Vec<Diagnostic>) {
    let Some(family) = document.family else { return };
    let (issues, noted) = validate::check_noting(family.key(), &document.value);
    document.valid = issues.is_empty();
    for issue in &issues {
        findings.push(issue.clone().finding_in(document, &issue.pointer));
    }
    match document.valid {
        true => document.note(noted),
        false => recover::schema(document, &issues, broken),
    }
}

/// Gives the entities that are declared for the second time.
fn check_unique(merged: &Merged, findings: &mut Vec<Diagnostic>) -> Vec<Place> {
    let mut twins = Vec::new();
    let kernel: BTreeSet<String> = KernelPoints::declare().1.into_iter().map(|point| point.id).collect();
    let mut first: BTreeMap<(Family, usize, &str), (usize, &str)> = BTreeMap::new();
    let mut phase_file: Option<usize> = None;
    for (at, document) in merged.documents.0.iter().enumerate() {
        let Some(family) = document.family else { continue };
        if family == Family::Phases {
            match phase_file {
                None => phase_file = Some(at),
                Some(other) => findings.push(
                    document
                        .finding("P0201", "/phases", Part::Key, "the game's phases stand in two files")
                        .help("keep them in one, or patch it")
                        .label(merged.documents.label(other, "/phases", Part::Key, "the first is here")),
                ),
            }
        }
        for (pointer, id) in document.named() {
            let id = id.as_str();
            let what = singular(family.key());
            let id_pointer = || format!("{pointer}/id");
            if family == Family::Points && kernel.contains(id) {
                let message = format!("`{id}` is a hook point of the kernel");
                findings.push(
                    document
                        .finding("P0201", &id_pointer(), Part::Value, message)
                        .help("take the declaration away; it is there already"),
                );
            }
            // Scenarios of two packs may share an id: their snapshots lie in different folders.
            let scope = if family == Family::Scenarios { document.pack + 1 } else { 0 };
            match first.entry((family, scope, id)) {
                Entry::Vacant(new) => drop(new.insert((at, pointer.as_str()))),
                Entry::Occupied(other) => {
                    let (other, pointer_there) = *other.get();
                    let other = Place { document: other, pointer: pointer_there.to_owned() };
                    let patchable = merged.pack_of(&other) != document.pack;
                    let help = match patchable {
                        true => "to change an entity of another pack, write a file of `patches`",
                        false => "take one of them away, or give it another id",
                    };
                    let message = format!("the {what} `{id}` is declared twice");
                    let first_is = merged.label(&other, "/id", "the first is here");
                    let finding = document.finding("P0201", &id_pointer(), Part::Value, message);
                    findings.push(finding.help(help).label(first_is));
                    twins.push(Place { document: at, pointer: pointer.clone() });
                }
            }
        }
    }
    twins
}

fn collect_ids(merged: &mut Merged) {
    let mut ids = Ids::default();
    ids.unsure = merged.broken.unsure.clone();
    for point in KernelPoints::declare().1 {
        ids.add("points", &point.id);
    }
    for script in &merged.scripts {
        ids.add("scripts", &script.module);
    }
    for document in &merged.documents.0 {
        let Some(family) = document.family else { continue };
        document.named().iter().for_each(|(_, id)| ids.add(family.key(), id));
    }
    merged.ids = Arc::new(ids);
}

fn check_references(merged: &mut Merged, findings: &mut Vec<Diagnostic>) {
    let ids = Arc::clone(&merged.ids);
    let references = References::to(&ids);
    for at in 0..merged.documents.0.len() {
        let document = &merged.documents.0[at];
        let Some(family) = document.family.filter(|_| document.valid) else { continue };
        if matches!(family, Family::Messages | Family::Patches) {
            continue;
        }
        // Scenarios are written for their pack alone: what another one takes away, they may still name.
        let alone = || (0..merged.packs.len()).all(|other| merged.stands_on(document.pack, other));
        if family == Family::Scenarios && !alone() {
            continue;
        }
        if document.is_known_to_refer_to(&ids) {
            continue;
        }
        let issues = references.check(family, &document.value);
        for issue in &issues {
            findings.push(issue.clone().finding(&merged.documents, at));
        }
        recover::references(&mut merged.documents.0[at], &issues, &mut merged.broken);
    }
}

fn gather_all(merged: &mut Merged, findings: &mut Vec<Diagnostic>) {
    merged.factions = gather(merged, Family::Factions, findings);
    // Seat order is file order; powers that nobody can lead come after all seats, whichever pack brings them.
    merged.factions.sort_by_key(|faction| !faction.value.playable);
    merged.spaces = gather(merged, Family::Spaces, findings);
    merged.kinds = gather(merged, Family::Kinds, findings);
    merged.counters = gather(merged, Family::Counters, findings);
    merged.zones = gather(merged, Family::Zones, findings);
    merged.cards = gather(merged, Family::Cards, findings);
    merged.rules = gather(merged, Family::Rules, findings);
    merged.points = gather(merged, Family::Points, findings);
    merged.decisions = gather(merged, Family::Decisions, findings);
    merged.phases = gather(merged, Family::Phases, findings);
    merged.procedures = gather(merged, Family::Procedures, findings);
    merged.variants = gather(merged, Family::Variants, findings);
    merged.pins = gather(merged, Family::Pins, findings);
    merged.scenarios = gather(merged, Family::Scenarios, findings);
    merged.messages = gather_messages(merged, findings);
}

/// All entities of a family.
fn gather<T: DeserializeOwned + Send + Sync + 'static>(
    merged: &Merged,
    family: Family,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Sourced<T>> {
    let read = |item: &Value| T::deserialize(&*without_removed(family, item));
    let mut list = Vec::new();
    for (at, document) in merged.documents.0.iter().enumerate() {
        if document.family != Some(family) || !document.valid {
            continue;
        }
        let typed = document.typed(|item| read(item).ok());
        for (index, item) in document.entities().iter().enumerate().filter(|(_, item)| !item.is_null()) {
            let place = Place { document: at, pointer: format!("/{}/{index}", family.key()) };
            match typed.get(index) {
                Some(Some(value)) => list.push(Sourced { value: Arc::clone(value), place }),
                _ => {
                    let error = read(item).err().map_or_else(String::new, |error| error.to_string());
                    let message = format!("the {} cannot be read: {error}", singular(family.key()));
                    findings.push(merged.finding(&place, "", "P0109", message));
                }
            }
        }
    }
    list
}

/// A phase without the phases inside it that patches removed.
fn without_removed(family: Family, item: &Value) -> Cow<'_, Value> {
    fn strip(phase: &mut Value) {
        if let Some(inner) = phase.get_mut("phases").and_then(Value::as_array_mut) {
            inner.retain(|phase| !phase.is_null());
            inner.iter_mut().for_each(strip);
        }
    }
    if family != Family::Phases {
        return Cow::Borrowed(item);
    }
    let mut item = item.clone();
    strip(&mut item);
    Cow::Owned(item)
}

fn gather_messages(merged: &Merged, findings: &mut Vec<Diagnostic>) -> Vec<MessageEntry> {
    let mut list = Vec::new();
    let mut first: BTreeMap<(usize, &str, &str), usize> = BTreeMap::new();
    for (at, document) in merged.documents.0.iter().enumerate() {
        if document.family != Some(Family::Messages) || !document.valid {
            continue;
        }
        let Some(language) = language_of(&document.path) else {
            findings.push(
                document
                    .finding("P0012", "/messages", Part::Key, "messages lie outside a language's folder")
                    .help("move the file to locale/en/ or the folder of its language"),
            );
            continue;
        };
        for message in document.messages(language) {
            let key = message.key.as_str();
            match first.entry((document.pack, language, key)) {
                Entry::Vacant(new) => {
                    new.insert(list.len());
                    let place = Place { document: at, pointer: message.pointer.clone() };
                    list.push(MessageEntry { message: Arc::clone(message), place });
                }
                Entry::Occupied(other) => {
                    let Place { document: other, pointer } = &list[*other.get()].place;
                    let told = format!("the message `{key}` stands twice in this pack");
                    findings.push(
                        document
                            .finding("P0605", &message.pointer, Part::Key, told)
                            .help("take one of them away")
                            .label(merged.documents.label(*other, pointer, Part::Key, "the first is here")),
                    );
                }
            }
        }
    }
    list
}

/// `locale/en/cards.json` and `locale/en.json` hold English; nothing where the path names no language.
pub(crate) fn language_of(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("locale/")?;
    let language = match rest.split_once('/') {
        Some((language, _)) => language,
        None => rest.strip_suffix(".json")?,
    };
    // As manifests name languages.
    let (main, _) = language.split_once('-').unwrap_or((language, ""));
    ((2..=3).contains(&main.len()) && main.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_messages_name_a_language_or_none() {
        let languages = ["locale/en/cards.json", "locale/pl.json", "locale/pt-BR/a/b.json"].map(language_of);
        assert_eq!(languages, [Some("en"), Some("pl"), Some("pt-BR")]);
        let none = ["locale/cards.json", "locale/english/cards.json", "locale/EN/a.json", "texts/en.json", "locale/en"];
        assert_eq!(none.map(language_of), [None; 5]);
    }
}
