//! The places of entities.

use std::sync::Arc;

/// Where the files declare an entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntityPlace {
    /// Position of its document.
    pub document: usize,
    /// The JSON pointer of the entity in its document.
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
