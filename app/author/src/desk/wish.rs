//! What an author wishes to change, and the file in which each wish is fulfilled.

use std::collections::BTreeMap;

use principes_app::packs::OpenPacks;
use principes_json::{escape, unescape};
use principes_model::{EntityInfo, Family};
use principes_source::FileRole;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::edit::{EditError, edited, named};

use super::{Draft, Plan};

/// Something that an author wishes to change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Wish {
    /// Changes a value of an entity.
    Set {
        /// The key of the family, such as `cards`.
        family: String,
        /// As its file declares it.
        id: String,
        /// A JSON pointer inside of the entity.
        pointer: String,
        /// The new value; null removes the value.
        value: Json,
        /// The pack that changes it by a patch. Default: the pack that declares the entity.
        #[serde(default)]
        pack: Option<String>,
    },
    /// Changes a message.
    Text {
        /// The message key, such as `card.ID.title`.
        key: String,
        /// The code of the language.
        language: String,
        /// The text, or its plural forms; null removes it.
        value: Json,
        /// The pack that says it. Default: the edited pack that says it now.
        #[serde(default)]
        pack: Option<String>,
    },
    /// Adds an entity.
    Add {
        /// The key of the family.
        family: String,
        /// The entity, with its id.
        value: Json,
        /// The edited pack whose file gets it.
        pack: String,
        /// An entity of the family, in whose file the new one is put if the pack declares it.
        #[serde(default)]
        beside: Option<String>,
    },
    /// Removes an entity, and its messages if the same pack says them.
    Remove {
        /// The key of the family.
        family: String,
        /// As its file declares it.
        id: String,
        /// The pack that removes it by a patch. Default: the pack that declares the entity.
        #[serde(default)]
        pack: Option<String>,
    },
    /// Changes a value at a place of a file, such as an outline in a look.
    At {
        /// The id of the pack.
        pack: String,
        /// The file, by its path inside the pack.
        path: String,
        /// A JSON pointer in the file.
        pointer: String,
        /// The new value; null removes the value.
        value: Json,
    },
    /// Replaces a part of a text, as the fix of a finding does.
    Splice {
        /// The file as users name it.
        file: String,
        /// The part in bytes: from and to.
        bytes: (usize, usize),
        /// What is there now, if that is known.
        old: Option<String>,
        /// What is put there.
        text: String,
    },
}

/// The current values of entities, with the wishes so far.
pub(super) type Values = BTreeMap<(String, String), Json>;

impl<'p> Plan<'p> {
    /// Fulfills a wish in the drafts.
    pub(super) fn grant(&mut self, packs: &'p OpenPacks, values: &mut Values, wish: &Wish) -> Result<(), EditError> {
        let given = |value: &Json| Some(value.clone()).filter(|value| !value.is_null());
        match wish {
            Wish::Set { family, id, pointer, value, pack } => {
                self.set(packs, values, (family, id), pointer, given(value).as_ref(), pack.as_deref())
            }
            Wish::Text { key, language, value, pack } => {
                self.say(packs, (key, language), given(value).as_ref(), pack.as_deref())
            }
            Wish::Add { family, value, pack, beside } => {
                values.insert((family.clone(), value["id"].as_str().unwrap_or_default().to_owned()), value.clone());
                self.add(packs, family, value, pack, beside.as_deref())
            }
            Wish::Remove { family, id, pack } => self.remove(packs, (family, id), pack.as_deref()),
            Wish::At { pack, path, pointer, value } => self.put(pack, path, pointer, given(value).as_ref()),
            Wish::Splice { file, bytes, old, text } => self.splice(file, *bytes, old.as_deref(), text),
        }
    }

    /// Changes one value of a file.
    pub(super) fn put(&mut self, pack: &str, path: &str, pointer: &str, value: Option<&Json>) -> Result<(), EditError> {
        let draft = self.draft(pack, path)?;
        draft.text = edited(&draft.target.name, &draft.text, pointer, value)?;
        Ok(())
    }

