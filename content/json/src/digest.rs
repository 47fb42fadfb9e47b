//! Digests of several parts.

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

    /// The digest of all parts.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
