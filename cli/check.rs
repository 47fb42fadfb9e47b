//! `principes check`: everything that is wrong with packs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::ValueEnum;
use principes_content::diagnostic::{self, Diagnostic, Severity, Span, print_human, print_json};
use principes_content::scenario::Verdict;
use principes_content::source::{PackSource, base_game};
use principes_content::{Checked, Loaded};
use principes_core::bots::{self, Players, RandomBot};
use principes_core::scripts::ScriptError;
use principes_core::{Game, GameConfig};
use principes_scripting::LuaHost;
use serde_json::json;

use crate::out::{self, Exit};
use crate::packs::{self, Ready};
use crate::setup::{Player, SetupArgs, derive_seed, setup};

/// Games that `--until play` plays in each variant of a game.
const SMOKE_GAMES: u64 = 3;
/// A smoke game that takes longer has something wrong with it.
const SMOKE_DECISIONS: usize = 20_000;

const EXAMPLES: &str = "\
Examples:
  principes check                              every pack under content/ and mods/
  principes check mods/my-pack
  principes check mods/my-pack --format json
  principes check --until play --deny warnings
  principes explain P0101                      what a code means";

/// Finds everything that is wrong with packs, with file, line and column.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Packs, or folders of packs; those under content/ and mods/ unless said.
    paths: Vec<PathBuf>,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// What also counts as a fault.
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// How far to go; each stage includes those before it.
    #[arg(long, value_enum, default_value_t = Until::Scenarios, value_name = "STAGE")]
    until: Until,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
    /// For code scanning services.
    Sarif,
    /// For test reports.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Warnings are faults too.
    Warnings,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Until {
    /// Files can be read and are JSON.
    Syntax,
    /// Files fit their schemas.
    Schema,
    /// References lead somewhere, numbers and messages are right.
    Links,
    /// Scripts compile and have the functions that hooks name.
    Scripts,
    /// Scenarios do what they say.
    Scenarios,
    /// Random games come to an end.
    Play,
}

/// Everything that was found and looked at.
#[derive(Default)]
struct Findings {
    packs: Vec<String>,
    findings: Vec<Diagnostic>,
    entities: usize,
    hooks: usize,
    scenarios: usize,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let folders = packs::under(&args.paths)?;
    let given: Vec<Arc<dyn PackSource>> = match folders.is_empty() {
        true => vec![base_game()],
        false => packs::sources(&folders)?,
    };
    let mut result = Findings::default();
    for source in given {
        check_one(&source, args.until, &mut result)?;
    }
    diagnostic::sort(&mut result.findings);
    let text = match args.format {
        Format::Human => human(&result),
        Format::Json => {
            serde_json::to_string_pretty(&json!({
                "packs": result.packs,
                "findings": print_json(&result.findings),
                "summary": {
                    "errors": result.count(Severity::Error), "warnings": result.count(Severity::Warning),
                    "packs": result.packs.len(), "entities": result.entities, "hooks": result.hooks,
                    "scenarios": result.scenarios,
                },
            }))? + "\n"
        }
        Format::Sarif => serde_json::to_string_pretty(&sarif(&result.findings))? + "\n",
        Format::Junit => junit(&result.findings),
        Format::Github => github(&result.findings),
    };
    let mut out = out::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    if args.format == Format::Human {
        out::note(&result.summary());
    }
    let faults = match args.deny {
        Some(Deny::Warnings) => !result.findings.is_empty(),
        None => result.count(Severity::Error) > 0,
    };
    Ok(Exit::faults(faults))
}

impl Findings {
    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
    fn summary(&self) -> String {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let entities = if self.entities == 1 { "1 entity".to_owned() } else { format!("{} entities", self.entities) };
        format!(
            "{} with {entities}, {} and {}: {}, {}",
            count(self.packs.len(), "pack"),
            count(self.hooks, "hook"),
            count(self.scenarios, "scenario"),
            count(self.count(Severity::Error), "error"),
            count(self.count(Severity::Warning), "warning"),
        )
    }
}

