//! Where files go.

/// Takes a file: its path inside a folder, and its bytes.
pub type Put<'p> = dyn FnMut(&str, &[u8]) -> std::io::Result<()> + 'p;
