//! The pack pipeline: read, check, merge, compile.
//!
//! [`load`](load::load) turns pack sources into a [`Loaded`] game: the kernel's catalog, the scripts, the messages.
//! Whatever is wrong in a pack comes back as a list of [finding](Diagnostic)s with file, line and column; a broken file does
//! not hide what is wrong in the next one.

mod attempt;
pub mod cache;
mod checks;
mod compile;
mod game;
mod meant;
mod merge;
mod mutants;
mod options;
pub mod packs;
mod patches;
mod pipeline;
mod read;
mod script_facts;
mod script_names;
mod scripts;

pub use principes_findings::{Code, Finding as Diagnostic, Severity};
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
pub mod diagnostic {
    pub use principes_findings::{Finding as Diagnostic, *};
}

/// The long explanation of every code.
pub mod explain {
    pub use principes_findings::{EXPLANATIONS, EXTENSIONS, Explanation, base_file, explain};
}

/// Loading packs, and what that gives.
pub mod load {
    pub use principes_model::{Checked, Counts, EntityInfo, Loaded, LoadedScenario, Meant, PackInfo, Writer};

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

/// Scenarios and what becomes of them.
pub mod scenario {
    pub use principes_scenarios::{
        Bundle, Failure, Outcome, Past, Plan, Recorder, Report, ScenarioFile, ScenarioPart as Part,
        ScenarioRunner as Rehearsal, Verdict, accept, diff, findings, hook_name, is_same, orphans, own_modules, pack_under_test,
        run_all, scenario_files, snapshot_path,
    };
}

/// Where packs lie.
pub mod source {
    pub use principes_findings::visible;
    pub use principes_source::*;
}

/// What schemas find in values.
pub mod validate {
    pub use principes_json::schema::*;
}
