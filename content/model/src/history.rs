//! What patches did to entities.

use principes_json::PatchPlace;
use serde_json::Value;

use crate::place::EntityPlace;

/// What patches did to one entity.
#[derive(Clone, Debug)]
pub struct History {
    /// Where it is declared.
    pub place: EntityPlace,
    /// What was declared there.
    pub base: Value,
    /// All that was written, in load order.
    pub writes: Vec<Write>,
}

/// One writing of one field.
#[derive(Clone, Debug)]
pub struct Write {
    /// The pack that writes, as its position in load order.
    pub pack: usize,
    /// Where.
    pub place: PatchPlace,
    /// Pointer to the field inside the entity; empty for the whole of it.
    pub path: String,
    /// The value written; nothing if the field is removed.
    pub value: Option<Value>,
}

impl Write {
    /// What it writes into a field that is inside its own or around it.
    pub fn at(&self, path: &str) -> Option<&Value> {
        let inner = path.strip_prefix(self.path.as_str())?;
        self.value.as_ref()?.pointer(inner)
    }

    /// Whether it agrees with another pack's writing of the same field, whichever comes last.
    pub fn agrees(&self, other: &Write) -> bool {
        let deeper = if self.path.len() > other.path.len() { &self.path } else { &other.path };
        self.at(deeper) == other.at(deeper)
    }
}