    /// The value of a file so far.
    pub(super) fn read(&mut self, pack: &str, path: &str) -> Result<Json, EditError> {
        let draft = self.draft(pack, path)?;
        let not_json = || EditError::NotJson(draft.target.name.clone());
        let parsed = principes_json::parse(0, path, &draft.target.name, draft.text.as_bytes(), &mut Vec::new());
        Ok((*parsed.map_err(|_| not_json())?.value).clone())
    }

    /// The pointer to an entity in a file as it is now.
    fn place(&mut self, pack: &str, path: &str, (family, id): (&str, &str)) -> Result<String, EditError> {
        let value = self.read(pack, path)?;
        let list = value[family].as_array().map_or(&[][..], Vec::as_slice);
        let at = list.iter().position(|entity| entity["id"] == id);
        let unknown = || EditError::UnknownEntity { family: family.to_owned(), id: id.to_owned() };
        Ok(format!("/{family}/{}", at.ok_or_else(unknown)?))
    }

    fn set(
        &mut self,
        packs: &OpenPacks,
        values: &mut Values,
        (family, id): (&str, &str),
        pointer: &str,
        value: Option<&Json>,
        into: Option<&str>,
    ) -> Result<(), EditError> {
        let Some(entity) = entity(packs, family, id) else {
            return self.set_new((family, id), pointer, value, into);
        };
        let (home, path) = home(packs, entity).ok_or_else(|| unknown(family, id))?;
        let writer = last_writer(packs, entity, pointer);
        let into = match (into, writer) {
            (Some(into), _) if into != home => Some(into.to_owned()),
            (_, Some(writer)) if self.edited.has(&writer) => Some(writer),
            (_, Some(pack)) if self.edited.has(&home) => {
                return Err(EditError::Overridden { id: id.to_owned(), pack });
            }
            _ => None,
        };
        if let Some(into) = into {
            return self.patch(packs, values, entity, pointer, value, &into);
        }
        self.pack(&home)?;
        if is_of_series(packs, entity) {
            return Err(EditError::Series(id.to_owned()));
        }
        let place = self.place(&home, &path, (family, id))?;
        self.put(&home, &path, &format!("{place}{pointer}"), value)
    }

    /// Changes an entity that an earlier wish has added.
    fn set_new(
        &mut self,
        of: (&str, &str),
        pointer: &str,
        value: Option<&Json>,
        into: Option<&str>,
    ) -> Result<(), EditError> {
        let keys: Vec<(String, String)> = self.drafts.keys().cloned().collect();
        for (pack, path) in keys.into_iter().filter(|(pack, _)| into.is_none_or(|into| into == pack)) {
            if let Ok(place) = self.place(&pack, &path, of) {
                return self.put(&pack, &path, &format!("{place}{pointer}"), value);
            }
        }
        Err(unknown(of.0, of.1))
    }

    /// Changes a message where an edited pack says it, or says it in a pack.
    fn say(
        &mut self,
        packs: &OpenPacks,
        (key, language): (&str, &str),
        value: Option<&Json>,
        into: Option<&str>,
    ) -> Result<(), EditError> {
        let pointer = format!("/messages/{}", escape(key));
        let mut files = self.message_files(packs, language);
        let of_pack = |pack: &str| into.is_none_or(|into| into == pack);
        // The last pack that says a message wins.
        for (pack, path) in files.iter().rev().filter(|(pack, _)| of_pack(pack)) {
            let is_here = self.read(pack, path)?.pointer(&pointer).is_some();
            if is_here {
                return self.put(pack, path, &pointer, value);
            }
        }
        let said_by = packs.loaded.packs.first().map(|pack| pack.manifest.id.to_string());
        let into = into.ok_or_else(|| EditError::NotEdited(said_by.unwrap_or_default()))?;
        if value.is_none() {
            return Ok(());
        }
        files.retain(|(pack, _)| pack == into);
        // Beside the messages of the same thing, or else in the first file.
        let mut best = files.first().cloned();
        let thing = key.rsplit_once('.').map_or(key, |(thing, _)| thing);
        let near = |message: &String| message.strip_prefix(thing).is_some_and(|rest| rest.starts_with('.'));
        for (pack, path) in &files {
            let value = self.read(pack, path)?;
            let messages = value["messages"].as_object();
            if messages.is_some_and(|messages| messages.keys().any(near)) {
                best = Some((pack.clone(), path.clone()));
            }
        }
        let path = match best {
            Some((_, path)) => path,
            None => self.file_named(into, "texts", &format!(".{language}.json"), "{\"messages\": {}}")?,
        };
        self.put(into, &path, &pointer, value)
    }

