//! `principes mutate`: makes small mistakes, one at a time, and reports those that neither `check` nor a scenario
//! notices.

use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use principes_app::packs::OpenPacks;
use principes_app::setup::derive_seed;
use principes_app::workers::{self, WorkerError};
use principes_author::smoke::trial_games;
use principes_content::Stage;
use principes_content::judge;
use principes_core::scripts::ScriptError;
use principes_findings::budget::Effort;
use principes_scenarios::coverage::percent;
use principes_scenarios::mutate::{Class, Fate, Judge, Mutant, TryOut, Unready};
use principes_source::PackSource;
use serde_json::json;

use crate::arguments::{Jobs, number};
use crate::output::{self, Exit, Format};
use crate::packs;
use crate::style;

const EXAMPLES: &str = "\
Examples:
  principes mutate mods/my-pack                       every possible mistake
  principes mutate --sample 300 --seed 7              300 of them, drawn with a seed
  principes mutate --classes api-typo,constant-typo   only some classes; `--classes list` names them
  principes mutate mods/my-pack --filter court.lua    only in files with this text in their name
  principes mutate --min-killed 90 --format json      for CI";

/// Makes small mistakes in a pack, in memory, and reports those that go unnoticed.
///
/// A mistake that survives shows that no scenario depends on that number, condition or call. Prose, provenance, drawing
/// positions, pins and scenarios are not changed. A line of Lua with the comment `mutate: skip` and a reason is left
/// alone.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The pack. Default: the base game.
    path: Option<PathBuf>,
    /// Only these classes of mistakes, separated by commas. `list` prints all classes.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    classes: Vec<String>,
    /// Only files with this text in their name.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only this many mistakes, drawn at random.
    #[arg(long, value_name = "N", value_parser = number(0..=usize::MAX))]
    sample: Option<usize>,
    /// The seed for all random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    jobs: Jobs,
    /// Random games in each variant that a mistake must survive if neither `check` nor a scenario notices it.
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,
    /// Fails if a smaller percentage of the mistakes is noticed.
    #[arg(long, value_name = "PERCENT")]
    min_killed: Option<f64>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The fate of a mutant, or the error if the program itself failed on it.
type Judged = std::result::Result<Fate, String>;

/// The results for the mutants of one class.
#[derive(Clone, Copy, Default)]
struct Tally {
    all: usize,
    check: usize,
    scenarios: usize,
    texts: usize,
    games: usize,
}