fn check_one(source: &Arc<dyn PackSource>, until: Until, result: &mut Findings) -> Result<()> {
    let stage = match until {
        Until::Syntax => principes_content::Stage::Syntax,
        Until::Schema => principes_content::Stage::Schema,
        Until::Links => principes_content::Stage::Links,
        _ => principes_content::Stage::Scripts,
    };
    let Checked { findings, loaded, counts } =
        principes_content::check(std::slice::from_ref(source), &packs::options(None, stage));
    result.findings.extend(findings);
    let Some(loaded) = loaded else {
        result.packs.push(source.label("").trim_end_matches('/').to_owned());
        result.entities += counts.entities;
        result.scenarios += counts.scenarios;
        return Ok(());
    };
    let id = loaded.packs.last().map(|pack| pack.manifest.id.to_string()).unwrap_or_default();
    result.entities += loaded.entities.iter().filter(|entity| entity.packs.first() == Some(&id)).count();
    result.scenarios += loaded.scenarios.iter().filter(|scenario| scenario.pack == id).count();
    result.hooks += own_functions(&loaded, &id);
    result.packs.push(id);
    if until < Until::Scripts {
        return Ok(());
    }
    let ready = Ready::new(loaded);
    if until >= Until::Scenarios {
        check_scenarios(&ready, result)?;
    }
    if until >= Until::Play {
        check_play(&ready, &ready.host()?, result);
    }
    Ok(())
}