    /// The files with messages of a language in edited packs, in load order.
    fn message_files(&self, packs: &OpenPacks, language: &str) -> Vec<(String, String)> {
        let known = packs.loaded.origins.documents.0.iter();
        let known = known.filter(|document| FileRole::of(&document.path) == FileRole::Messages(language));
        let known = known.filter_map(|document| {
            let pack = self.packs.get(document.pack)?.manifest.id.to_string();
            self.edited.has(&pack).then(|| (pack, document.path.clone()))
        });
        let mut files: Vec<(String, String)> = known.collect();
        let made = self.drafts.iter().filter(|(_, draft)| draft.is_new).map(|(place, _)| place);
        files.extend(made.filter(|(_, path)| FileRole::of(path) == FileRole::Messages(language)).cloned());
        files
    }

    fn add(
        &mut self,
        packs: &OpenPacks,
        family: &str,
        value: &Json,
        pack: &str,
        beside: Option<&str>,
    ) -> Result<(), EditError> {
        self.pack(pack)?;
        if !Family::ALL.iter().any(|known| known.key() == family) {
            let id = value["id"].as_str().unwrap_or_default().to_owned();
            return Err(EditError::UnknownEntity { family: family.to_owned(), id });
        }
        if value["id"].as_str().is_none_or(str::is_empty) {
            return Err(EditError::NoId(family.to_owned()));
        }
        let model = beside.and_then(|id| entity(packs, family, id)).and_then(|entity| home(packs, entity));
        let own = model.filter(|(home, _)| home == pack).map(|(_, path)| path);
        let path = match own.or_else(|| self.file_of(packs, family, pack)) {
            Some(path) => path,
            None => self.file_named(pack, family, ".json", &json!({ family: [] }).to_string())?,
        };
        self.put(pack, &path, &format!("/{family}/-"), Some(value))
    }

    /// The first file of a family in a pack.
    pub(super) fn file_of(&self, packs: &OpenPacks, family: &str, pack: &str) -> Option<String> {
        let at = self.packs.iter().position(|info| info.manifest.id.as_str() == pack)?;
        let documents = packs.loaded.origins.documents.0.iter();
        let known = documents.filter(|document| document.pack == at && document.value.get(family).is_some());
        let made = self.drafts.values().filter(|draft| draft.is_new && draft.target.pack == pack);
        let holds =
            |draft: &&Draft| serde_json::from_str::<Json>(&draft.text).is_ok_and(|value| value.get(family).is_some());
        let made = made.filter(holds);
        known.map(|document| document.path.clone()).chain(made.map(|draft| draft.target.path.clone())).next()
    }