impl Tally {
    fn killed(self) -> usize {
        self.check + self.scenarios + self.texts + self.games
    }
    fn share(self, part: usize) -> f64 {
        percent(part, self.all)
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    if args.classes.iter().any(|name| name == "list") {
        let mut out = output::stdout();
        for class in Class::ALL {
            writeln!(out, "{:<20} {}", class.name(), class.doc())?;
        }
        return Ok(Exit::Success);
    }
    let classes = classes(&args.classes)?;
    if let Some(percent) = args.min_killed
        && !(0.0..=100.0).contains(&percent)
    {
        bail!("--min-killed must be a percentage from 0 to 100, found {percent}");
    }
    let source = source(args)?;
    let play: Option<TryOut> = (args.games > 0).then(|| try_out(args.games));
    let judge = match judge(&source, &packs::options(None, Stage::Scripts), play) {
        Ok(judge) => judge,
        Err(Unready::Broken(findings)) => return Err(packs::refuse(findings)),
        Err(Unready::Failing(scenarios)) => {
            let first: Vec<&str> = scenarios.iter().take(5).map(String::as_str).collect();
            bail!(
                "{} of its scenarios already fail ({}…); `principes test` says why",
                scenarios.len(),
                first.join(", ")
            );
        }
        Err(Unready::Unreadable(error)) => bail!("cannot read the pack: {error}"),
    };
    let is_selected = |mutant: &&Mutant| {
        (classes.is_empty() || classes.contains(&mutant.class))
            && args.filter.as_ref().is_none_or(|text| mutant.path.contains(text.as_str()))
    };
    let mut mutants: Vec<&Mutant> = judge.mutants().iter().filter(is_selected).collect();
    let total = mutants.len();
    if total == 0 {
        bail!("no mutants: nothing matches --classes and --filter");
    }
    if let Some(count) = args.sample {
        mutants = sample(mutants, count, args.seed);
    }
    // What only guides bots comes last, because it decides no game.
    mutants.sort_by_key(|mutant| mutant.for_bots);
    let judged = judge_all(&judge, &mutants, args.jobs.count().min(mutants.len().max(1)))?;
    let mut out = output::stdout();
    let all = tally(mutants.iter().zip(&judged).map(|(_, fate)| fate));
    match args.format {
        Format::Human => print(&mut out, &judge, &mutants, &judged, total)?,
        Format::Json => output::json(&mut out, &to_json(&mutants, &judged, total))?,
    }
    let crashed = judged.iter().any(std::result::Result::is_err);
    let weak = args.min_killed.is_some_and(|least| all.share(all.killed()) < least);
    Ok(Exit::failure_if(crashed || weak))
}

/// Plays random games of a mutant. A mutant that the program cannot load fails too.
fn try_out(games: u64) -> TryOut {
    Box::new(move |loaded| {
        let packs = OpenPacks::new(loaded.clone().only_to_play());
        let host = match packs.loaded.host() {
            Ok(host) => host,
            Err(findings) => return findings.first().map(|finding| finding.message.clone()),
        };
        let mut failed = None;
        trial_games(&packs, &host, games, &Effort::endless(), |_, played: Result<(), ScriptError>| {
            failed = failed.take().or(played.err())
        });
        failed.map(|error| error.message)
    })
}

fn source(args: &Args) -> Result<Arc<dyn PackSource>> {
    let Some(path) = &args.path else { return Ok(principes_app::packs::base()?) };
    match principes_app::packs::under(std::slice::from_ref(path))?.as_slice() {
        [one] => packs::source(one),
        several => bail!("`{}` holds {} packs; name one of them", path.display(), several.len()),
    }
}

fn classes(names: &[String]) -> Result<Vec<Class>> {
    let class = |name: &String| {
        Class::with_name(name).ok_or_else(|| {
            let near = principes_findings::did_you_mean(name, Class::ALL.iter().map(|class| class.name()));
            let hint = near.unwrap_or_else(|| "`--classes list` prints all classes".to_owned());
            anyhow!("unknown class `{name}`; {hint}")
        })
    };
    names.iter().map(class).collect()
}

/// A sample of the given size, in order: the mutants that the seed ranks first.
fn sample(mutants: Vec<&Mutant>, count: usize, seed: u64) -> Vec<&Mutant> {
    let mut drawn: Vec<(u64, usize)> = (0..mutants.len()).map(|at| (derive_seed(seed, at as u64), at)).collect();
    drawn.sort_unstable();
    drawn.truncate(count);
    let mut places: Vec<usize> = drawn.into_iter().map(|(_, at)| at).collect();
    places.sort_unstable();
    places.into_iter().map(|at| mutants[at]).collect()
}

/// Judges mutants on worker threads. The result does not depend on the number of threads.
fn judge_all(judge: &Judge, mutants: &[&Mutant], jobs: usize) -> Result<Vec<Judged>> {
    let mut all: Vec<(&Mutant, Option<Judged>)> = mutants.iter().map(|mutant| (*mutant, None)).collect();
    let bar = output::progress(mutants.len(), "{bar:30} {pos}/{len} mistakes, {eta} left");
    workers::each(jobs, &mut all, |(mutant, judged)| {
        let result = catch_unwind(AssertUnwindSafe(|| judge.judge(mutant)));
        *judged = Some(result.map_err(|_| "the program failed on this mutant".to_owned()));
        bar.inc(1);
        Ok::<_, WorkerError>(())
    })?;
    bar.finish_and_clear();
    Ok(all.into_iter().filter_map(|(_, judged)| judged).collect())
}

fn tally<'a>(fates: impl Iterator<Item = &'a Judged>) -> Tally {
    let mut tally = Tally::default();
    for fate in fates {
        tally.all += 1;
        match fate {
            Ok(Fate::Check(..)) => tally.check += 1,
            Ok(Fate::Scenario(_)) => tally.scenarios += 1,
            Ok(Fate::Texts(_)) => tally.texts += 1,
            Ok(Fate::Game(_)) => tally.games += 1,
            Ok(Fate::Survived(_)) | Err(_) => {}
        }
    }
    tally
}

fn by_class(mutants: &[&Mutant], judged: &[Judged]) -> BTreeMap<Class, Tally> {
    let mut classes: BTreeMap<Class, Vec<&Judged>> = BTreeMap::new();
    for (mutant, fate) in mutants.iter().zip(judged) {
        classes.entry(mutant.class).or_default().push(fate);
    }
    classes.into_iter().map(|(class, fates)| (class, tally(fates.into_iter()))).collect()
}

