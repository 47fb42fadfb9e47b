//! Patches that add items to lists or take them out, and the neighbors of spaces that patches remove.

use std::collections::{BTreeMap, BTreeSet};

use principes_findings::budget::MOST_ITEMS;
use principes_findings::{Code, Finding, did_you_mean, listing};
use principes_json::{MemberPart, PatchPlace, escape};
use principes_model::{EntityPlace, Merged, Write};
use principes_schemas::{self as schemas, Family};
use serde_json::Value;

/// The lists of a space that name other spaces.
const NEIGHBORS: [&str; 2] = ["adjacent", "exits"];

/// Whether items are added or taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemChange {
    Add,
    Take,
}

/// What a patch does to lists.
pub(super) struct ListChange {
    way: ItemChange,
    fields: BTreeMap<String, Vec<Value>>,
}

impl ListChange {
    /// Removes the changes of lists from a patch, and returns them.
    pub(super) fn of(patch: &mut schemas::Patch) -> Option<ListChange> {
        let taken = patch.take.take().map(|fields| ListChange { way: ItemChange::Take, fields });
        taken.or(patch.add.take().map(|fields| ListChange { way: ItemChange::Add, fields }))
    }

    fn key(&self) -> &'static str {
        match self.way {
            ItemChange::Add => "add",
            ItemChange::Take => "take",
        }
    }

    /// One write for each item, so that patches of different items do not contradict each other.
    pub(super) fn writes(&self, pack: usize, document: usize, base: &str) -> Vec<Write> {
        let key = self.key();
        let write = |field: &str, at: usize, item: &Value| Write {
            pack,
            place: PatchPlace { document, pointer: format!("{base}/{key}/{}/{at}", escape(field)) },
            path: format!("/{}/{}", escape(field), escape(&plain(item))),
            value: (self.way == ItemChange::Add).then(|| item.clone()),
        };
        let fields = self.fields.iter();
        fields
            .flat_map(|(field, items)| items.iter().enumerate().map(move |(at, item)| write(field, at, item)))
            .collect()
    }

    /// Changes the lists of an entity.
    pub(super) fn apply(
        self,
        merged: &mut Merged,
        document: usize,
        base: &str,
        target: &EntityPlace,
        findings: &mut Vec<Finding>,
    ) -> Option<()> {
        let key = self.key();
        for (field, items) in &self.fields {
            let place = format!("{base}/{key}/{}", escape(field));
            let pointer = format!("{}/{}", target.pointer, escape(field));
            let entity = merged.documents.0[target.document].value.pointer(&target.pointer)?;
            let mut list = match entity.get(field) {
                Some(Value::Array(list)) => list.clone(),
                None if self.way == ItemChange::Add => Vec::new(),
                other => {
                    let lists: Vec<&String> = entity
                        .as_object()
                        .into_iter()
                        .flatten()
                        .filter_map(|(name, value)| value.is_array().then_some(name))
                        .collect();
                    let what = if other.is_some() { "is not a list" } else { "does not exist" };
                    let file = &merged.documents.0[document];
                    let message = format!("the field `{field}` {what}");
                    let finding = file.finding(Code::UselessPatch, &place, MemberPart::Key, message);
                    findings.push(finding.help(format!("the lists here are {}", listing(&lists))));
                    continue;
                }
            };
            let added = if self.way == ItemChange::Add { items.len() } else { 0 };
            if list.len() + added > MOST_ITEMS || items.len() > MOST_ITEMS {
                let file = &merged.documents.0[document];
                let message = format!("patches change lists of at most {MOST_ITEMS} items");
                let finding = file.finding(Code::BudgetExceeded, &place, MemberPart::Key, message);
                findings.push(finding.help("declare a new entity instead"));
                continue;
            }
            let done = self.done(merged, document, target, field);
            for (at, item) in items.iter().enumerate() {
                if done.contains(&*escape(&plain(item))) {
                    continue;
                }
                let finding = self.change(&mut list, field, item);
                findings.extend(finding.map(|(code, message, help)| {
                    let file = &merged.documents.0[document];
                    file.finding(code, &format!("{place}/{at}"), MemberPart::Value, message).help(help)
                }));
            }
            let home = &mut merged.documents.0[target.document];
            if let Some(entity) = home.value_mut().pointer_mut(&target.pointer) {
                entity[field.as_str()] = Value::Array(list);
            }
            home.moved.insert(pointer);
        }
        let place = PatchPlace { document, pointer: format!("{base}/{key}") };
        merged.documents.0[target.document].patched.push((target.pointer.clone(), place));
        Some(())
    }

    /// The items of a list for which another pack has made the same change, as in paths.
    fn done(&self, merged: &Merged, document: usize, target: &EntityPlace, field: &str) -> BTreeSet<String> {
        let list = format!("/{}/", escape(field));
        let pack = merged.documents.0[document].pack;
        let histories = merged.histories.values().filter(|history| history.place == *target);
        let same = |write: &&Write| write.pack != pack && write.value.is_some() == (self.way == ItemChange::Add);
        let writes = histories.flat_map(|history| &history.writes).filter(same);
        writes.filter_map(|write| write.path.strip_prefix(&list)).map(str::to_owned).collect()
    }

    /// Changes one item of a list. Returns what is wrong, if anything.
    fn change(&self, list: &mut Vec<Value>, field: &str, item: &Value) -> Option<(Code, String, String)> {
        let there = list.iter().any(|other| names(item, other));
        match (self.way, there) {
            (ItemChange::Add, true) => {
                let message = format!("the patch changes nothing: `{field}` already has {}", shown(item));
                Some((Code::IdlePatch, message, "remove it, or correct it".to_owned()))
            }
            (ItemChange::Add, false) => {
                list.push(item.clone());
                None
            }
            (ItemChange::Take, true) => {
                list.retain(|other| !names(item, other));
                None
            }
            (ItemChange::Take, false) => {
                let known: Vec<String> = list.iter().map(plain).collect();
                let near = did_you_mean(&plain(item), known.iter().map(String::as_str));
                let help = near.unwrap_or_else(|| match known.is_empty() {
                    true => "it is empty".to_owned(),
                    false => format!("it has {}", listing(&known)),
                });
                Some((Code::UselessPatch, format!("`{field}` has no {} to take out", shown(item)), help))
            }
        }
    }
}