    fn remove(&mut self, packs: &OpenPacks, (family, id): (&str, &str), into: Option<&str>) -> Result<(), EditError> {
        let entity = entity(packs, family, id).ok_or_else(|| unknown(family, id))?;
        let (home, path) = home(packs, entity).ok_or_else(|| unknown(family, id))?;
        if let Some(into) = into.filter(|into| *into != home) {
            return self.patch_away(packs, entity, into);
        }
        self.pack(&home)?;
        if is_of_series(packs, entity) {
            return Err(EditError::Series(id.to_owned()));
        }
        let place = self.place(&home, &path, (family, id))?;
        self.put(&home, &path, &place, None)?;
        let prefix = format!("{}.{id}", family.trim_end_matches('s'));
        let languages = packs.loaded.messages.languages().map(str::to_owned).collect::<Vec<_>>();
        for language in languages {
            for (pack, path) in self.message_files(packs, &language).into_iter().filter(|(pack, _)| *pack == home) {
                let value = self.read(&pack, &path)?;
                let keys = value["messages"].as_object().into_iter().flat_map(|messages| messages.keys());
                let is_its = |key: &&String| {
                    key.strip_prefix(prefix.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                };
                for key in keys.filter(is_its) {
                    self.put(&pack, &path, &format!("/messages/{}", escape(key)), None)?;
                }
            }
        }
        Ok(())
    }

    fn splice(
        &mut self,
        file: &str,
        (from, to): (usize, usize),
        old: Option<&str>,
        text: &str,
    ) -> Result<(), EditError> {
        let (pack, path) = named(self.packs, file)?;
        let draft = self.draft(&pack, &path)?;
        let there = draft.text.get(from..to);
        if there.is_none() || old.is_some_and(|old| there != Some(old)) {
            return Err(EditError::Stale(draft.target.name.clone()));
        }
        draft.text.replace_range(from..to, text);
        Ok(())
    }
}

pub(super) fn unknown(family: &str, id: &str) -> EditError {
    EditError::UnknownEntity { family: family.to_owned(), id: id.to_owned() }
}

pub(super) fn entity<'p>(packs: &'p OpenPacks, family: &str, id: &str) -> Option<&'p EntityInfo> {
    packs.loaded.entities.iter().find(|entity| entity.family.key() == family && entity.id == id)
}

/// The pack that declares an entity, and the path of its file.
fn home(packs: &OpenPacks, entity: &EntityInfo) -> Option<(String, String)> {
    let document = packs.loaded.origins.documents.0.get(entity.place.document)?;
    Some((packs.loaded.packs.get(document.pack)?.manifest.id.to_string(), document.path.clone()))
}

/// Whether a form cannot edit an entity because one entry stands for all of its series.
pub(crate) fn is_of_series(packs: &OpenPacks, entity: &EntityInfo) -> bool {
    let document = packs.loaded.origins.documents.0.get(entity.place.document);
    document.is_some_and(|document| document.member(&entity.place.pointer).is_some())
}

/// The pack whose patch decides a field, if it is not the pack that declares the entity.
pub(crate) fn last_writer(packs: &OpenPacks, entity: &EntityInfo, pointer: &str) -> Option<String> {
    let writes = entity.history.as_ref()?.writes.iter();
    let last = writes.rev().find(|write| principes_json::overlap(&write.path, pointer))?;
    Some(packs.loaded.packs.get(last.pack)?.manifest.id.to_string())
}

/// Puts a value at a pointer of another one, or removes it. Objects around it are made.
pub(super) fn replace(whole: &mut Json, pointer: &str, value: Option<&Json>) {
    let parts: Vec<String> = pointer.split('/').skip(1).map(|part| unescape(part).into_owned()).collect();
    let Some((last, above)) = parts.split_last() else {
        *whole = value.cloned().unwrap_or_default();
        return;
    };
    let mut node = whole;
    for part in above {
        let next = match node {
            Json::Array(list) => part.parse().ok().and_then(|at: usize| list.get_mut(at)),
            Json::Object(map) => Some(map.entry(part.clone()).or_insert_with(|| json!({}))),
            _ => None,
        };
        let Some(next) = next else { return };
        node = next;
    }
    match (node, value) {
        (Json::Object(map), Some(value)) => drop(map.insert(last.clone(), value.clone())),
        (Json::Object(map), None) => drop(map.remove(last)),
        (Json::Array(list), value) => {
            let at = last.parse().unwrap_or(list.len());
            match value {
                Some(value) if at < list.len() => list[at] = value.clone(),
                Some(value) => list.push(value.clone()),
                None if at < list.len() => drop(list.remove(at)),
                None => {}
            }
        }
        _ => {}
    }
}
