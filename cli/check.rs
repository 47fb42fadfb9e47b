//! `principes check`: everything that is wrong with packs.

mod fix;
mod formats;
mod watch;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::ValueEnum;
use principes_content::diagnostic::{self, Diagnostic, Severity, print_human, print_json};
use principes_content::load::{FUNCTION_FIELDS, PackInfo};
use principes_content::may::Limits;
use principes_content::packs::After;
use principes_content::scenario::findings::{of_overstep, of_report, unreached};
use principes_content::scenario::{Past, Plan};
use principes_content::source::PackSource;
use principes_content::{Checked, Code, LoadOptions, Loaded, Meant, Stage};
use principes_core::bots::{self, Players, RandomBot};
use principes_core::scripts::ScriptError;
use principes_core::{Game, GameConfig};
use principes_scripting::LuaHost;
use serde_json::json;

use crate::out::{self, Exit};
use crate::packs::{self, Ready};
use crate::setup::{MOST_DECISIONS, Player, STUCK, SetupArgs, derive_seed, setup};
use crate::workers;

/// Games that `--until play` plays in each variant of a game.
const SMOKE_GAMES: u64 = 3;

const EXAMPLES: &str = "\
Examples:
  principes check                              every pack under content/ and mods/
  principes check mods/my-pack
  principes check mods/my-pack --format json
  principes check --until play --deny warnings
  principes check mods/my-pack --diff          what --fix would change
  principes check mods/my-pack --fix
  principes check mods/my-pack --watch         again after every change of a file
  principes check --together mods/a mods/b     do they get on with each other?
  principes check mods/my-pack --explain-order which packs are loaded when, and why
  principes explain P0101                      what a code means";

/// Finds everything that is wrong with packs, with file, line and column.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Packs, or folders of packs; those under content/ and mods/ unless said, else the pack that we stand in.
    paths: Vec<PathBuf>,
    /// How findings are written; `github` where GITHUB_ACTIONS is `true`, else `human`.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// What also counts as a fault.
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// How far to go; each stage includes those before it.
    #[arg(long, value_enum, default_value_t = Until::Scenarios, value_name = "STAGE")]
    until: Until,
    /// Mends what can be mended without doubt, then checks again.
    #[arg(long)]
    fix: bool,
    /// Shows what `--fix` would change, and changes nothing.
    #[arg(long, visible_alias = "dry-run")]
    diff: bool,
    /// Says nothing beside the findings.
    #[arg(long, short)]
    quiet: bool,
    /// Checks again whenever a file of the packs changes, until Ctrl-C; then the last check decides how it ends.
    /// What the files of the changed pack say comes first, then its scenarios and the packs that stand on it.
    #[arg(long, conflicts_with_all = ["fix", "diff", "format", "deny", "explain_order"])]
    watch: bool,
    /// Checks the packs as they are when loaded together, instead of each with what it requires. Their scenarios, which
    /// are written for a pack alone, are left out.
    #[arg(long)]
    together: bool,
    /// Which game, where several are checked together.
    #[arg(long, value_name = "ID", requires = "together")]
    game: Option<String>,
    /// Also says in which order packs are loaded, and why.
    #[arg(long)]
    explain_order: bool,
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

