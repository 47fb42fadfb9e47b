//! `principes balance`: measures what a game gives each faction, each place in the turn order and each card, or what
//! changed between two versions.

mod tables;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::ValueEnum;
use principes_app::packs::OpenPacks;
use principes_app::setup::{Player, Setup, SetupRequest, derive_seed, set_up};
use principes_findings::escape;
use principes_lab::balance::retraining::{USUAL_LESSONS, lessons, retrained};
use principes_lab::balance::run::{MOST_GAMES, Measurement};
use principes_lab::balance::versions::{Wanted, wanted};
use principes_lab::balance::wording::kept;
use principes_lab::balance::{
    BalanceReport, ComparisonReport, Games, Kept, Plan, Version, markdown, page, promises, strongest,
};
use principes_lab::learn::Progress;
use principes_model::Promises;
use principes_source::PackSource;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use crate::arguments::{Jobs, PackArgs, SetupArgs, Sitters, everywhere, number};
use crate::output::{self, Exit};
use crate::packs;
use crate::stop;

const EXAMPLES: &str = "\
Players, if --bots names none: the strongest that is fast enough for thousands of games.
  the packs have       the player
  nothing              greedy
  a trained player     policy

Examples:
  principes balance                                    1,000 games of the base game
  principes balance mods/my-game --games 5000 --format html --out balance.html
  principes balance old/my-cards mods/my-cards         what changed between two versions
  principes balance HEAD:mods/my-cards mods/my-cards --format md
  principes balance --precision 1% --jobs 8            until the win shares are known to 1 point
  principes balance --time 10m --format json --out balance.json
  principes balance mods/my-game --gate --games 4000   whether the promises of balance.json are kept
  principes balance --bots mcts:50,greedy,greedy,greedy --set KEY=1

The same command gives the same numbers on every machine and for any number of jobs. Only --time
does not: the number of games then depends on the machine.";

/// Measures who wins and what each card does, or what changed between two versions of a pack.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The packs to play together: folders, zip files, or REVISION:PATH of a git repository. Two sources of the same pack
    /// are compared: first the old one, then the new one. Default: the base game.
    #[arg(value_name = "PACK")]
    packs: Vec<String>,
    /// The game: one of several packs or, without PACK, a game under content/, mods/ or PRINCIPES_PATH.
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    #[arg(long, visible_alias = "seats", value_name = "SPEC", help = Sitters::Bots.short(), long_help = Sitters::Bots.long())]
    bots: Vec<String>,
    /// The number of games; with --precision or --time, the most games. Default: 1000, or as many as needed.
    #[arg(long, value_name = "N", value_parser = number(1..=MOST_GAMES))]
    games: Option<u64>,
    /// Stops when the 95 % interval of every faction's win share reaches at most this far to either side.
    #[arg(long, value_name = "PERCENT", value_parser = parse_precision)]
    precision: Option<f64>,
    /// Starts no more games after this time: 90s, 10m, 2h. The number of games then depends on the machine.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// The seed for all random numbers. Each game gets a seed of its own from it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    seed: u64,
    /// Uses different seeds for the new version. Intervals of differences are then wider.
    #[arg(long)]
    unpaired: bool,
    /// The number of games of the new version from which the trained player takes lessons, so that it uses what has
    /// changed. It then plays both versions. With 0, each version is played by its own player. Default: 1000.
    #[arg(long, value_name = "N", value_parser = number(0..=MOST_GAMES))]
    lessons: Option<u64>,
    #[command(flatten)]
    jobs: Jobs,
    /// Tests the promises in `balance.json`, with the players that they are for. ID names one of several sets. Exit codes:
    /// 0 all are kept, 1 one is refuted, 3 there are not enough games to know.
    #[arg(long, value_name = "ID", num_args = 0..=1, require_equals = true, default_missing_value = "",
        conflicts_with_all = ["variant", "options", "players", "bots", "unpaired"])]
    gate: Option<String>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The file to write. Default: standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Tables for people.
    Text,
    /// Everything, for programs.
    Json,
    /// A page with plots, in one file.
    Html,
    /// Tables for a pull request.
    Md,
    /// The promises as test cases; needs --gate.
    Junit,
}

/// A percentage above 0 and at most 50, as a share.
fn parse_precision(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>().ok();
    let share = number.map(|percent| percent / 100.0).filter(|share| (0.000_1..=0.5).contains(share));
    share.ok_or_else(|| format!("expected a percentage from 0.01% to 50%, such as 1%, found `{text}`"))
}

