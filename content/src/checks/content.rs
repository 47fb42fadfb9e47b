//! The input of the checks.

use principes_model::Merged;

use super::placeholders::Fillable;
use super::vocabulary::KnownWords;
use crate::cache::Cache;

/// The packs, the words in scripts and content, and the cards and rules by their ids.
pub struct Content<'m> {
    pub merged: &'m Merged,
    pub vocabulary: KnownWords<'m>,
    pub fillable: Fillable<'m>,
    /// Whether scenarios were read.
    pub scenarios: bool,
    /// Where pictures that can be decoded are noted; none if none is to be decoded.
    pub decoding: Option<&'m Cache>,
}