fn print(out: &mut impl Write, judge: &Judge, mutants: &[&Mutant], judged: &[Judged], total: usize) -> Result<()> {
    let (bold, dim, bad) = (style::bold(), style::dim(), style::bad());
    let (minus, plus) = (style::bad(), style::color("green"));
    let survivors: Vec<(&Mutant, String)> =
        mutants.iter().zip(judged).filter_map(|(mutant, fate)| Some((*mutant, why_it_survives(fate)?))).collect();
    let (shown, more) = output::listed(&survivors, "mistake");
    for (mutant, why) in shown {
        let place = format!("{}:{}:{}", mutant.file, mutant.line, mutant.column);
        let (token, becomes) = (short(&mutant.token), short(&mutant.becomes));
        let change = if becomes.is_empty() { format!("{token} left out") } else { format!("{token} → {becomes}") };
        writeln!(out, "{bad}survives{bad:#} {bold}{place}{bold:#} {}: {bold}{change}{bold:#}", mutant.class)?;
        writeln!(out, "  {dim}{why}{dim:#}")?;
        for line in mutant.before.lines() {
            writeln!(out, "  {minus}- {}{minus:#}", line.trim_start())?;
        }
        for line in mutant.after.lines().filter(|line| !line.trim().is_empty()) {
            writeln!(out, "  {plus}+ {}{plus:#}", line.trim_start())?;
        }
    }
    more.iter().try_for_each(|more| writeln!(out, "{more}"))?;
    let all = tally(judged.iter());
    if all.killed() < all.all {
        writeln!(out)?;
    }
    writeln!(
        out,
        "{bold}{:<20} {:>7} {:>7} {:>9} {:>7} {:>7} {:>9} {:>9}{bold:#}",
        "mistake", "made", "check", "scenarios", "texts", "games", "survive", "noticed"
    )?;
    let row = |name: &str, tally: Tally| {
        format!(
            "{name:<20} {:>7} {:>5.1} % {:>7.1} % {:>5.1} % {:>5.1} % {:>9} {:>7.1} %",
            tally.all,
            tally.share(tally.check),
            tally.share(tally.scenarios),
            tally.share(tally.texts),
            tally.share(tally.games),
            tally.all - tally.killed(),
            tally.share(tally.killed())
        )
    };
    for (class, tally) in by_class(mutants, judged) {
        writeln!(out, "{}", row(class.name(), tally))?;
    }
    writeln!(out, "{bold}{}{bold:#}", row("all", all))?;
    let drawn = if total > mutants.len() { format!(", drawn from {total}") } else { String::new() };
    writeln!(out, "{dim}{} mistakes{drawn}, against check and {} scenarios{dim:#}", mutants.len(), judge.scenarios())?;
    out.flush()?;
    Ok(())
}

/// Why nothing noticed a mutant, if that is so.
fn why_it_survives(fate: &Judged) -> Option<String> {
    match fate {
        Ok(Fate::Survived(scenarios)) => Some(should_have_noticed(scenarios)),
        Err(why) => Some(why.clone()),
        Ok(_) => None,
    }
}

/// The scenarios that involve a mutant but did not notice it.
fn should_have_noticed(scenarios: &[String]) -> String {
    const MOST: usize = 3;
    let named = scenarios.iter().take(MOST).map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    match scenarios.len() {
        0 => "no scenario involves this".to_owned(),
        1 => format!("the scenario {named} should have noticed"),
        count if count <= MOST => format!("the scenarios {named} should have noticed"),
        count => format!("{named} and {} other scenarios should have noticed", count - MOST),
    }
}

/// Part of a text on one line, cut to a readable length.
fn short(text: &str) -> String {
    const LONGEST: usize = 48;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn to_json(mutants: &[&Mutant], judged: &[Judged], total: usize) -> serde_json::Value {
    let list: Vec<serde_json::Value> = mutants
        .iter()
        .zip(judged)
        .map(|(mutant, fate)| {
            let (result, by) = match fate {
                Ok(Fate::Check(code, message)) => ("check", Some(format!("{code} {message}"))),
                Ok(Fate::Scenario(id)) => ("scenario", Some(id.clone())),
                Ok(Fate::Texts(file)) => ("texts", Some(file.clone())),
                Ok(Fate::Game(why)) => ("game", Some(why.clone())),
                Ok(Fate::Survived(_)) => ("survived", None),
                Err(why) => ("fault", Some(why.clone())),
            };
            json!({
                "class": mutant.class.name(), "file": mutant.file, "line": mutant.line, "column": mutant.column,
                "before": mutant.before, "after": mutant.after, "token": mutant.token, "becomes": mutant.becomes,
                "entity": mutant.entity, "bots": mutant.for_bots, "result": result, "by": by,
                "should_have_noticed": match fate { Ok(Fate::Survived(scenarios)) => scenarios.clone(), _ => Vec::new() },
            })
        })
        .collect();
    let row = |tally: Tally| {
        json!({
            "made": tally.all, "check": tally.check, "scenarios": tally.scenarios,
            "texts": tally.texts, "games": tally.games,
            "survived": tally.all - tally.killed(), "killed_percent": tally.share(tally.killed()),
        })
    };
    let classes: serde_json::Map<String, serde_json::Value> =
        by_class(mutants, judged).into_iter().map(|(class, tally)| (class.name().to_owned(), row(tally))).collect();
    json!({ "possible": total, "summary": row(tally(judged.iter())), "classes": classes, "mutants": list })
}
