//! What a check finds: in the files of packs, in their scenarios, in random games.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;
use principes_app::packs::OpenPacks;
use principes_app::smoke::smoke_games;
use principes_content::FUNCTION_FIELDS;
use principes_content::LoadOptions;
use principes_findings::Code;
use principes_findings::budget::{Deadline, MOST_SCENARIO_STEPS};
use principes_findings::{Finding, Severity};
use principes_model::PackInfo;
use principes_model::{Checked, Loaded, Recovered};
use principes_scenarios::findings::{of_overstep, of_report, of_texts, orphans, unreached};
use principes_scenarios::may::Limits;
use principes_scenarios::{Allowance, Past, Plan};
use principes_scripting::LuaHost;
use principes_source::PackSource;

use super::args::{Args, Until};
use crate::packs::refuse;

/// Everything that was found and examined.
#[derive(Default)]
pub struct Findings {
    pub(super) packs: Vec<String>,
    pub(super) findings: Vec<Finding>,
    pub(super) entities: usize,
    pub(super) hooks: usize,
    pub(super) scenarios: usize,
    pub(super) orders: Vec<Vec<PackInfo>>,
    /// How the scenarios went.
    pub(super) past: Past,
}

impl Findings {
    pub(super) fn add(&mut self, other: &Findings) {
        self.packs.extend(other.packs.iter().cloned());
        self.findings.extend(other.findings.iter().cloned());
        self.entities += other.entities;
        self.hooks += other.hooks;
        self.scenarios += other.scenarios;
    }
    pub(super) fn count(&self, severity: Severity) -> usize {
        count(&self.findings, severity)
    }
    pub(super) fn summary(&self) -> String {
        let entities = if self.entities == 1 { "1 entity".to_owned() } else { format!("{} entities", self.entities) };
        let mendable = self.findings.iter().filter(|finding| finding.fix.is_some()).count();
        let mend = if mendable == 0 { String::new() } else { format!("; `--fix` can fix {mendable}") };
        format!(
            "{} with {entities}, {} and {}: {}{mend}",
            many(self.packs.len(), "pack"),
            many(self.hooks, "hook"),
            many(self.scenarios, "scenario"),
            faults(&self.findings),
        )
    }
}

