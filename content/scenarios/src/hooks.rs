//! Names of hooks, and the other functions that scenarios call.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_core::catalog::{Catalog, Hook, HookSource};
use principes_core::{HookId, Value};
use principes_model::called_functions;

use crate::files::ScenarioFile;

/// A hook in words: `windfall · card.play (cards/luck.windfall)`.
pub fn hook_name(catalog: &Catalog, hook: HookId) -> String {
    let Some(spec) = catalog.hooks.get(hook.index()) else { return "?".to_owned() };
    let function = match &spec.change {
        Some(change) => change.to_string(),
        None => format!("{}.{}", spec.module, spec.function),
    };
    let owner = match spec.source {
        HookSource::Flow => return function,
        HookSource::Design(design) => catalog.id_of(Value::Design(design)),
        HookSource::Rule(rule) => catalog.id_of(Value::Rule(rule)),
    };
    let point = spec.point.and_then(|point| catalog.points.get(point.index())).map_or("?", |point| point.id.as_str());
    format!("{owner} · {point} ({function})")
}

/// The catalog with additional hooks for the functions that scenarios call by name. Hooks of the packs keep their ids,
/// so coverage and digests do not depend on scenarios.
pub(crate) fn with_called_functions(catalog: &Arc<Catalog>, scenarios: &[ScenarioFile]) -> Arc<Catalog> {
    let mut called: BTreeSet<&str> = scenarios.iter().flat_map(|file| called_functions(&file.scenario)).collect();
    called.retain(|function| flow_hook(catalog, function).is_none());
    if called.is_empty() {
        return Arc::clone(catalog);
    }
    let mut extended = Catalog::clone(catalog);
    for function in called {
        // The schema requires a dot.
        let (module, function) = function.rsplit_once('.').unwrap_or(("", function));
        extended.add_function(module, function);
    }
    Arc::new(extended)
}

/// A hook without an entity, by the name of its function.
pub(crate) fn flow_hook(catalog: &Catalog, function: &str) -> Option<HookId> {
    let (module, function) = function.rsplit_once('.')?;
    let fits = |hook: &Hook| hook.source == HookSource::Flow && hook.module == module && hook.function == function;
    catalog.hooks.iter().position(fits).map(HookId::at)
}
