//! `principes sim`: plays many games between bots and measures the balance of a game.

mod tables;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use principes_app::packs::OpenPacks;
use principes_app::setup::{Player, Setup, set_up};
use principes_lab::simulation::{self, Checkpoint, Rows, Settings, Shard, Simulation, SimulationReport, Sum};

use crate::arguments::{Jobs, PackArgs, SetupArgs, Sitters, everywhere, number};
use crate::output::{self, Exit};
use crate::packs;
use crate::stop;

const EXAMPLES: &str = "\
Examples:
  principes sim --games 1000
  principes sim --games 200 --seats greedy --format json --out balance.json
  principes sim --seats greedy,random,random --set KEY=1
  principes sim --games 10000 --shard 2/4        the second quarter, on one of four machines
  principes sim --games 1000000 --format csv --out games.csv --checkpoint run.json
  principes sim --resume run.json --out games.csv    continues after Ctrl-C or a power cut";

/// Plays many games between bots and reports who wins, how, and which cards matter.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// The number of games.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = number(1..=u64::MAX))]
    games: u64,
    #[arg(long, value_name = "LIST", default_value = "random", help = Sitters::Bots.short(), long_help = Sitters::Bots.long())]
    seats: Vec<String>,
    /// The seed for all random numbers. Each game gets a seed of its own from it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    jobs: Jobs,
    /// Plays only the I-th of N parts of the games.
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The file to write. Default: standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keeps the progress in this file, so that an interruption loses only seconds.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Continues from a checkpoint; the result is the same as without the interruption. Name the packs and files again.
    /// Impossible totals are refused; `--verify` replays the games to confirm the rest.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "options", "players", "games", "seats", "seed", "shard",
        "format", "checkpoint"])]
    resume: Option<PathBuf>,
    /// Before continuing, plays the games of the checkpoint again and compares the results.
    #[arg(long, requires = "resume")]
    verify: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Tables for people.
    Human,
    /// Everything, for programs.
    Json,
    /// One line for each game.
    Csv,
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some(Shard { part: i.parse().ok()?, parts: n.parse().ok()? }));
    match parts {
        Some(shard) if shard.exists() => Ok(shard),
        _ => Err("expected I/N with I from 1 to N, such as 2/4".to_owned()),
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    let resumed = args.resume.as_deref().map(Checkpoint::read).transpose()?;
    let settings = match &resumed {
        Some(checkpoint) => checkpoint.settings.clone(),
        None => args.settings()?,
    };
    let path = args.resume.as_ref().or(args.checkpoint.as_ref()).map(PathBuf::as_path);
    if let Some(path) = args.checkpoint.as_ref().filter(|path| path.exists()) {
        bail!("`{0}` already exists: continue it with --resume {0}, or remove it", path.display());
    }
    if args.out.is_none() && settings.format == simulation::Format::Csv && path.is_some() {
        bail!("--format csv with --checkpoint needs --out FILE");
    }
    let ready = packs::load(&args.packs)?.only_to_play();
    let table = set_up(&ready.catalog, &settings.setup)?;
    if table.players.iter().any(|(_, player)| *player == Player::Human) {
        bail!("a simulation has no human seats; use `principes play`");
    }
    if let Some(checkpoint) = &resumed {
        checkpoint.check(&ready, &table).with_context(|| "name the packs with --pack or --game")?;
    }
    let stop = stop::flag()?;
    let job = Job { args, ready: &ready, table: &table, settings: &settings, path, stop: &stop };
    if let Some(checkpoint) = resumed.as_ref().filter(|_| args.verify)
        && !job.verify(checkpoint)?
    {
        bail!("stopped before the checkpoint was verified; nothing has changed");
    }
    let sum = job.play(resumed.as_ref())?;
    job.report(sum)
}

/// A simulation, with its input and output files.
struct Job<'a> {
    args: &'a Args,
    ready: &'a OpenPacks,
    table: &'a Setup,
    settings: &'a Settings,
    path: Option<&'a Path>,
    stop: &'a AtomicBool,
}