/// How many functions the entities of a pack name as their hooks.
fn own_functions(loaded: &Loaded, pack: &str) -> usize {
    fn count(value: &serde_json::Value, in_hooks: bool) -> usize {
        const KEYS: [&str; 5] = ["run", "each", "simultaneous", "options", "play"];
        match value {
            serde_json::Value::Object(map) => map
                .iter()
                .map(|(key, value)| match value {
                    serde_json::Value::String(function) => {
                        usize::from((in_hooks || KEYS.contains(&key.as_str())) && function.contains('.'))
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

fn check_scenarios(ready: &Ready, result: &mut Findings) -> Result<()> {
    let tested = crate::test::test_pack(ready, None, false)?;
    // What the file says is read once, for showing the line.
    let mut texts: BTreeMap<PathBuf, Arc<str>> = BTreeMap::new();
    for outcome in tested.report.outcomes.iter().filter(|outcome| !outcome.passed()) {
        let mut words: Vec<(&str, String, Option<&str>)> = outcome
            .failures
            .iter()
            .map(|failure| ("P0701", format!("scenario `{}`, {}: {}", outcome.id, failure.part, failure.message), None))
            .collect();
        if outcome.failures.is_empty() {
            words.push(match outcome.snapshot {
                Verdict::New => (
                    "P0703",
                    format!("scenario `{}` has no stored snapshot", outcome.id),
                    Some("`principes test --accept` stores what it does now"),
                ),
                _ => (
                    "P0702",
                    format!("scenario `{}` does something else than its stored snapshot says", outcome.id),
                    Some("`principes test --review` shows what changed"),
                ),
            });
        }
        let place =
            ready.loaded.scenarios.iter().find(|s| s.file == outcome.file && s.scenario.id.as_str() == outcome.id);
        for (code, message, help) in words {
            let mut finding = Diagnostic::new(code, outcome.file.clone(), message).maybe_help(help.map(str::to_owned));
            if let Some(place) = place {
                let path = PathBuf::from(&place.file);
                let text = texts
                    .entry(path.clone())
                    .or_insert_with(|| std::fs::read_to_string(path).unwrap_or_default().into());
                if !text.is_empty() {
                    let span = Span::of_line(text, place.line);
                    finding = finding.at(text, span);
                }
            }
            result.findings.push(finding);
        }
    }
    Ok(())
}

/// A few random games in every variant must come to an end.
fn check_play(ready: &Ready, host: &LuaHost, result: &mut Findings) {
    let variants: Vec<Option<String>> =
        std::iter::once(None).chain(ready.catalog.variants.iter().map(|variant| Some(variant.id.clone()))).collect();
    let mut told = BTreeSet::new();
    for variant in variants {
        for game in 0..SMOKE_GAMES {
            let Err(error) = smoke(ready, host, variant.as_deref(), derive_seed(1, game)) else { continue };
            let of = variant.as_deref().map(|id| format!(" (variant `{id}`)")).unwrap_or_default();
            let mut finding = ready.loaded.script_finding(&error);
            finding.code = "P0801";
            finding.message = format!("a random game failed{of}: {}", finding.message);
            if told.insert((finding.file.clone(), error.line, error.message.clone())) {
                result.findings.push(finding);
            }
        }
    }
}

fn smoke(ready: &Ready, host: &LuaHost, variant: Option<&str>, seed: u64) -> Result<(), ScriptError> {
    let fail = |error: anyhow::Error| ScriptError::flow(format!("{error:#}"));
    let args = SetupArgs { variant: variant.map(str::to_owned), ..SetupArgs::default() };
    let table = setup(&ready.catalog, &args, &[], Player::Random, Player::Random, None, seed).map_err(fail)?;
    let config = GameConfig { seed, ..table.config };
    let mut game = Game::new(ready.catalog.clone(), host.clone(), config).map_err(|error| match error {
        principes_core::StartError::Script(error) => error,
        other => ScriptError::flow(other.to_string()),
    })?;
    game.record_events(false);
    let mut players: Players<LuaHost> = Vec::new();
    for (seat, _) in &table.players {
        players.push((*seat, Box::new(RandomBot::new(derive_seed(seed, 1 + u64::from(seat.0))))));
    }
    loop {
        match bots::step(&mut game, &mut players) {
            Ok(true) if game.record().len() > SMOKE_DECISIONS => {
                return Err(ScriptError::flow(format!("it did not end within {SMOKE_DECISIONS} decisions")));
            }
            Ok(true) => {}
            Ok(false) if game.outcome().is_some() => return Ok(()),
            Ok(false) => return Err(ScriptError::flow("nobody has anything to decide, and it is not over")),
            Err(principes_core::AnswerError::Script(error)) => return Err(error),
            Err(other) => return Err(ScriptError::flow(other.to_string())),
        }
    }
}

fn human(result: &Findings) -> String {
    print_human(&result.findings, true)
}

fn sarif(findings: &[Diagnostic]) -> serde_json::Value {
    let rules: BTreeSet<&str> = findings.iter().map(|finding| finding.code).collect();
    let rules: Vec<serde_json::Value> = rules.into_iter().map(|code| json!({ "id": code })).collect();
    let results: Vec<serde_json::Value> = findings
        .iter()
        .map(|finding| {
            let mut place = json!({ "artifactLocation": { "uri": finding.file } });
            if let Some(span) = &finding.span {
                place["region"] = json!({
                    "startLine": span.line, "startColumn": span.column, "endLine": span.end_line, "endColumn": span.end_column,
                });
            }
            json!({
                "ruleId": finding.code, "level": finding.severity.name(),
                "message": { "text": with_help(finding) },
                "locations": [{ "physicalLocation": place }],
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "principes", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn with_help(finding: &Diagnostic) -> String {
    match &finding.help {
        Some(help) => format!("{} (help: {help})", finding.message),
        None => finding.message.clone(),
    }
}

fn junit(findings: &[Diagnostic]) -> String {
    let mut files: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for finding in findings {
        files.entry(&finding.file).or_default().push(finding);
    }
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (tests, failures) = (files.len().max(1), files.len());
    // Writing to a string cannot fail.
    let _ =
        writeln!(text, "<testsuites><testsuite name=\"principes check\" tests=\"{tests}\" failures=\"{failures}\">");
    if files.is_empty() {
        text.push_str("  <testcase classname=\"principes\" name=\"check\"/>\n");
    }
    for (file, findings) in files {
        let _ = writeln!(text, "  <testcase classname=\"principes\" name=\"{}\">", xml(file));
        for finding in findings {
            let line = finding.span.as_ref().map_or(String::new(), |span| format!(":{}:{}", span.line, span.column));
            let _ = writeln!(
                text,
                "    <failure type=\"{}\" message=\"{}\">{}{line}</failure>",
                finding.code,
                xml(&with_help(finding)),
                xml(&finding.file)
            );
        }
        text.push_str("  </testcase>\n");
    }
    text.push_str("</testsuite></testsuites>\n");
    text
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\n', "&#10;")
}

fn github(findings: &[Diagnostic]) -> String {
    let mut text = String::new();
    for finding in findings {
        let value = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        let property = |text: &str| value(text).replace(':', "%3A").replace(',', "%2C");
        let _ = write!(text, "::{} file={}", finding.severity.name(), property(&finding.file));
        if let Some(span) = &finding.span {
            let _ = write!(
                text,
                ",line={},endLine={},col={},endColumn={}",
                span.line, span.end_line, span.column, span.end_column
            );
        }
        let _ = writeln!(text, ",title={}::{}", finding.code, value(&with_help(finding)));
    }
    text
}
