//! Sources of packs: folders, zip files, memory, and the program itself.
//!
//! # What this crate must not know
//!
//! What files mean. It lists and reads them, and refuses harmful paths and archives.
//!
//! # Map
//!
//! - `pack`: the trait [`PackSource`] of all places that hold a pack. `budget`: how much they may hold. `path`: safe
//!   names. `role`: what a file holds, by its name.
//! - `held`: folders that are held open, so that nothing outside is reached. `ordinary`: regular files are read.
//! - `disk`, `archive`, `memory`, `embedded`: the four places. `overlay`: changes that are not written yet. `open`: the
//!   pack at a path.
//!
//! # Example
//!
//! ```
//! use principes_source::{MemoryPack, PackSource};
//!
//! let pack = MemoryPack::new("demo").with("pack.json", "{}");
//! assert_eq!(pack.list()?, ["pack.json"]);
//! assert_eq!(pack.label("pack.json"), "demo/pack.json");
//! assert!(pack.read("../secret").is_err());
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod archive;
mod budget;
mod disk;
mod embedded;
mod held;
mod memory;
mod open;
mod ordinary;
mod overlay;
mod pack;
mod path;
mod role;

pub use archive::PackedPack;
pub use budget::{MAX_DEPTH, MAX_FILE_BYTES, MAX_FILES, MAX_NAMES, MAX_TOTAL_BYTES, PackBudget};
pub use disk::DiskPack;
pub use embedded::{BuiltInPack, base_game, built_in, install_packs};
pub use held::{EntryKind, HeldFolder, temporary_name};
pub use memory::MemoryPack;
pub use open::{folder, is_packed, open};
pub use ordinary::read_file;
pub use overlay::OverlayPack;
pub use pack::{PackSource, Refusal, Stamp, text_of};
pub use path::{is_litter, is_safe_path};
pub use role::FileRole;
