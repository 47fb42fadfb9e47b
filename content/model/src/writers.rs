//! Who wrote what of an entity.

use crate::game::{EntityInfo, Loaded};
use principes_json::overlap;

/// A pack that declared an entity, or changed a field of it.
#[derive(Clone, Debug)]
pub struct Writer {
    /// The pack.
    pub pack: String,
    /// The file as users name it.
    pub file: String,
    /// Line of the file.
    pub line: usize,
    /// Pointer to what was written, inside the entity; empty for the whole of it.
    pub path: String,
    /// What was written; nothing if it was removed.
    pub value: Option<serde_json::Value>,
}

impl Loaded {
    /// Who wrote a field of an entity, in load order: its pack first, then every patch that touched the field,
    /// something inside it or something around it. `path` is a pointer inside the entity; empty for the whole of it.
    pub fn writers(&self, entity: &EntityInfo, path: &str) -> Vec<Writer> {
        let writer = |document: usize, pointer: &str, path: &str, value: Option<&serde_json::Value>| {
            let home = self.origins.documents.0.get(document)?;
            Some(Writer {
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
            // Of a whole entity only the field in question is of interest.
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
