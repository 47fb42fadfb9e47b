//! Digests of several parts.

use std::hash::{Hash, Hasher};

use sha2::{Digest as _, Sha256};

/// SHA-256 over parts, each preceded by its length, so that parts cannot be confused.
#[derive(Default)]
pub struct Digest(Sha256);

impl Digest {
    /// The next part.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Adds a part by its `Hash`. Such digests differ between machines.
    pub fn add_hashed(&mut self, part: &impl Hash) {
        part.hash(&mut Parts(&mut self.0));
    }

    /// The digest of all parts.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// Passes what `Hash` writes to a digest.
struct Parts<'d>(&'d mut Sha256);

impl Hasher for Parts<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let digest: [u8; 32] = self.0.clone().finalize().into();
        digest.first_chunk().map_or(0, |first| u64::from_be_bytes(*first))
    }
}
