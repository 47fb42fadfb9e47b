//! Patches: changes that packs make to entities of earlier packs, which pack wrote what, and contradictions between
//! packs.

use std::collections::{BTreeMap, BTreeSet};

use principes_findings::budget::{self, Deadline};
use principes_findings::{Code, Finding, Label, did_you_mean, listing, suggestion};
use principes_json::{MemberPart, PatchPlace, escape, fix, overlap, schema};
use principes_model::{EntityPlace, History, Merged, MessageEntry, Write};
use principes_schemas::{self as schemas, Family};
use serde::Deserialize as _;
use serde_json::{Map, Value};

mod lists;

struct PatchToApply {
    document: usize,
    pack: usize,
    index: usize,
    patch: schemas::Patch,
}

/// Applies the patches of all packs, in load order.
pub(crate) fn apply(merged: &mut Merged, deadline: Deadline, findings: &mut Vec<Finding>) {
    let mut changes: Vec<PatchToApply> = Vec::new();
    for (at, document) in merged.documents.of(Family::Patches) {
        if let Ok(file) = schemas::PatchesFile::deserialize(&*document.value) {
            let list = file.patches.into_iter().enumerate();
            changes.extend(list.map(|(index, patch)| PatchToApply { document: at, pack: document.pack, index, patch }));
        }
    }
    let mut patched: BTreeSet<usize> = BTreeSet::new();
    let mut written: BTreeMap<(Family, String), Written> = BTreeMap::new();
    for change in changes {
        if deadline.is_over() || budget::is_full(findings) {
            // The changes of the remaining patches are unknown.
            merged.broken.anything = true;
            let file = &merged.documents.0[change.document].file;
            findings.extend(deadline.is_over().then(|| Deadline::finding(file, "the rest of the patches")));
            break;
        }
        patched.extend(apply_one(merged, change, &mut written, findings));
    }
    let conflicts: Vec<Finding> = merged
        .histories
        .iter()
        .flat_map(|((family, id), history)| conflicts(merged, &format!("the {} `{id}`", family.noun()), history))
        .collect();
    findings.extend(conflicts);
    patched.extend(lists::forget_neighbors(merged));
    for at in patched {
        check_again(merged, at, findings);
    }
}

/// Applies one patch. Returns the document that it changed.
fn apply_one(
    merged: &mut Merged,
    mut change: PatchToApply,
    written: &mut BTreeMap<(Family, String), Written>,
    findings: &mut Vec<Finding>,
) -> Option<usize> {
    let family = change.patch.of.family();
    let id = change.patch.id.to_string();
    let base = format!("/patches/{}", change.index);
    let lists = lists::ListChange::of(&mut change.patch);
    let (fields, key) = match (change.patch.set.take(), change.patch.replace.take()) {
        (Some(set), _) => (Some(set), "set"),
        (_, Some(replace)) => (Some(replace), "replace"),
        _ => (None, "remove"),
    };
    let pointer = format!("{base}/{key}");
    if !has_its_partner(merged, &change, &base, findings) {
        return None;
    }
    if key == "set" && fields.as_ref().is_some_and(|fields| renames(fields, &id)) {
        let document = &merged.documents.0[change.document];
        let message = "a patch cannot change the id of an entity";
        let finding = document.finding(Code::UselessPatch, &format!("{pointer}/id"), MemberPart::Key, message);
        findings.push(finding.help("remove `id`; declare a new entity instead"));
        return None;
    }
    let writes = match &lists {
        Some(lists) => lists.writes(change.pack, change.document, &base),
        None => writes(&change, fields.as_ref(), key, &pointer),
    };
    let (id, target, is_suggested) = match find_entity(merged, family, &id) {
        Some(target) => (id, target, false),
        None => {
            // The rest is checked as the author probably meant it.
            let id = not_there(merged, family, &id, &base, change.document, writes.clone(), findings)?;
            let target = find_entity(merged, family, &id)?;
            (id, target, true)
        }
    };
    let mut more = Vec::new();
    let is_earlier = is_of_an_earlier_pack(merged, &change, family, &id, &target, &mut more);
    findings.extend(more.into_iter().filter(|_| !is_suggested));
    if !is_earlier {
        return None;
    }
    let entity = merged.documents.0[target.document].value.pointer(&target.pointer)?;
    let earlier = written.entry((family, id.clone())).or_default();
    for write in &writes {
        match (repeated(merged, write, earlier), &lists) {
            (Some(finding), _) => findings.push(finding),
            (None, None) => check_effect(merged, write, entity, earlier, findings),
            (None, Some(_)) => {}
        }
    }
    earlier.add(&writes);
    let history = merged.histories.entry((family, id));
    let history =
        history.or_insert_with(|| History { place: target.clone(), base: entity.clone(), writes: Vec::new() });
    let whole = writes.iter().find(|write| write.path.is_empty()).map(|write| write.value.clone());
    history.writes.extend(writes);
    if let Some(lists) = lists {
        lists.apply(merged, change.document, &base, &target, findings)?;
        return Some(target.document);
    }
    let home = &mut merged.documents.0[target.document];
    let entity = home.value_mut().pointer_mut(&target.pointer)?;
    match (whole, fields) {
        (Some(whole), _) => *entity = whole.unwrap_or(Value::Null),
        (None, Some(fields)) => merge_patch(entity, Value::Object(fields)),
        (None, None) => {}
    }
    home.patched.push((target.pointer, PatchPlace { document: change.document, pointer }));
    Some(target.document)
}