/// A time with its unit.
fn parse_time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected a time from 1s to 999h, such as 90s, 10m or 2h, found `{text}`");
    let at = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
    let (digits, unit) = text.split_at(at);
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return Err(wrong()),
    };
    let seconds = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(seconds));
    seconds.filter(|seconds| (1..1_000 * 3_600).contains(seconds)).map(Duration::from_secs).ok_or_else(wrong)
}

pub fn run(args: &Args) -> Result<Exit> {
    if matches!(args.format, Format::Junit) && args.gate.is_none() {
        bail!("--format junit needs --gate: only promises are test cases");
    }
    let stop = stop::flag()?;
    let (text, exit) = match args.wanted()? {
        Wanted::Together(sources) => args.measure(&sources, &stop)?,
        Wanted::Versions(old, new) => args.compare(&old, &new, &stop)?,
    };
    output::to_file_or_stdout(args.out.as_deref(), &text)?;
    Ok(exit)
}

impl Args {
    fn wanted(&self) -> Result<Wanted> {
        let wanted = if self.packs.is_empty() {
            let request = PackArgs { packs: Vec::new(), game: self.game.clone() };
            Wanted::Together(principes_app::packs::sources_of(&request.request())?)
        } else {
            wanted(&self.packs)?
        };
        let only_for_versions = [("--unpaired", self.unpaired), ("--lessons", self.lessons.is_some())];
        match (&wanted, only_for_versions.iter().find(|(_, given)| *given)) {
            (Wanted::Together(_), Some((option, _))) => {
                bail!("{option} is for comparisons; name two versions of a pack")
            }
            (Wanted::Versions(..), _) if self.gate.is_some() => {
                bail!("--gate is for one version; test the promises of the new one alone")
            }
            _ => Ok(wanted),
        }
    }

    /// The report of one game.
    fn measure(&self, sources: &[Arc<dyn PackSource>], stop: &AtomicBool) -> Result<(String, Exit)> {
        let ready = packs::load_sources(sources, self.game.as_deref())?.only_to_play();
        let all: Vec<&Promises> = ready.loaded.promises.iter().map(|promises| &**promises).collect();
        let id = self.gate.as_deref().map(|id| Some(id).filter(|id| !id.is_empty()));
        let tested = id.map(|id| promises::find(&all, id)).transpose()?;
        let request = match tested {
            Some(tested) => promises::request(tested, strongest(&[&ready]), self.seed)?,
            None => self.request(&[&ready])?,
        };
        let table = seated(&ready, &request)?;
        let games = self.play(&ready, &table, self.plan(), stop)?;
        let report = BalanceReport::new(&ready, &request, &table, games, tested);
        let text = match self.format {
            Format::Text => tables::text(&report)?,
            Format::Json => output::json_text(&report)?,
            Format::Html => page::report(&report),
            Format::Md => markdown::report(&report),
            Format::Junit => junit(&report)?,
        };
        let exit = match report.promises.as_ref().map(|gate| gate.result) {
            _ if report.faulty > 0 => Exit::Failure,
            Some(Kept::Refuted) => Exit::Failure,
            Some(Kept::Open) => Exit::Undecided,
            Some(Kept::Kept) | None => Exit::Success,
        };
        Ok((text, exit))
    }

