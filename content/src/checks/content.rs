//! The input of the checks.

use principes_model::Merged;

use super::vocabulary::KnownWords;

/// The packs, and the words in scripts and content.
pub struct Content<'m> {
    pub merged: &'m Merged,
    pub vocabulary: KnownWords<'m>,
}
