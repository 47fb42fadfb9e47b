//! The pack pipeline: from files to a game that can be played.
//!
//! [`load`](load::load) turns pack sources into a [`Loaded`] game: the kernel's catalog, the scripts, the messages.
//! Whatever is wrong in a pack comes back as a list of [findings](Finding) with file, line and column. One broken file
//! does not hide what is wrong in the next.
//!
//! # What this crate must not know
//!
//! Terminals, arguments, front ends. The layers below it, each a crate of its own, know nothing of it; it re-exports
//! what front ends use of them.
//!
//! # Map
//!
//! - `pipeline`: **the order**, and no more. `options`: how far to go, and what to keep.
//! - `packs`: which packs take part. `read`: their files, with `cache`. `sizes`: how much there may be. `merge`, `patches`:
//!   putting them together.
//! - `checks`: whether the parts fit; a module for each subject. `scripts`, `script_facts`, `script_names`: what the content
//!   says to scripts, and their analysis.
//! - `causes`: which findings are consequences of others.
//! - `attempt`, `compile`, `game`: putting the game together. `meant`: a game with errors, as it was probably meant.
//! - `mutants`: mutation with this pipeline as judge.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//!
//! use principes_content::{LoadOptions, MemoryPack, PackSource, check};
//!
//! let pack: Arc<dyn PackSource> = Arc::new(MemoryPack::new("demo").with("pack.json", "{\"id\": \"demo\"}"));
//! let checked = check(&[pack], &LoadOptions::default());
//! assert!(checked.loaded.is_none());
//! assert!(checked.findings.iter().all(|finding| finding.file == "demo/pack.json"));
//! ```

mod attempt;
pub mod cache;
mod causes;
mod checks;
mod compile;
pub mod editor_schema;
mod game;
mod grid;
mod meant;
mod merge;
mod mutants;
mod options;
pub mod packs;
mod patches;
mod pipeline;
mod props;
mod read;
mod script_facts;
mod script_names;
mod script_vocabulary;
mod scripts;
mod sizes;
mod tiles;

pub use principes_findings::{Code, Finding, Severity};
pub use principes_model::{Arg, Checked, Loaded, LoadedScenario, Meant, Messages};
pub use principes_scripting::ScriptSource;
pub use principes_source::{DiskPack, MemoryPack, PackSource, base_game, folder};

pub use options::{LoadOptions, Stage};
pub use pipeline::{check, load, script_names};

/// Packed packs.
pub mod archive {
    pub use principes_source::archive::*;
}

/// Which lines and branches of scripts have run.
pub mod coverage {
    pub use principes_scenarios::coverage::*;
}

/// What is wrong in a pack, where, and what would be right.
pub mod findings {
    pub use principes_findings::*;
}

/// Text on its way to people.
pub mod door {
    pub use principes_findings::door::*;
}

/// What one check may use.
pub mod budget {
    pub use principes_findings::budget::*;
}

/// The long explanation of every code.
pub mod explain {
    pub use principes_findings::{EXPLANATIONS, EXTENSIONS, Explanation, base_file, explain};
}

/// Loading packs, and what that gives.
pub mod load {
    pub use principes_model::{
        Checked, Counts, EntityInfo, Loaded, LoadedScenario, Meant, PackInfo, PropValue, Writer,
    };

    pub use crate::game::FUNCTION_FIELDS;
    pub use crate::options::{LoadOptions, Stage};
    pub use crate::pipeline::{check, load, script_names};
}

/// What cards and rules say that they may touch.
pub mod may {
    pub use principes_scenarios::may::*;
}

/// Every sentence that players see.
pub mod messages {
    pub use principes_model::messages::*;
}

/// Packs with one small mistake each.
pub mod mutate {
    pub use principes_scenarios::mutate::*;

    pub use crate::mutants::judge;
}

/// Scenarios and their results.
pub mod scenario {
    pub use principes_scenarios::{
        Allowance, Bundle, Failure, Faulty, Outcome, Past, Plan, Recorder, Report, ScenarioFile, ScenarioPart,
        ScenarioRunner, Texts, Verdict, accept, are_stored as are_texts_stored, diff, findings, hook_name, is_same,
        orphans, own_modules, pack_under_test, run_all, scenario_files, snapshot_path, texts,
    };
}

/// The canonical shape of packs' files, and single functions of scripts.
pub mod shape {
    pub use principes_analysis::{function_text, tidy};
    pub use principes_json::shape::*;
}

/// Where packs are.
pub mod source {
    pub use principes_source::*;
}

/// What schemas find in values.
pub mod validate {
    pub use principes_json::schema::*;
}