    /// The report of two versions.
    fn compare(
        &self,
        old: &Arc<dyn PackSource>,
        new: &Arc<dyn PackSource>,
        stop: &AtomicBool,
    ) -> Result<(String, Exit)> {
        let load = |source: &Arc<dyn PackSource>| -> Result<OpenPacks> {
            Ok(packs::load_sources(std::slice::from_ref(source), self.game.as_deref())?.only_to_play())
        };
        let (before, after) = (load(old)?, load(new)?);
        let request = self.request(&[&before, &after])?;
        let lessons = lessons(&before, &after, &seated(&before, &request)?, self.lessons.unwrap_or(USUAL_LESSONS));
        let [before, after] = self.retrained([before, after], lessons, stop)?;
        let mut second = request.clone();
        if self.unpaired {
            second.seed = derive_seed(request.seed, u64::MAX) >> 11;
        }
        let tables = (seated(&before, &request)?, seated(&after, &second)?);
        let begin = Instant::now();
        let half = Plan { time: self.time.map(|time| time / 2), ..self.plan() };
        let games = self.play(&before, &tables.0, half, stop)?;
        // As many games of the new version, as far as the rest of the time allows.
        let rest = self.time.map(|time| time.saturating_sub(begin.elapsed()));
        let plan = Plan { games: Some(games.played.max(1)), precision: None, time: rest };
        let later = self.play(&after, &tables.1, plan, stop)?;
        let label = |source: &Arc<dyn PackSource>| source.label("").trim_end_matches('/').to_owned();
        let [first, last] = [
            Version { label: label(old), packs: &before, request: &request, table: &tables.0, games },
            Version { label: label(new), packs: &after, request: &second, table: &tables.1, games: later },
        ];
        let report = ComparisonReport::new(first, last, lessons, !self.unpaired);
        let text = match self.format {
            Format::Text => tables::comparison(&report)?,
            Format::Json => output::json_text(&report)?,
            Format::Html => page::comparison(&report),
            Format::Md => markdown::comparison(&report),
            Format::Junit => bail!("--format junit is for promises, not for comparisons"),
        };
        Ok((text, Exit::failure_if(report.old.faulty + report.new.faulty > 0)))
    }

    fn retrained(&self, versions: [OpenPacks; 2], lessons: u64, stop: &AtomicBool) -> Result<[OpenPacks; 2]> {
        let template = "{bar:30} {human_pos}/{human_len} lessons, {per_sec}, {eta} left";
        let bar = output::progress(usize::try_from(lessons).unwrap_or(usize::MAX), template);
        let progress = |now: &Progress| bar.set_position(now.games);
        let versions = retrained(versions, lessons, self.seed, self.jobs.count(), stop, &progress);
        bar.finish_and_clear();
        versions.map_err(|error| packs::explained(error.into()))
    }

    fn request(&self, versions: &[&OpenPacks]) -> Result<SetupRequest> {
        let mut request = self.setup.request(strongest(versions), self.seed)?;
        everywhere(&mut request, &self.bots)?;
        Ok(request)
    }

    fn plan(&self) -> Plan {
        Plan { games: self.games, precision: self.precision, time: self.time }
    }

    fn play(&self, packs: &OpenPacks, table: &Setup, plan: Plan, stop: &AtomicBool) -> Result<Games> {
        let most = usize::try_from(plan.most()).unwrap_or(usize::MAX);
        let template = if plan.most() == MOST_GAMES {
            "{human_pos} games, {per_sec}, {elapsed}"
        } else {
            "{bar:30} {human_pos}/{human_len} games, {per_sec}, {eta} left"
        };
        let bar = output::progress(most, template);
        let progress = || bar.inc(1);
        let games = Measurement { packs, table, plan, stop, progress: &progress }.play(self.jobs.count());
        bar.finish_and_clear();
        games.map_err(|error| packs::explained(error.into()))
    }
}

/// A JUnit suite with a case for each promise.
fn junit(report: &BalanceReport) -> Result<String> {
    let mut all = quick_junit::Report::new("principes balance");
    if let Some(gate) = &report.promises {
        let mut suite = TestSuite::new(report.setting.game.as_str());
        for row in &gate.promises {
            let mut status = TestCaseStatus::success();
            if row.result != Kept::Kept {
                status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type(kept(row.result));
                let message = format!("{}: {}", kept(row.result), escape::line(&row.promise));
                status.set_message(message).set_description(escape::line(&row.found).into_owned());
            }
            let mut case = TestCase::new(row.id.as_str(), status);
            case.set_classname(gate.id.as_str());
            suite.add_test_case(case);
        }
        all.add_test_suite(suite);
    }
    Ok(all.to_string()?)
}

/// Sets up a game of bots.
fn seated(packs: &OpenPacks, request: &SetupRequest) -> Result<Setup> {
    let table = set_up(&packs.catalog, request)?;
    if table.players.iter().any(|(_, player)| *player == Player::Human) {
        bail!("people cannot play thousands of games; name bots with --bots");
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precisions_and_times_are_parsed() {
        assert_eq!(parse_precision("1%"), Ok(0.01));
        assert_eq!(parse_precision("2.5"), Ok(0.025));
        assert_eq!(parse_time("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("2h"), Ok(Duration::from_secs(7_200)));
        for wrong in ["", "%", "0%", "51%", "NaN", "-1%", "x"] {
            assert!(parse_precision(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "10", "m", "0s", "1d", "1000h", "99999999999999999999h", "-1s", "1.5h"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