/// Whether fields change the id of an entity, although everything else still refers to the old id.
fn renames(fields: &serde_json::Map<String, Value>, id: &str) -> bool {
    fields.get("id").is_some_and(|new| new.as_str() != Some(id))
}

/// Whether the pack that a patch depends on is loaded. Reports a pack that the manifest does not name.
fn has_its_partner(merged: &Merged, change: &PatchToApply, base: &str, findings: &mut Vec<Finding>) -> bool {
    let Some(with) = &change.patch.with else { return true };
    let manifest = &merged.packs[change.pack].manifest;
    if !merged.packs[change.pack].names(with.as_str()) {
        let names: Vec<&str> = manifest.requires.keys().chain(manifest.optional.keys()).map(String::as_str).collect();
        let help = did_you_mean(with.as_str(), names).unwrap_or_else(|| format!("add `{with}` to `optional`"));
        let message = format!("pack.json does not name `{with}` in `requires` or `optional`");
        let document = &merged.documents.0[change.document];
        findings.push(
            document.finding(Code::UnknownReference, &format!("{base}/with"), MemberPart::Value, message).help(help),
        );
        return false;
    }
    merged.packs.iter().any(|entry| entry.manifest.id.as_str() == with.as_str())
}

/// The writes of a patch.
fn writes(change: &PatchToApply, fields: Option<&Map<String, Value>>, key: &str, pointer: &str) -> Vec<Write> {
    let mut writes: Vec<Write> = Vec::new();
    match fields {
        Some(fields) if key == "set" => leaves(fields, "", &mut |path, value| {
            let place = PatchPlace { document: change.document, pointer: format!("{pointer}{path}") };
            let value = Some(value).filter(|value| !value.is_null()).cloned();
            writes.push(Write { pack: change.pack, place, path, value });
        }),
        _ => {
            let place = PatchPlace { document: change.document, pointer: pointer.to_owned() };
            let value = fields.cloned().map(|mut fields| {
                fields.insert("id".to_owned(), Value::String(change.patch.id.to_string()));
                Value::Object(fields)
            });
            writes.push(Write { pack: change.pack, place, path: String::new(), value });
        }
    }
    writes
}

/// Whether an entity belongs to a pack that is loaded before the one that patches it. Reports it if not.
fn is_of_an_earlier_pack(
    merged: &Merged,
    change: &PatchToApply,
    family: Family,
    id: &str,
    target: &EntityPlace,
    findings: &mut Vec<Finding>,
) -> bool {
    let document = &merged.documents.0[change.document];
    let home = merged.documents.0[target.document].pack;
    if !merged.stands_on(change.pack, home) || home == change.pack {
        let what = family.noun();
        let help = match home == change.pack {
            true => "edit the entity itself".to_owned(),
            false => format!("add `{}` to `requires` or `optional`", merged.packs[home].manifest.id),
        };
        let message = format!("the {what} `{id}` does not belong to an earlier pack");
        let place = &merged.documents.0[target.document];
        findings.push(
            document
                .finding(Code::UselessPatch, &format!("/patches/{}/id", change.index), MemberPart::Value, message)
                .label(place.label(&format!("{}/id", target.pointer), MemberPart::Value, "it is declared here"))
                .help(help),
        );
        return false;
    }
    true
}

