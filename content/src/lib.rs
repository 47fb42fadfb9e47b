//! The pack pipeline: from files to a game that can be played.
//!
//! [`load`] turns pack sources into a [`Loaded`](principes_model::Loaded) game: the kernel's catalog, the scripts, the
//! messages. All errors in a pack come back as a list of [findings](principes_findings::Finding) with
//! file, line and column. A broken file does not hide the findings in others.
//!
//! # What this crate must not know
//!
//! Terminals, arguments and front ends. The layers below it are separate crates that do not know it. Front ends take
//! findings, sources, models and scenarios from those crates.
//!
//! # Map
//!
//! - `pipeline`: **the order** of all steps. `options`: how far to go, and what to reuse.
//! - `packs`: which packs take part. `read`: their files, through `cache`. `sizes`: how much a pack may hold. `merge`
//!   and `patches`: many files become one list of entities for each family. `messages`: the texts of all packs. `bots`:
//!   trained players.
//! - `props`, `editor_schema`: declared props, in content and in the schemas for editors.
//! - `checks`: whether the parts of a game fit together, with a module for each subject. `look`: what looks may draw.
//!   `symbols`: the symbols that the program brings. `scripts`, `script_facts`, `script_names`, `script_vocabulary`: what
//!   the content means for scripts, and their analysis.
//! - `causes`: which findings are consequences of others. `misspelled`, `occurrences`: names that are wrong where
//!   they are declared.
//! - `answers`: warnings that packs answer.
//! - `compile`, `grid`, `tiles`: entities become the kernel's catalog. `attempt`, `game`: the whole game, or findings.
//!   `recovery`: a game with errors, as the author probably meant it.
//! - `mutants`: the judge of `mutate`, which checks mutants with this pipeline.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//!
//! use principes_content::{LoadOptions, check};
//! use principes_source::{MemoryPack, PackSource};
//!
//! let pack: Arc<dyn PackSource> = Arc::new(MemoryPack::new("demo").with("pack.json", "{\"id\": \"demo\"}"));
//! let checked = check(&[pack], &LoadOptions::default());
//! assert!(checked.loaded.is_none());
//! assert!(checked.findings.iter().all(|finding| finding.file == "demo/pack.json"));
//! ```

mod answers;
mod attempt;
mod bots;
pub mod cache;
mod causes;
mod checks;
mod compile;
pub mod editor_schema;
mod game;
mod grid;
mod look;
mod merge;
mod messages;
mod misspelled;
mod mutants;
mod occurrences;
mod options;
pub mod packs;
mod patches;
mod pipeline;
mod props;
mod read;
mod recovery;
mod script_facts;
mod script_names;
mod script_vocabulary;
mod scripts;
mod sizes;
pub mod symbols;
mod tiles;

pub use game::FUNCTION_FIELDS;
pub use misspelled::spare_agreeing;
pub use mutants::judge;
pub use options::{LoadOptions, Stage};
pub use pipeline::{check, load, script_names};
