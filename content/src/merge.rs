//! Merging the files of all packs: patches, ids, typed entities.

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_core::catalog::KernelPoints;
use principes_findings::budget::{self, Deadline};
use principes_findings::{Code, Finding};
use principes_json::schema::References;
use principes_json::{Ids, Lost, MemberPart, fix};
use principes_model::{EntityPlace, Merged, PackEntry, ReadEntities, Sourced};
use principes_schemas::Family;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::grid;
use crate::messages;
use crate::options::{LoadOptions, Stage};
use crate::patches;
use crate::props;
use crate::read::read_files;
use crate::sizes;

/// Reads and merges the packs up to a stage.
pub fn merge(packs: Vec<PackEntry>, options: &LoadOptions, findings: &mut Vec<Finding>) -> Merged {
    let mut merged = Merged { packs, ..Merged::default() };
    read_files(&mut merged, options, findings);
    if options.until <= Stage::Schema {
        return merged;
    }
    sizes::limit(&mut merged, findings);
    for twin in check_unique(&merged, findings) {
        let document = &mut merged.documents.0[twin.document];
        let family = document.family;
        // Other files may name the id that it should have.
        let pointer = document.written(&twin.pointer, MemberPart::Key);
        merged.broken.lost.push(Lost { file: document.file.clone(), pointer, family, id: None });
        merged.broken.families.extend(family);
        if let Some(entity) = document.value_mut().pointer_mut(&twin.pointer) {
            *entity = Value::Null;
        }
    }
    patches::apply(&mut merged, options.deadline, findings);
    collect_ids(&mut merged);
    check_references(&mut merged, options.deadline, findings);
    merged.props = EntityReader(findings).read(&merged, Family::Props);
    props::check(&mut merged, findings);
    merged.gather(&mut EntityReader(findings));
    // The order of seats is that of the files. Factions that nobody can lead come after all seats.
    merged.factions.sort_by_key(|faction| !faction.value.playable);
    grid::add_cells(&mut merged);
    merged.messages = messages::gather(&merged, findings);
    patches::check_messages(&merged, findings);
    merged
}

/// Reports entities that are declared twice, and returns the second ones.
fn check_unique(merged: &Merged, findings: &mut Vec<Finding>) -> Vec<EntityPlace> {
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
                        .finding(Code::DuplicateId, "/phases", MemberPart::Key, "the game's phases are in two files")
                        .help("keep them in one file, or patch it")
                        .label(merged.documents.label(other, "/phases", MemberPart::Key, "the first is here")),
                ),
            }
        }
        for (pointer, id) in document.named() {
            let id = id.as_str();
            let what = family.noun();
            let id_pointer = || format!("{pointer}/id");
            if family == Family::Points && kernel.contains(id) {
                let message = format!("`{id}` is a hook point of the kernel");
                findings.push(
                    document
                        .finding(Code::DuplicateId, &id_pointer(), MemberPart::Value, message)
                        .help("remove the declaration; the hook point already exists"),
                );
            }
            // Scenarios of two packs may share an id, because each pack has its own snapshots.
            let scope = if family == Family::Scenarios { document.pack + 1 } else { 0 };
            match first.entry((family, scope, id)) {
                Entry::Vacant(new) => drop(new.insert((at, pointer.as_str()))),
                Entry::Occupied(other) => {
                    let (other, pointer_there) = *other.get();
                    let other = EntityPlace { document: other, pointer: pointer_there.to_owned() };
                    let patchable = merged.pack_of(&other) != document.pack;
                    let help = match patchable {
                        true => "to change an entity of another pack, write a patch",
                        false => "remove one of them, or give it another id",
                    };
                    let message = format!("the {what} `{id}` is declared twice");
                    let first_is = merged.label(&other, "/id", "the first is here");
                    let finding = document.finding(Code::DuplicateId, &id_pointer(), MemberPart::Value, message);
                    findings.push(finding.help(help).label(first_is));
                    twins.push(EntityPlace { document: at, pointer: pointer.clone() });
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
        for cell in document.entities().iter().flat_map(|entity| grid::ids(family, entity)) {
            ids.add(Family::Spaces.key(), &cell);
        }
    }
    merged.ids = Arc::new(ids);
}

fn check_references(merged: &mut Merged, deadline: Deadline, findings: &mut Vec<Finding>) {
    let ids = Arc::clone(&merged.ids);
    let references = References::to(&ids);
    for at in 0..merged.documents.0.len() {
        let document = &merged.documents.0[at];
        let Some(family) = document.valid().map(|document| document.family()) else { continue };
        if matches!(family, Family::Messages | Family::Patches) {
            continue;
        }
        // Scenarios belong to their pack alone, so they may still name what another pack removes.
        let alone = || (0..merged.packs.len()).all(|other| merged.stands_on(document.pack, other));
        if family == Family::Scenarios && !alone() {
            continue;
        }
        if document.is_known_to_refer_to(&ids) {
            continue;
        }
        if deadline.is_over() {
            return findings.push(Deadline::finding(&document.file, "the check of references"));
        }
        if budget::is_full(findings) {
            return;
        }
        let violations = references.check(family, &document.value);
        for violation in &violations {
            findings.push(violation.clone().finding(&merged.documents, at));
        }
        fix::references(&mut merged.documents.0[at], &violations, &mut merged.broken);
    }
}

/// Reads entities, and reports those that cannot be read.
struct EntityReader<'f>(&'f mut Vec<Finding>);

impl ReadEntities for EntityReader<'_> {
    fn read<T: DeserializeOwned + Send + Sync + 'static>(
        &mut self,
        merged: &Merged,
        family: Family,
    ) -> Vec<Sourced<T>> {
        let read = |item: &Value| T::deserialize(&*without_removed(family, item));
        let mut list = Vec::new();
        for (at, document) in merged.documents.of(family) {
            let typed = document.typed(|item| read(item).ok());
            for (index, item) in document.entities().iter().enumerate().filter(|(_, item)| !item.is_null()) {
                let place = EntityPlace { document: at, pointer: format!("/{}/{index}", family.key()) };
                match typed.get(index) {
                    Some(Some(value)) => list.push(Sourced { value: Arc::clone(value), place }),
                    _ => {
                        let error = read(item).err().map_or_else(String::new, |error| error.to_string());
                        let message = format!("cannot read the {}: {error}", family.noun());
                        self.0.push(merged.finding(&place, "", Code::UnfitValue, message));
                    }
                }
            }
        }
        list
    }
}

/// A phase without the inner phases that patches removed.
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
