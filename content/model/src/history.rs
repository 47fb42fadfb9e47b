//! What patches did to entities.

use principes_json::PatchPlace;
use serde_json::Value;

use crate::place::EntityPlace;

/// What patches did to one entity.
#[derive(Clone, Debug)]
pub struct History {
    /// Where it is declared.
    pub place: EntityPlace,
    /// The entity as it is declared there.
    pub base: Value,
    /// All writes, in load order.
    pub writes: Vec<Write>,
}

/// A write to one field.
#[derive(Clone, Debug)]
pub struct Write {
    /// The pack that writes, as its position in load order.
    pub pack: usize,
    /// Where.
    pub place: PatchPlace,
    /// Pointer to the field inside of the entity; empty for the whole entity.
    pub path: String,
    /// The new value; `None` if the field is removed.
    pub value: Option<Value>,
}

impl Write {
    /// The value that it writes to a field inside of its own field.
    pub fn at(&self, path: &str) -> Option<&Value> {
        let inner = path.strip_prefix(self.path.as_str())?;
        self.value.as_ref()?.pointer(inner)
    }

    /// Whether the result is the same no matter which of two writes comes last.
    pub fn agrees(&self, other: &Write) -> bool {
        let deeper = if self.path.len() > other.path.len() { &self.path } else { &other.path };
        self.at(deeper) == other.at(deeper)
    }
}
