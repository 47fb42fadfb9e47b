//! Digests as text.

use sha2::{Digest as _, Sha256};

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first 12 hexadecimal digits of the SHA-256 of some bytes.
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)).chars().take(12).collect()
}
