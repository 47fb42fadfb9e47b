//! Scenarios: a given table, what happens, and what must be true afterward.
//!
//! **Setup.** With `run`, the first phase of the flow is played first if it is a `run` phase, and every decision in it
//! is answered with its first option: the standard setup. Then the rest of the flow is dropped, and the edits of `given`
//! are applied. No hook runs for an edit, but control follows it. `dice` are fixed, and what `run` names is started. Once
//! a hook has ended, no more decisions are open; `run.phase` continues through the flow. Without `run`, the flow runs
//! from its start to the first decision, where `given` is applied.
//!
//! **Verdict.** A scenario passes if every step could be made, every expectation held, every fixed die was rolled, no
//! script failed unexpectedly, and its transcript equals the stored snapshot.
//!
//! # What this crate must not know
//!
//! How packs are loaded. It plays a [`Loaded`](principes_model::Loaded) game. `mutate` receives the check as a
//! function.
//!
//! # Map
//!
//! - `files`, `hooks`, `lookup`, `offers`, `english`: scenarios, and the things that they name. `step_error`: why a
//!   step failed.
//! - `setup`, `edit`, `expect`, `transcript`, `play`: one scenario. `runner`: all of them. `past`: which of them need
//!   not run again.
//! - `result`, `snapshot`, `bundle`, `findings`: their results, stored transcripts, and what is wrong. `cost`: the steps
//!   of edits and expectations.
//! - `texts`: what players read, stored beside the messages. `explained`: changes in them that findings explain. `held`:
//!   scenarios that use something broken. `renamed`: snapshots that may be those of a scenario with another name.
//! - `may`: what cards declare to change. `coverage`: which lines have run. `mutate`: whether mistakes are
//!   noticed.
//! - `record`: a played game as a scenario.
//!
//! # Example
//!
//! ```
//! use principes_scenarios::{is_same, snapshot_path};
//!
//! assert_eq!(snapshot_path("luck/win.scenarios.json"), "luck/win.scenarios.snap");
//! assert!(is_same("A win\r\n", "A win"));
//! ```

mod bundle;
mod cost;
pub mod coverage;
mod edit;
mod english;
mod expect;
mod explained;
mod files;
pub mod findings;
mod held;
mod hooks;
mod lookup;
pub mod may;
pub mod mutate;
mod offers;
mod past;
mod play;
mod record;
mod renamed;
mod result;
mod runner;
mod setup;
mod snapshot;
mod step_error;
mod texts;
mod transcript;

pub use bundle::Bundle;
pub use files::{Orphan, ScenarioFile, orphans, own_modules, pack_under_test, scenario_files, snapshot_path};
pub use held::BrokenParts;
pub use hooks::hook_name;
pub use past::{Past, Plan};
pub use play::{Audience, Happening, Played};
pub use record::Recorder;
pub use renamed::Renamed;
pub use result::{Failure, ScenarioPart, ScenarioReport, ScenarioResult, Verdict};
pub use runner::{Allowance, ScenarioRunner, run_all};
pub use snapshot::{accept, diff, first_snapshots, is_same};
pub use texts::{Texts, are_texts_stored, texts};
