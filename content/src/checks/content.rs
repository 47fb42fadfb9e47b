//! What checks look at.

use principes_model::Merged;

use super::vocabulary::Vocabulary;

/// The packs, and what scripts and content mention.
pub struct Content<'m> {
    pub merged: &'m Merged,
    pub vocabulary: Vocabulary<'m>,
}
