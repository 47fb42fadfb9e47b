//! Where packs lie: folders, zip files, memory, the program itself.

pub mod archive;
mod disk;
mod embedded;
mod memory;
mod open;
mod pack;
mod path;
mod role;

pub use archive::PackedPack;
pub use disk::{DiskPack, read_file};
pub use embedded::{EmbeddedPack, base_game};
pub use memory::MemoryPack;
pub use open::{folder, is_packed, open};
pub use pack::{MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES, PackSource, Refusal, Stamp};
pub use path::is_safe_path;
pub use role::FileRole;