/// Reports why a patch finds no entity: there is none, or an earlier patch removed it. Returns the id that was probably
/// meant.
fn not_there(
    merged: &mut Merged,
    family: Family,
    id: &str,
    base: &str,
    document: usize,
    writes: Vec<Write>,
    findings: &mut Vec<Finding>,
) -> Option<String> {
    let what = family.noun();
    let at = format!("{base}/id");
    let file = &merged.documents.0[document];
    let key = (family, id.to_owned());
    let Some(history) = merged.histories.get(&key) else {
        let of_family = merged.documents.0.iter().filter(|other| other.family == Some(family));
        let near = suggestion(id, of_family.flat_map(|other| other.named()).map(|(_, id)| id.as_str()));
        let elsewhere = Family::ALL.iter().find(|other| {
            let mut documents = merged.documents.0.iter().filter(|document| document.family == Some(**other));
            documents.any(|document| document.named().iter().any(|(_, named)| named == id))
                && **other != Family::Scenarios
        });
        let help = elsewhere.map(|other| format!("a {} has this id: write \"of\": \"{}\"", other.noun(), other.key()));
        let message = format!("unknown {what} `{id}`");
        findings.push(
            file.finding(Code::UselessPatch, &at, MemberPart::Value, message).maybe_help(help).suggest(near.clone()),
        );
        return near.filter(|near| near.only).map(|near| near.name);
    };
    let removal = history.writes.iter().rfind(|write| write.value.is_none() && write.path.is_empty())?;
    let pack = writes.first().map_or(removal.pack, |write| write.pack);
    if pack == removal.pack || merged.stands_on(pack, removal.pack) {
        let remover = &merged.packs[removal.pack].manifest.id;
        let message = format!("the {what} `{id}` no longer exists: `{remover}` removed it");
        findings.push(
            file.finding(Code::UselessPatch, &at, MemberPart::Value, message)
                .label(label(merged, &removal.place, "it was removed here"))
                .help("remove one of the two patches"),
        );
    } else if let Some(history) = merged.histories.get_mut(&key) {
        // Two independent packs: reported with all other contradictions.
        history.writes.extend(writes);
    }
    None
}

/// The writes to an entity so far: by path, the first place of each pack.
#[derive(Default)]
struct Written {
    /// The number of writes.
    count: usize,
    paths: BTreeMap<String, BTreeMap<usize, (usize, PatchPlace)>>,
}

impl Written {
    fn add(&mut self, writes: &[Write]) {
        for write in writes {
            let packs = self.paths.entry(write.path.clone()).or_default();
            packs.entry(write.pack).or_insert((self.count, write.place.clone()));
            self.count += 1;
        }
    }

    /// The writes to a field and to fields around it, and the first one inside of it.
    fn overlapping(&self, path: &str) -> impl Iterator<Item = &BTreeMap<usize, (usize, PatchPlace)>> {
        let around = path.match_indices('/').map(|(at, _)| &path[..at]).chain([path]);
        let inside = format!("{path}/");
        let first_inside = self.paths.range(inside.clone()..).next().filter(|(other, _)| other.starts_with(&inside));
        around.filter_map(|around| self.paths.get(around)).chain(first_inside.map(|(_, packs)| packs))
    }

    /// Where a pack first wrote to a field.
    fn first_by(&self, pack: usize, path: &str) -> Option<&PatchPlace> {
        let first = self.overlapping(path).filter_map(|packs| packs.get(&pack)).min_by_key(|(nth, _)| *nth);
        first.map(|(_, place)| place)
    }

    /// Whether any pack has written to a field.
    fn is_touched(&self, path: &str) -> bool {
        self.overlapping(path).next().is_some()
    }
}

/// The finding about a field that the same pack has already changed.
fn repeated(merged: &Merged, write: &Write, earlier: &Written) -> Option<Finding> {
    let first = earlier.first_by(write.pack, &write.path)?;
    let message = format!("this pack changes {} twice", field(&write.path));
    let document = &merged.documents.0[write.place.document];
    let finding = document.finding(Code::RepeatedPatch, &write.place.pointer, MemberPart::Key, message);
    Some(finding.label(label(merged, first, "it is changed here first")).help("keep one of the two patches"))
}

