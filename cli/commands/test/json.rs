//! Results as JSON.

use principes_scenarios::coverage::{self, ModuleCoverage};
use principes_scripting::STEP_BUDGET;
use serde_json::json;

use super::tested::{Tested, failures, sums, verdict};

/// The results of all packs, and the paths of packs that cannot be loaded.
pub(super) fn results(all: &[Tested], unloaded: &[String]) -> serde_json::Value {
    let packs: Vec<serde_json::Value> = all
        .iter()
        .map(|tested| {
            let scenarios: Vec<serde_json::Value> = tested
                .report
                .results
                .iter()
                .map(|result| {
                    json!({
                        "id": result.id, "title": result.title, "file": result.file, "rules": result.rules,
                        "passed": result.passed(), "verdict": verdict(result), "failures": failures(result),
                        "diff": result.diff, "steps": result.steps,
                    })
                })
                .collect();
            json!({
                "id": tested.pack,
                "passed": tested.report.results.iter().filter(|result| result.passed()).count(),
                "scenarios": scenarios,
                "texts": tested.texts.iter().map(|texts| {
                    json!({ "file": texts.file, "passed": texts.passed(), "diff": texts.diff })
                }).collect::<Vec<_>>(),
                "hooks": {
                    "declared": tested.report.declared.len(),
                    "reached": tested.report.reached.len(),
                    "coverage": tested.report.coverage(),
                    "unreached": tested.unreached,
                },
                "coverage": tested.coverage.as_deref().map(coverage_json),
                "too_little": tested.too_little,
            })
        })
        .collect();
    json!({ "step_limit": STEP_BUDGET, "packs": packs, "unloaded": unloaded })
}

fn coverage_json(modules: &[ModuleCoverage]) -> serde_json::Value {
    let part = |hit, all| json!({ "covered": hit, "total": all, "percent": coverage::percent(hit, all) });
    let list: Vec<serde_json::Value> = modules
        .iter()
        .map(|module| {
            let missed = module.branches.iter().filter(|branch| branch.hits == 0);
            let missed: Vec<serde_json::Value> =
                missed.map(|branch| json!({ "line": branch.line, "what": branch.way.missed() })).collect();
            let lines: Vec<[u32; 2]> =
                module.missed_lines().into_iter().map(|lines| [lines.start, lines.end - 1]).collect();
            json!({
                "module": module.module, "file": module.file,
                "lines": part(module.lines_hit(), module.lines.len()),
                "branches": part(module.branches_hit(), module.branches.len()),
                "missed_lines": lines, "missed_branches": missed,
            })
        })
        .collect();
    let [lines, all_lines, branches, all_branches] = sums(modules);
    json!({ "lines": part(lines, all_lines), "branches": part(branches, all_branches), "modules": list })
}