/// Whether an item of a patch matches an item of a list: the same value, or an object with the same members and perhaps
/// more.
fn names(wanted: &Value, item: &Value) -> bool {
    match (wanted, item) {
        (Value::Object(some), Value::Object(all)) => some.iter().all(|(name, value)| all.get(name) == Some(value)),
        _ => wanted == item,
    }
}

fn plain(item: &Value) -> String {
    item.as_str().map_or_else(|| item.to_string(), str::to_owned)
}

fn shown(item: &Value) -> String {
    format!("`{}`", plain(item))
}

/// Removes spaces that patches removed from the neighbors of all spaces whose packs do not know of the removal. Returns
/// the changed documents.
pub(super) fn forget_neighbors(merged: &mut Merged) -> BTreeSet<usize> {
    let removals = merged.histories.iter().filter(|((family, _), _)| *family == Family::Spaces);
    let removed: BTreeMap<String, usize> = removals
        .filter_map(|((_, id), history)| {
            let last = history.writes.last().filter(|write| write.path.is_empty() && write.value.is_none())?;
            Some((id.clone(), last.pack))
        })
        .collect();
    let mut changed = BTreeSet::new();
    if removed.is_empty() {
        return changed;
    }
    for at in 0..merged.documents.0.len() {
        let document = &merged.documents.0[at];
        if document.family != Some(Family::Spaces) {
            continue;
        }
        let gone = |item: &Value| {
            let remover = item.as_str().and_then(|id| removed.get(id));
            remover.is_some_and(|remover| !merged.stands_on(document.pack, *remover))
        };
        let lists = document.entities().iter().enumerate().flat_map(|(index, space)| {
            NEIGHBORS.iter().filter_map(move |field| {
                let list = space.get(field)?.as_array()?;
                Some((format!("/{}/{index}/{field}", Family::Spaces.key()), list))
            })
        });
        let lists = lists.filter(|(_, list)| list.iter().any(gone));
        let kept = |list: &Vec<Value>| list.iter().filter(|item| !gone(item)).cloned().collect();
        let kept: Vec<(String, Value)> = lists.map(|(pointer, list)| (pointer, Value::Array(kept(list)))).collect();
        let document = &mut merged.documents.0[at];
        for (pointer, list) in kept {
            if let Some(value) = document.value_mut().pointer_mut(&pointer) {
                *value = list;
            }
            document.moved.insert(pointer);
            changed.insert(at);
        }
    }
    changed
}
