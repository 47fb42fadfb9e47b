//! Changes of entities that another pack declares: as patches in the edited pack.

use principes_app::packs::OpenPacks;
use principes_json::{overlap, unescape};
use principes_model::{EntityInfo, Write};
use serde_json::{Map, Value as Json, json};

use crate::edit::EditError;

use super::Plan;
use super::wish::{Values, replace};

/// The name of the file for the first patch of a pack.
const STEM: &str = "patches";

impl Plan<'_> {
    /// Changes a value of an entity by a patch of the edited pack `into`.
    pub(super) fn patch(
        &mut self,
        packs: &OpenPacks,
        values: &mut Values,
        entity: &EntityInfo,
        pointer: &str,
        value: Option<&Json>,
        into: &str,
    ) -> Result<(), EditError> {
        self.pack(into)?;
        let family = entity.family.key();
        if !entity.family.spec().is_patchable {
            return Err(EditError::NoPatches(family.to_owned()));
        }
        let whole = values.entry((family.to_owned(), entity.id.clone())).or_insert_with(|| (*entity.json).clone());
        let at = leaf(whole, pointer);
        replace(whole, pointer, value);
        let new = whole.pointer(&at).cloned();
        let declared = entity.history.as_ref().map_or(&*entity.json, |history| &history.base);
        let is_declared = declared.pointer(&at).is_some();
        let is_of_others = |write: &Write| {
            let pack = packs.loaded.packs.get(write.pack).map(|pack| pack.manifest.id.as_str());
            pack != Some(into) && overlap(&write.path, &at)
        };
        let is_contested = entity.history.as_ref().is_some_and(|history| history.writes.iter().any(is_of_others));
        // A patch that changes nothing would be an error.
        let is_as_declared = declared.pointer(&at) == new.as_ref() && !is_contested;
        match self.own_patch(packs, into, family, &entity.id)? {
            Some((path, place, "replace")) => self.put(into, &path, &format!("{place}/replace{at}"), new.as_ref()),
            Some((path, place, _)) => {
                let field = format!("{place}/set{at}");
                if is_as_declared && self.read(into, &path)?.pointer(&field).is_none() {
                    return Ok(());
                }
                let written = if is_as_declared { None } else { Some(new.unwrap_or(Json::Null)) };
                self.put(into, &path, &field, written.as_ref())?;
                self.tidy(into, &path, &place, &at)
            }
            None if is_as_declared => Ok(()),
            None => {
                let written = new.or(is_declared.then_some(Json::Null)).unwrap_or(Json::Null);
                let patch = json!({ "of": family, "id": entity.id, "set": nested(&at, written) });
                self.add_patch(packs, into, &patch)
            }
        }
    }

    /// Removes an entity by a patch.
    pub(super) fn patch_away(&mut self, packs: &OpenPacks, entity: &EntityInfo, into: &str) -> Result<(), EditError> {
        self.pack(into)?;
        let family = entity.family.key();
        if !entity.family.spec().is_patchable {
            return Err(EditError::NoPatches(family.to_owned()));
        }
        if let Some((path, place, _)) = self.own_patch(packs, into, family, &entity.id)? {
            self.put(into, &path, &place, None)?;
        }
        self.add_patch(packs, into, &json!({ "of": family, "id": entity.id, "remove": true }))
    }

    fn add_patch(&mut self, packs: &OpenPacks, into: &str, patch: &Json) -> Result<(), EditError> {
        let path = match self.file_of(packs, "patches", into) {
            Some(path) => path,
            None => self.file_named(into, STEM, ".json", "{\"patches\": []}")?,
        };
        self.put(into, &path, "/patches/-", Some(patch))
    }

    /// The patch of a pack that sets or replaces an entity: its file, its pointer and the key of its fields.
    fn own_patch(
        &mut self,
        packs: &OpenPacks,
        pack: &str,
        family: &str,
        id: &str,
    ) -> Result<Option<(String, String, &'static str)>, EditError> {
        let at = self.packs.iter().position(|info| info.manifest.id.as_str() == pack);
        let documents = packs.loaded.origins.documents.0.iter();
        let known = documents.filter(|document| Some(document.pack) == at && document.value.get("patches").is_some());
        let mut paths: Vec<String> = known.map(|document| document.path.clone()).collect();
        let made = self.drafts.values().filter(|draft| draft.is_new && draft.target.pack == pack);
        paths.extend(made.map(|draft| draft.target.path.clone()).collect::<Vec<_>>());
        for path in paths {
            let value = self.read(pack, &path)?;
            let list = value["patches"].as_array().map_or(&[][..], Vec::as_slice);
            for (at, patch) in list.iter().enumerate() {
                let key = ["set", "replace"].into_iter().find(|key| patch.get(*key).is_some());
                let is_it = patch["of"] == family && patch["id"] == id && patch.get("with").is_none();
                if let Some(key) = key.filter(|_| is_it) {
                    return Ok(Some((path, format!("/patches/{at}"), key)));
                }
            }
        }
        Ok(None)
    }

    /// Removes objects of a patch that have become empty, and the patch itself.
    fn tidy(&mut self, pack: &str, path: &str, place: &str, at: &str) -> Result<(), EditError> {
        let mut at = format!("/set{at}");
        while let Some((above, _)) = at.rsplit_once('/') {
            let whole = self.read(pack, path)?;
            let pointer = format!("{place}{above}");
            if above.is_empty() || !whole.pointer(&pointer).and_then(Json::as_object).is_some_and(Map::is_empty) {
                return Ok(());
            }
            let gone = if above == "/set" { place } else { &pointer };
            self.put(pack, path, gone, None)?;
            at = above.to_owned();
        }
        Ok(())
    }
}

/// The pointer to the value that a patch writes for a change at a pointer: lists are written as a whole.
fn leaf(value: &Json, pointer: &str) -> String {
    let mut at = String::new();
    let mut node = Some(value);
    for part in pointer.split('/').skip(1) {
        if node.is_some_and(|node| !node.is_object()) {
            break;
        }
        at.push('/');
        at.push_str(part);
        node = node.and_then(|node| node.get(&*unescape(part)));
    }
    at
}

/// A value inside of the objects that a pointer names.
fn nested(pointer: &str, value: Json) -> Json {
    pointer
        .split('/')
        .skip(1)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .fold(value, |value, part| json!({ unescape(part): value }))
}