/// Reports a patch that does nothing.
fn check_effect(merged: &Merged, write: &Write, entity: &Value, earlier: &Written, findings: &mut Vec<Finding>) {
    let document = &merged.documents.0[write.place.document];
    let before = entity.pointer(&write.path);
    if write.value.is_none() && before.is_none() {
        let (parent, name) = write.path.rsplit_once('/').unwrap_or_default();
        let siblings = entity.pointer(parent).and_then(Value::as_object);
        let names: Vec<&str> = siblings.into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let help =
            did_you_mean(name, names.iter().copied()).unwrap_or_else(|| format!("there are {}", listing(&names)));
        let message = format!("there is no {} to remove", field(&write.path));
        findings.push(document.finding(Code::UselessPatch, &write.place.pointer, MemberPart::Key, message).help(help));
    } else if write.value.as_ref() == before && !earlier.is_touched(&write.path) {
        let message = format!("the patch changes nothing: {} already has this value", field(&write.path));
        findings.push(
            document
                .finding(Code::IdlePatch, &write.place.pointer, MemberPart::Value, message)
                .help("remove it, or correct it"),
        );
    }
}

/// A field in words.
fn field(path: &str) -> String {
    match path.trim_start_matches('/') {
        "" => "the whole entity".to_owned(),
        path => format!("`{}`", path.replace('/', ".")),
    }
}

fn label(merged: &Merged, place: &PatchPlace, message: impl Into<String>) -> Label {
    merged.documents.0[place.document].label(&place.pointer, MemberPart::Key, message)
}

/// Reports packs that do not build on each other but write different values to the same field. A pack that builds on
/// all of them can settle it by writing the field itself.
fn conflicts(merged: &Merged, what: &str, history: &History) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut reported: BTreeSet<usize> = BTreeSet::new();
    let writes = &history.writes;
    let packs: BTreeSet<usize> = writes.iter().map(|write| write.pack).collect();
    let strangers = |a: usize, b: usize| !merged.stands_on(a, b) && !merged.stands_on(b, a);
    if !packs.iter().any(|a| packs.iter().any(|b| strangers(*a, *b))) {
        return found;
    }
    let clash = |a: &Write, b: &Write| strangers(a.pack, b.pack) && overlap(&a.path, &b.path) && !a.agrees(b);
    let settled = |at: usize, a: &Write, b: &Write| {
        writes[at + 1..].iter().any(|later| {
            let covers =
                |write: &Write| write.path == later.path || write.path.starts_with(&format!("{}/", later.path));
            covers(a) && covers(b) && merged.stands_on(later.pack, a.pack) && merged.stands_on(later.pack, b.pack)
        })
    };
    for (at, last) in writes.iter().enumerate().rev() {
        let clashes = |other: &Write| clash(last, other) && !settled(at, last, other);
        if reported.contains(&at) || !writes[..at].iter().any(clashes) {
            continue;
        }
        let document = &merged.documents.0[last.place.document];
        let name = |write: &Write| merged.packs[write.pack].manifest.id.to_string();
        let mut others: BTreeSet<String> = BTreeSet::new();
        let mut labels: Vec<Label> = Vec::new();
        if let Some(before) = history.base.pointer(&last.path).filter(|_| !last.path.is_empty()) {
            let home = &merged.documents.0[history.place.document];
            let pointer = format!("{}{}", history.place.pointer, last.path);
            let message = format!("`{}` says {}", merged.packs[home.pack].manifest.id, short(Some(before)));
            labels.push(home.label(&pointer, MemberPart::Key, message));
        }
        for (nth, other) in writes[..at].iter().enumerate().filter(|(_, other)| overlap(&other.path, &last.path)) {
            reported.insert(nth);
            if other.pack != last.pack && clashes(other) {
                others.insert(name(other));
            }
            labels.push(label(merged, &other.place, write_label(&name(other), other)));
        }
        let others = listing(&others.into_iter().collect::<Vec<_>>());
        let action = match (&last.value, last.path.is_empty()) {
            (None, true) => format!("removes {what}"),
            (Some(_), true) => format!("replaces {what}"),
            (None, false) => format!("removes {} of {what}", field(&last.path)),
            (value, false) => format!("sets {} of {what} to {}", field(&last.path), short(value.as_ref())),
        };
        let help = format!(
            "to let this patch win, add {others} to `optional`; or set the value in a pack that requires them all"
        );
        let finding = document
            .finding(
                Code::ConflictingPatches,
                &last.place.pointer,
                MemberPart::Key,
                format!("`{}` {action}; {others} disagrees", name(last)),
            )
            .help(help);
        found.push(labels.into_iter().fold(finding, Finding::label));
    }
    found
}