fn many(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn count(findings: &[Finding], severity: Severity) -> usize {
    findings.iter().filter(|finding| finding.severity == severity).count()
}

/// How many findings there are.
pub(super) fn faults(findings: &[Finding]) -> String {
    let [errors, warnings] = [Severity::Error, Severity::Warning].map(|severity| count(findings, severity));
    format!("{}, {}", many(errors, "error"), many(warnings, "warning"))
}

/// What is left to check in packs whose files have been checked: how they play.
pub struct Rest {
    packs: OpenPacks,
    /// The scenarios, if requested.
    plan: Option<Plan>,
    /// Whether random games are played.
    plays: bool,
    /// When to stop.
    deadline: Deadline,
    /// What has been found in a game that is only tried out as it was probably meant.
    errors: Vec<Finding>,
}

impl Rest {
    fn new(loaded: Loaded, args: &Args, plays: bool, past: &Past, deadline: Deadline) -> Self {
        let plan = (args.until >= Until::Scenarios && !args.together).then(|| past.plan(&loaded));
        Rest { packs: OpenPacks::new(loaded), plan, plays, deadline, errors: Vec::new() }
    }

    /// Whether it takes no time.
    pub(super) fn is_known(&self) -> bool {
        !self.plays && self.plan.as_ref().is_none_or(|plan| plan.to_run() == 0)
    }

    /// Runs the scenarios, of those that ran before only the ones for which something has changed, and plays.
    pub(super) fn check(self, result: &mut Findings) -> Result<()> {
        let loaded = &self.packs.loaded;
        if let Some(plan) = self.plan {
            let allowance = Allowance { deadline: self.deadline, steps: MOST_SCENARIO_STEPS };
            let report = plan.run(loaded, &mut result.past, allowance).map_err(refuse)?;
            result.findings.extend(of_report(loaded, &self.errors, &report));
            result.findings.extend(unreached(loaded, &self.errors, &report));
            result.findings.extend(of_texts(loaded, &self.errors));
            result.findings.extend(orphans(loaded));
        }
        if self.plays {
            check_play(&self.packs, &self.packs.host()?, self.deadline, result);
        }
        Ok(())
    }
}

/// Checks packs that are loaded together.
pub(super) fn check_table(
    given: &[Arc<dyn PackSource>],
    args: &Args,
    options: &LoadOptions,
    result: &mut Findings,
) -> Result<()> {
    check_files(given, args, options, result).map_or(Ok(()), |rest| rest.check(result))
}

/// Checks the files of packs that are loaded together; returns what is left to do.
pub(super) fn check_files(
    given: &[Arc<dyn PackSource>],
    args: &Args,
    options: &LoadOptions,
    result: &mut Findings,
) -> Option<Rest> {
    let until = args.until;
    let deadline = Deadline::of_a_check();
    let options = &LoadOptions { deadline, ..options.clone() };
    let Checked { findings, loaded, counts, packs, recovered } = principes_content::check(given, options);
    result.findings.extend(findings);
    result.orders.push(packs);
    let Some(loaded) = loaded else {
        result.packs.extend(given.iter().map(|source| source.label("").trim_end_matches('/').to_owned()));
        result.entities += counts.entities;
        result.scenarios += counts.scenarios;
        return recovered.map(|Recovered { game, findings }| Rest {
            errors: findings,
            ..Rest::new(game, args, false, &result.past, deadline)
        });
    };
    let labels: Vec<String> = given.iter().map(|source| source.label("pack.json")).collect();
    for pack in loaded.packs.iter().filter(|pack| labels.contains(&pack.file)) {
        let id = pack.manifest.id.to_string();
        result.entities += loaded.entities.iter().filter(|entity| entity.packs.first() == Some(&id)).count();
        result.scenarios += loaded.scenarios.iter().filter(|scenario| scenario.pack == id).count();
        result.hooks += own_functions(&loaded, &id);
        result.packs.push(id);
    }
    (until >= Until::Scripts).then(|| Rest::new(loaded, args, until >= Until::Play, &result.past, deadline))
}

/// How many functions the entities of a pack name as their hooks.
fn own_functions(loaded: &Loaded, pack: &str) -> usize {
    fn count(value: &serde_json::Value, in_hooks: bool) -> usize {
        match value {
            serde_json::Value::Object(map) => map
                .iter()
                .map(|(key, value)| match value {
                    serde_json::Value::String(function) => {
                        usize::from((in_hooks || FUNCTION_FIELDS.contains(&key.as_str())) && function.contains('.'))
                    }
                    other => count(other, key == "hooks"),
                })
                .sum(),
            serde_json::Value::Array(list) => list.iter().map(|value| count(value, false)).sum(),
            _ => 0,
        }
    }
    loaded
        .entities
        .iter()
        .filter(|entity| entity.packs.iter().any(|id| id == pack))
        .map(|entity| count(&entity.json, false))
        .sum()
}

/// A few random games in every variant must come to an end, and no hook may go beyond what it declares.
fn check_play(packs: &OpenPacks, host: &LuaHost, deadline: Deadline, result: &mut Findings) {
    let mut reported = BTreeSet::new();
    let (limits, mut overstepped) = (Limits::of(&packs.loaded.entities), BTreeSet::new());
    host.watch();
    let is_whole = smoke_games(packs, host, deadline, |variant, played| {
        for overstep in limits.beyond(&packs.catalog, &host.watch()) {
            if overstepped.insert(overstep.clone()) {
                result.findings.push(of_overstep(&packs.loaded, &overstep));
            }
        }
        let Err(error) = played else { return };
        let of = variant.map(|id| format!(" (variant `{id}`)")).unwrap_or_default();
        let mut finding = packs.loaded.script_finding(&error);
        finding.code = Code::FailedGame;
        finding.message = format!("a random game failed{of}: {}", finding.message);
        if reported.insert((finding.file.clone(), error.line, error.message.clone())) {
            result.findings.push(finding);
        }
    });
    if !is_whole {
        let file = packs.loaded.packs.last().map(|pack| pack.file.as_str()).unwrap_or_default();
        result.findings.push(Deadline::finding(file, "a part of the random games"));
    }
}