impl Format {
    fn usual() -> Self {
        match std::env::var("GITHUB_ACTIONS") {
            Ok(yes) if yes == "true" => Format::Github,
            _ => Format::Human,
        }
    }
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

impl Until {
    fn stage(self) -> Stage {
        match self {
            Until::Syntax => Stage::Syntax,
            Until::Schema => Stage::Schema,
            Until::Links => Stage::Links,
            _ => Stage::Scripts,
        }
    }
}

/// Everything that was found and looked at.
#[derive(Default)]
struct Findings {
    packs: Vec<String>,
    findings: Vec<Diagnostic>,
    entities: usize,
    hooks: usize,
    scenarios: usize,
    orders: Vec<Vec<PackInfo>>,
    /// How the scenarios went.
    past: Past,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    if args.watch {
        return watch::watch(args);
    }
    let folders = packs::under(&args.paths)?;
    let given = packs::sources(&folders)?;
    if args.fix || args.diff {
        let told = fix::fix(&given, args.until.stage(), args.diff)?;
        if args.diff {
            return Ok(Exit::faults(told));
        }
    }
    let mut result = Findings::default();
    let format = args.format.unwrap_or_else(Format::usual);
    if args.explain_order && !matches!(format, Format::Human | Format::Json) {
        bail!("--explain-order goes with the formats human and json");
    }
    let tables: Vec<&[Arc<dyn PackSource>]> = match args.together {
        true => vec![&given],
        false => given.chunks(1).collect(),
    };
    let options = packs::options(args.game.as_deref(), args.until.stage());
    let mut tables: Vec<_> = tables.into_iter().map(|given| (given, Findings::default())).collect();
    workers::each(&mut tables, |(given, found)| check_table(given, args, &options, found))?;
    for (_, found) in tables {
        result.add(&found);
        result.orders.extend(found.orders);
    }
    diagnostic::sort(&mut result.findings);
    let deny = args.deny == Some(Deny::Warnings);
    let text = match format {
        Format::Human => order(args, &result) + &print_human(&result.findings, true),
        Format::Json => {
            let mut all = json!({
                "packs": result.packs,
                "findings": print_json(&result.findings),
                "summary": {
                    "errors": result.count(Severity::Error), "warnings": result.count(Severity::Warning),
                    "packs": result.packs.len(), "entities": result.entities, "hooks": result.hooks,
                    "scenarios": result.scenarios,
                },
            });
            if args.explain_order {
                all["order"] =
                    result.orders.iter().map(|order| order.iter().map(order_json).collect::<Vec<_>>()).collect();
            }
            serde_json::to_string_pretty(&all)? + "\n"
        }
        Format::Sarif => serde_json::to_string_pretty(&formats::sarif(&result.findings))? + "\n",
        Format::Junit => formats::junit(&result.packs, &result.findings, deny)?,
        Format::Github => formats::github(&result.findings),
    };
    let mut out = out::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    if matches!(format, Format::Human | Format::Github) && !args.quiet {
        out::note(&result.summary());
    }
    let faults = if deny { !result.findings.is_empty() } else { result.count(Severity::Error) > 0 };
    Ok(Exit::faults(faults))
}

impl Findings {
    fn add(&mut self, other: &Findings) {
        self.packs.extend(other.packs.iter().cloned());
        self.findings.extend(other.findings.iter().cloned());
        self.entities += other.entities;
        self.hooks += other.hooks;
        self.scenarios += other.scenarios;
    }
    fn count(&self, severity: Severity) -> usize {
        count(&self.findings, severity)
    }
    fn summary(&self) -> String {
        let entities = if self.entities == 1 { "1 entity".to_owned() } else { format!("{} entities", self.entities) };
        let mendable = self.findings.iter().filter(|finding| finding.fix.is_some()).count();
        let mend = if mendable == 0 { String::new() } else { format!("; `--fix` can mend {mendable}") };
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

fn count(findings: &[Diagnostic], severity: Severity) -> usize {
    findings.iter().filter(|finding| finding.severity == severity).count()
}

/// How many findings there are.
fn faults(findings: &[Diagnostic]) -> String {
    let [errors, warnings] = [Severity::Error, Severity::Warning].map(|severity| count(findings, severity));
    format!("{}, {}", many(errors, "error"), many(warnings, "warning"))
}

/// What is left to be checked of packs whose files have been looked at: how they play.
struct Rest {
    ready: Ready,
    /// The scenarios, where they are wanted.
    plan: Option<Plan>,
    /// Whether random games are played.
    plays: bool,
    /// What has been found in a game that is only tried out as it was probably meant.
    errors: Vec<Diagnostic>,
}

impl Rest {
    fn new(loaded: Loaded, args: &Args, plays: bool, past: &Past) -> Self {
        let plan = (args.until >= Until::Scenarios && !args.together).then(|| past.plan(&loaded));
        Rest { ready: Ready::new(loaded), plan, plays, errors: Vec::new() }
    }

    /// Whether it takes no time.
    fn is_known(&self) -> bool {
        !self.plays && self.plan.as_ref().is_none_or(|plan| plan.to_run() == 0)
    }

    /// Runs the scenarios, of those that ran before only the ones for which something has changed, and plays.
    fn check(self, result: &mut Findings) -> Result<()> {
        let loaded = &self.ready.loaded;
        if let Some(plan) = self.plan {
            let report = plan.run(loaded, &mut result.past).map_err(|found| packs::refuse(&found))?;
            result.findings.extend(of_report(loaded, &self.errors, &report));
            result.findings.extend(unreached(loaded, &self.errors, &report));
        }
        if self.plays {
            check_play(&self.ready, &self.ready.host()?, result);
        }
        Ok(())
    }
}

/// Checks packs that are loaded together.
fn check_table(given: &[Arc<dyn PackSource>], args: &Args, options: &LoadOptions, result: &mut Findings) -> Result<()> {
    check_files(given, args, options, result).map_or(Ok(()), |rest| rest.check(result))
}

/// Checks what the files of packs say that are loaded together; gives what is left to do.
fn check_files(
    given: &[Arc<dyn PackSource>],
    args: &Args,
    options: &LoadOptions,
    result: &mut Findings,
) -> Option<Rest> {
    let until = args.until;
    let Checked { findings, loaded, counts, packs, meant } = principes_content::check(given, options);
    result.findings.extend(findings);
    result.orders.push(packs);
    let Some(loaded) = loaded else {
        result.packs.extend(given.iter().map(|source| source.label("").trim_end_matches('/').to_owned()));
        result.entities += counts.entities;
        result.scenarios += counts.scenarios;
        return meant
            .map(|Meant { game, findings }| Rest { errors: findings, ..Rest::new(game, args, false, &result.past) });
    };
    let labels: Vec<String> = given.iter().map(|source| source.label("pack.json")).collect();
    for pack in loaded.packs.iter().filter(|pack| labels.contains(&pack.file)) {
        let id = pack.manifest.id.to_string();
        result.entities += loaded.entities.iter().filter(|entity| entity.packs.first() == Some(&id)).count();
        result.scenarios += loaded.scenarios.iter().filter(|scenario| scenario.pack == id).count();
        result.hooks += own_functions(&loaded, &id);
        result.packs.push(id);
    }
    (until >= Until::Scripts).then(|| Rest::new(loaded, args, until >= Until::Play, &result.past))
}

/// The load orders and what justifies them, one line for each reason.
fn order(args: &Args, result: &Findings) -> String {
    let mut text = String::new();
    for order in result.orders.iter().filter(|_| args.explain_order) {
        let _ = writeln!(text, "load order");
        for (at, pack) in order.iter().enumerate() {
            let manifest = &pack.manifest;
            let _ = writeln!(text, "{:>3}  {} {}  {}", at + 1, manifest.id, manifest.version, pack.file);
            if pack.reason.after.is_empty() {
                let _ = writeln!(text, "       its manifest puts nothing before it");
            }
            for after in &pack.reason.after {
                let how = if after.optional { "optional" } else { "requires" };
                let _ =
                    writeln!(text, "       after {}: {how} {} ({}:{})", after.id, after.range, pack.file, after.line);
            }
            if !pack.reason.before.is_empty() {
                let _ = writeln!(text, "       before {}: by id", pack.reason.before.join(", "));
            }
        }
        text.push('\n');
    }
    text
}

fn order_json(pack: &PackInfo) -> serde_json::Value {
    let after = |after: &After| json!({ "id": after.id, "range": after.range, "optional": after.optional, "file": pack.file, "line": after.line });
    json!({
        "id": pack.manifest.id.as_str(), "version": pack.manifest.version.as_str(), "file": pack.file,
        "after": pack.reason.after.iter().map(after).collect::<Vec<_>>(), "before_by_id": pack.reason.before,
    })
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
fn check_play(ready: &Ready, host: &LuaHost, result: &mut Findings) {
    let mut told = BTreeSet::new();
    let (limits, mut overstepped) = (Limits::of(&ready.loaded.entities), BTreeSet::new());
    host.watch();
    smoke_games(ready, host, |variant, played| {
        for overstep in limits.beyond(&ready.catalog, &host.watch()) {
            if overstepped.insert(overstep.clone()) {
                result.findings.push(of_overstep(&ready.loaded, &overstep));
            }
        }
        let Err(error) = played else { return };
        let of = variant.map(|id| format!(" (variant `{id}`)")).unwrap_or_default();
        let mut finding = ready.loaded.script_finding(&error);
        finding.code = Code::FailedGame;
        finding.message = format!("a random game failed{of}: {}", finding.message);
        if told.insert((finding.file.clone(), error.line, error.message.clone())) {
            result.findings.push(finding);
        }
    });
}

/// Plays a few random games in each variant; `after` gets the variant and how each ended.
pub fn smoke_games(ready: &Ready, host: &LuaHost, mut after: impl FnMut(Option<&str>, Result<(), ScriptError>)) {
    let variants: Vec<Option<String>> =
        std::iter::once(None).chain(ready.catalog.variants.iter().map(|variant| Some(variant.id.clone()))).collect();
    for variant in variants {
        for game in 0..SMOKE_GAMES {
            after(variant.as_deref(), smoke(ready, host, variant.as_deref(), derive_seed(1, game)));
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
    let mut players: Players<LuaHost> = Vec::new();
    for (seat, _) in &table.players {
        players.push((*seat, Box::new(RandomBot::new(derive_seed(seed, 1 + u64::from(seat.0))))));
    }
    loop {
        game.take_events();
        match bots::step(&mut game, &mut players) {
            Ok(true) if game.record().len() > MOST_DECISIONS => {
                let message = format!("it did not end within {MOST_DECISIONS} decisions");
                return Err(ScriptError { hook: game.running_hook(), ..ScriptError::flow(message) });
            }
            Ok(true) => {}
            Ok(false) if game.outcome().is_some() => return Ok(()),
            Ok(false) => return Err(ScriptError::flow(STUCK)),
            Err(principes_core::AnswerError::Script(error)) => return Err(error),
            Err(other) => return Err(ScriptError::flow(other.to_string())),
        }
    }
}
