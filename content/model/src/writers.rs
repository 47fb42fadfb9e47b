//! Which pack wrote which field of an entity.

use crate::game::{EntityInfo, Loaded};
use principes_json::overlap;

/// A pack that declared an entity, or changed a field of it.
#[derive(Clone, Debug)]
pub struct FieldWriter {
    /// Its id.
    pub pack: String,
    /// The file as users name it.
    pub file: String,
    /// Line of the file.
    pub line: usize,
    /// Pointer to the written field inside of the entity; empty for the whole entity.
    pub path: String,
    /// The new value; `None` if it was removed.
    pub value: Option<serde_json::Value>,
}

impl Loaded {
    /// The packs that wrote a field of an entity, in load order: first its own pack, then the packs whose patches wrote
    /// the field, a part of it, or something around it. `path` is a pointer inside of the entity; empty for the whole
    /// entity.
    pub fn writers(&self, entity: &EntityInfo, path: &str) -> Vec<FieldWriter> {
        let writer = |document: usize, pointer: &str, path: &str, value: Option<&serde_json::Value>| {
            let home = self.origins.documents.0.get(document)?;
            Some(FieldWriter {
                pack: self.packs.get(home.pack)?.manifest.id.to_string(),
                file: home.file.clone(),
                line: home.line(pointer),
                path: path.to_owned(),
                value: value.cloned(),
            })
        };
        let declared = entity.history.as_ref().map_or(&*entity.json, |history| &history.base).pointer(path);
        let base = declared.and_then(|value| {
            writer(entity.place.document, &format!("{}{path}", entity.place.pointer), path, Some(value))
        });
        let writes = entity.history.iter().flat_map(|history| &history.writes);
        let patches = writes.filter(|write| overlap(&write.path, path)).filter_map(|write| {
            // If a pack wrote the whole entity, only this field of it matters.
            let inner = path.strip_prefix(write.path.as_str());
            let (path, value) = match inner {
                Some(inner) => (path, write.value.as_ref().and_then(|value| value.pointer(inner))),
                None => (write.path.as_str(), write.value.as_ref()),
            };
            writer(write.place.document, &write.place.pointer, path, value)
        });
        base.into_iter().chain(patches).collect()
    }
}