impl Job<'_> {
    /// Calls `act` with a run, and shows a progress bar for `games` games.
    fn run<T>(&self, done: u64, games: u64, act: impl FnOnce(&Simulation<'_>, usize) -> T) -> T {
        let count = usize::try_from(games).unwrap_or(usize::MAX);
        let bar = output::progress(count, "{bar:30} {human_pos}/{human_len} games, {per_sec}, {eta} left");
        bar.set_position(done);
        bar.reset_eta();
        let Job { ready: packs, table, settings, path: checkpoint, stop, .. } = *self;
        let progress = |more| bar.inc(more);
        let run = Simulation { packs, table, settings, checkpoint, stop, progress: &progress };
        let result = act(&run, self.args.jobs.count());
        bar.finish_and_clear();
        result
    }

    fn games(&self) -> u64 {
        self.settings.shard.count(self.settings.games)
    }

    /// Whether a checkpoint agrees with its games. False if Ctrl-C came first.
    fn verify(&self, checkpoint: &Checkpoint) -> Result<bool> {
        let verified = self.run(0, checkpoint.tally.games, |run, jobs| run.verify(checkpoint, jobs));
        Ok(verified.map_err(|error| packs::explained(error.into()))?.is_some())
    }

    fn play(&self, resumed: Option<&Checkpoint>) -> Result<Sum> {
        let has_rows = self.settings.format == simulation::Format::Csv;
        let rows = match (&self.args.out, resumed) {
            _ if !has_rows => Rows::None,
            (Some(out), None) => Rows::begin(out, self.path.is_some())?,
            (Some(out), Some(checkpoint)) => Rows::resume(out, checkpoint.rows)?,
            (None, _) => Rows::stream(Box::new(output::shared_stdout()))?,
        };
        let sum = match resumed {
            None => Sum::begin(rows),
            Some(checkpoint) => Sum::resume(checkpoint, rows)?,
        };
        let played = self.run(sum.tally.games, self.games(), |run, jobs| run.play(sum, jobs));
        let sum = played.map_err(|error| packs::explained(error.into()))?;
        let done = sum.tally.games;
        if done < self.games() {
            let how = match self.path {
                Some(path) => {
                    format!("continue with `principes sim --resume {}`, the same packs and --out", path.display())
                }
                None => "use --checkpoint FILE to make a run resumable".to_owned(),
            };
            bail!("stopped after {done} of {} games; {how}", self.games());
        }
        Ok(sum)
    }

    fn report(&self, sum: Sum) -> Result<Exit> {
        let report =
            SimulationReport::new(&self.ready.catalog, self.table, &sum.tally, sum.state_hash(), sum.seconds());
        let faults = sum.tally.faulty > 0;
        sum.rows.finish()?;
        let out = self.args.out.as_deref();
        match self.settings.format {
            simulation::Format::Csv => {}
            simulation::Format::Json => {
                output::to_file_or_stdout(out, &(serde_json::to_string_pretty(&report)? + "\n"))?;
            }
            simulation::Format::Human => output::to_file_or_stdout(out, &tables::human(&report, self.ready)?)?,
        }
        if let Some(path) = self.path {
            // The run is complete, so the checkpoint is no longer needed.
            std::fs::remove_file(path).with_context(|| format!("cannot remove `{}`", path.display()))?;
        }
        Ok(Exit::failure_if(faults))
    }
}

impl Args {
    fn settings(&self) -> Result<Settings> {
        let mut setup = self.setup.request(Player::Random, self.seed)?;
        everywhere(&mut setup, &self.seats)?;
        let format = match self.format {
            Format::Human => simulation::Format::Human,
            Format::Json => simulation::Format::Json,
            Format::Csv => simulation::Format::Csv,
        };
        Ok(Settings { setup, games: self.games, shard: self.shard.unwrap_or(Shard::ALL), format })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_parsed() {
        assert_eq!(parse_shard("2/4"), Ok(Shard { part: 2, parts: 4 }));
        for wrong in ["0/4", "5/4", "x", "1", "1/0"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }
}
