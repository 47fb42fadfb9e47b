//! The functions that scenarios call.

use principes_schemas::{Run, Scenario, Step};

/// The functions that a scenario calls by name.
pub fn called_functions(scenario: &Scenario) -> impl Iterator<Item = &str> {
    let run = match &scenario.run {
        Some(Run::Hook(run)) => Some(run.hook.as_str()),
        _ => None,
    };
    let calls = scenario.when.iter().filter_map(|step| match step {
        Step::Call(call) => Some(call.call.as_str()),
        _ => None,
    });
    run.into_iter().chain(calls)
}
