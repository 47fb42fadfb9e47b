//! The places of entities.

use std::sync::Arc;

/// The place of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityPlace {
    /// Position of its document.
    pub document: usize,
    /// Pointer to it.
    pub pointer: String,
}

/// An entity with its place.
#[derive(Clone, Debug)]
pub struct Sourced<T> {
    /// The entity, with patches applied.
    pub value: Arc<T>,
    /// Where it is.
    pub place: EntityPlace,
}
