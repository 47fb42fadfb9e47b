//! Scenarios: a table as it is given, what happens, and what must be true then.
//!
//! **Setup.** With `run`, the first phase of the flow is played first where it is a `run` phase, every decision in it
//! answered by its first option: the standard setup. The rest of the flow is dropped, the edits of `given` are applied
//! (no hook hears of an edit; control follows it), `dice` are fixed, and what `run` names is started. When a hook has
//! ended, nobody is asked anything any more; `run.phase` goes on through the flow. Without `run` the flow goes from its
//! beginning to the first decision, and there `given` is applied.
//!
//! **Verdict.** A scenario passes if every step could be made, every expectation held, every fixed die was rolled and
//! no script failed unexpectedly, and if its transcript equals the stored snapshot.

mod bundle;
pub mod coverage;
mod edit;
mod english;
mod expect;
mod files;
pub mod findings;
mod hooks;
mod lookup;
pub mod may;
pub mod mutate;
mod offers;
mod outcome;
mod past;
mod play;
mod problem;
mod record;
mod runner;
mod setup;
mod snapshot;
mod transcript;

pub use bundle::Bundle;
pub use files::{Orphan, ScenarioFile, orphans, own_modules, pack_under_test, scenario_files, snapshot_path};
pub use hooks::hook_name;
pub use outcome::{Failure, Outcome, Report, ScenarioPart};
pub use past::{Past, Plan};
pub use play::Played;
pub use record::Recorder;
pub use runner::{ScenarioRunner, run_all};
pub use snapshot::{Verdict, accept, diff, is_same};