/// A write of a pack, in words.
fn write_label(name: &str, write: &Write) -> String {
    match (&write.value, write.path.is_empty()) {
        (None, true) => format!("`{name}` removes it"),
        (None, false) => format!("`{name}` removes it"),
        (Some(_), true) => format!("`{name}` replaces the whole entity"),
        (value, false) => format!("`{name}` sets it to {}", short(value.as_ref())),
    }
}

/// A value in a few characters.
fn short(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

/// Reports messages that two packs write differently although neither builds on the other.
pub(crate) fn check_messages(merged: &Merged, findings: &mut Vec<Finding>) {
    fn name(entry: &MessageEntry) -> (&str, &str) {
        (&entry.language, &entry.key)
    }
    // Messages of one pack have different names.
    if merged.packs.len() == 1 {
        return;
    }
    let mut sorted: Vec<&MessageEntry> = merged.messages.iter().collect();
    sorted.sort_by(|a, b| name(a).cmp(&name(b)));
    let pack = |entry: &MessageEntry| merged.documents.0[entry.place.document].pack;
    for entries in sorted.chunk_by(|a, b| name(a) == name(b)).filter(|entries| entries.len() > 1) {
        let (language, key) = name(entries[0]);
        let write = |entry: &&MessageEntry| Write {
            pack: pack(entry),
            place: PatchPlace { document: entry.place.document, pointer: entry.place.pointer.clone() },
            path: "/text".to_owned(),
            value: merged.documents.0[entry.place.document].value.pointer(&entry.place.pointer).cloned(),
        };
        let history =
            History { place: entries[0].place.clone(), base: Value::Null, writes: entries.iter().map(write).collect() };
        findings.extend(conflicts(merged, &format!("the message `{key}` ({language})"), &history));
    }
}

/// Checks a document again after patches have changed its entities.
fn check_again(merged: &mut Merged, at: usize, findings: &mut Vec<Finding>) {
    let document = &merged.documents.0[at];
    let Some(family) = document.family else { return };
    let violations: Vec<_> = schema::check(family.key(), &document.value)
        .into_iter()
        .filter(|violation| !fix::is_left_out(document, &violation.pointer))
        .collect();
    if violations.is_empty() {
        return;
    }
    merged.documents.0[at].reject();
    for violation in violations {
        findings.push(violation.finding(&merged.documents, at));
    }
    merged.broken.families.insert(family);
}

fn find_entity(merged: &Merged, family: Family, id: &str) -> Option<EntityPlace> {
    for (at, document) in merged.documents.0.iter().enumerate() {
        if document.family != Some(family) {
            continue;
        }
        if let Some((pointer, _)) = document.named().iter().find(|(_, named)| named == id) {
            return Some(EntityPlace { document: at, pointer: pointer.clone() });
        }
    }
    None
}

/// Calls `visit` with each field that a merge patch writes: pointer and value.
fn leaves(fields: &Map<String, Value>, prefix: &str, visit: &mut dyn FnMut(String, &Value)) {
    for (key, value) in fields {
        let path = format!("{prefix}/{}", escape(key));
        match value {
            Value::Object(inner) if !inner.is_empty() => leaves(inner, &path, visit),
            _ => visit(path, value),
        }
    }
}

/// JSON Merge Patch (RFC 7396).
fn merge_patch(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(object) = target.as_object_mut() else { return };
    for (key, value) in patch {
        if value.is_null() {
            object.remove(&key);
        } else {
            merge_patch(object.entry(key).or_insert(Value::Null), value);
        }
    }
}
