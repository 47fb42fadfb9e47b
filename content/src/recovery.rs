//! A game with errors as the author probably meant it, to find more errors.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_core::{Catalog, HookId};
use principes_findings::{Code, Finding, Meaning};
use principes_model::{Loaded, MISSING, Merged, called_functions};
use principes_schemas as schemas;
use principes_scripting::ScriptSource;

/// Whether the author's intention is clear despite an error, or the error does not affect games. If so, the rest can be
/// tried out, as far as it does not depend on the broken parts.
pub fn can_go_on(finding: &Finding) -> bool {
    match finding.code.meaning() {
        Meaning::Clear => true,
        Meaning::IfFixed => finding.fix.is_some(),
        Meaning::Doubtful => false,
    }
}

/// Whether an error prevents compiling, because there are too many ids.
pub fn cannot_be_compiled(finding: &Finding) -> bool {
    finding.code == Code::TooManyEntities
}

/// Adds the missing sides of one-sided borders.
pub fn borders(merged: &mut Merged) {
    let pairs: Vec<(String, schemas::SpaceRef)> = merged
        .spaces
        .iter()
        .flat_map(|space| {
            let id = space.value.id.to_string();
            space.value.adjacent.iter().map(move |other| (id.clone(), other.clone()))
        })
        .collect();
    let places = merged.spaces.iter().enumerate().map(|(at, space)| (space.value.id.to_string(), at));
    let places: BTreeMap<String, usize> = places.collect();
    let mut known: BTreeSet<(String, String)> =
        pairs.iter().map(|(id, other)| (id.clone(), other.as_str().to_owned())).collect();
    for (id, other) in pairs {
        let Some(there) = places.get(other.as_str()).map(|at| &mut merged.spaces[*at]) else { continue };
        if other.as_str() != id && known.insert((other.as_str().to_owned(), id.clone())) {
            Arc::make_mut(&mut there.value).adjacent.push(schemas::SpaceRef(id));
        }
    }
}

/// The error message of the stub for a script with errors.
const LEFT_OUT: &str = "this script has errors";

/// Replaces scripts with errors, and missing functions, with stubs that fail.
pub fn leave_out_scripts(loaded: &mut Loaded, broken: &BTreeSet<&str>, failures: &[Finding]) {
    let mut functions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let missing = |place: &Option<Finding>| {
        place.as_ref().is_some_and(|place| {
            failures.iter().any(|failure| {
                failure.code == Code::UnknownFunction && (&failure.file, &failure.span) == (&place.file, &place.span)
            })
        })
    };
    let mut catalog = Catalog::clone(&loaded.catalog);
    for (at, _) in loaded.origins.hooks.iter().enumerate().filter(|(_, place)| missing(place)) {
        catalog.set_function(HookId::at(at), MISSING, "missing");
    }
    for hook in &catalog.hooks {
        functions.entry(hook.module.clone()).or_default().insert(hook.function.clone());
    }
    for called in loaded.scenarios.iter().flat_map(|file| called_functions(&file.scenario)) {
        if let Some((module, function)) = called.rsplit_once('.') {
            functions.entry(module.to_owned()).or_default().insert(function.to_owned());
        }
    }
    for script in loaded.scripts.iter_mut().filter(|script| broken.contains(script.path.as_str())) {
        // Other scripts may call its functions.
        let mut names = functions.remove(&script.module).unwrap_or_default();
        let declared = script.text.lines().filter_map(|line| line.trim().strip_prefix("function ")?.split_once('.'));
        names.extend(declared.map(|(_, rest)| rest.split('(').next().unwrap_or_default().trim().to_owned()));
        *script = script.clone().with_text(failing_module(&names));
    }
    let names = functions.remove(MISSING).unwrap_or_default();
    let text = failing_module(&names);
    loaded.scripts.push(ScriptSource::new(MISSING, MISSING, text));
    loaded.catalog = Arc::new(catalog);
}

fn failing_module(functions: &BTreeSet<String>) -> String {
    let name = |name: &&String| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !name.is_empty();
    let functions: String =
        functions.iter().filter(name).map(|name| format!("function M.{name}() error(\"{LEFT_OUT}\") end\n")).collect();
    format!("local M = {{}}\n{functions}return M\n")
}

/// Removes findings about missing functions of modules that do not finish loading, because their functions are unknown.
pub fn not_of_endless_modules(loaded: &Loaded, failures: &[Finding], findings: &mut Vec<Finding>) {
    let is_endless =
        |script: &ScriptSource| failures.iter().any(|f| f.code == Code::LimitExceeded && f.file == script.path);
    let endless: Vec<String> =
        loaded.scripts.iter().filter(|script| is_endless(script)).map(|script| format!("{}.", script.module)).collect();
    findings.retain(|finding| {
        let quoted = || Some(finding.source.as_deref()?.get(finding.span.bytes.clone())?.trim_matches('"'));
        finding.code != Code::UnknownFunction
            || !quoted().is_some_and(|name| endless.iter().any(|module| name.starts_with(module)))
    });
}
