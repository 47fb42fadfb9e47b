//! `principes sim`: many games between bots, and what they say about a game's balance.

mod checkpoint;
mod games;
mod rows;
mod run;
mod tally;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use self::checkpoint::{Checkpoint, Settings};
use self::rows::Rows;
use self::run::{Run, Sum};
use self::tally::Report;
use crate::out::{self, Exit};
use crate::packs::PackArgs;
use crate::setup::{Player, SetupArgs, setup};
use crate::stop;
use crate::workers::Jobs;

const EXAMPLES: &str = "\
Examples:
  principes sim --games 1000
  principes sim --games 200 --seats greedy --format json --out balance.json
  principes sim --seats greedy,random,random --set KEY=1
  principes sim --games 10000 --shard 2/4        the second quarter, on one of four machines
  principes sim --games 1000000 --format csv --out games.csv --checkpoint run.json
  principes sim --resume run.json                goes on after Ctrl-C or a power cut";

/// Many games between bots: who wins and how, which cards matter, which hooks never run.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// How many games.
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: u64,
    /// Bots in seat order (one stands for all), or `faction=bot` pairs: random, greedy, mcts:N.
    #[arg(long, value_name = "LIST", default_value = "random")]
    seats: Vec<String>,
    /// Seed from which the games' seeds are derived.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    jobs: Jobs,
    /// Only one part of the games: the I-th of N.
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<(u64, u64)>,
    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Where it is written; standard output unless said.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A file that says, all the time, how far the games have come. Ctrl-C or worse loses seconds.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Goes on from a checkpoint, as if the games had never been stopped.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["packs", "game", "variant", "options", "players", "games", "seats",
        "seed", "shard", "format", "out", "checkpoint"])]
    resume: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Tables for people.
    Human,
    /// Everything, for programs.
    Json,
    /// One line a game.
    Csv,
}

fn parse_shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((i, n)) if (1..=n).contains(&i) => Ok((i, n)),
        _ => Err("write it as I/N with I from 1 to N, such as 2/4".to_owned()),
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    if args.games == 0 {
        bail!("--games must be at least 1");
    }
    let resumed = args.resume.as_deref().map(Checkpoint::read).transpose()?;
    let settings = resumed.as_ref().map_or_else(|| args.settings(), |checkpoint| checkpoint.settings.clone());
    let path = args.resume.as_ref().or(args.checkpoint.as_ref());
    if let Some(path) = args.checkpoint.as_ref().filter(|path| path.exists()) {
        bail!("`{0}` is there already: go on with --resume {0}, or remove it", path.display());
    }
    let has_rows = settings.format == Format::Csv;
    if settings.out.is_none() && has_rows && path.is_some() {
        bail!("rows with a --checkpoint need --out FILE");
    }

    let packs = PackArgs { packs: settings.packs.clone(), game: settings.game.clone() };
    let setup_args =
        SetupArgs { variant: settings.variant.clone(), options: settings.options.clone(), players: settings.players };
    let ready = crate::packs::load(&packs)?.only_to_play();
    let catalog = &ready.catalog;
    // A single bot stands for every seat.
    let single = match settings.seats.as_slice() {
        [one] if !one.contains([',', '=']) => Some(Player::parse(one)?),
        _ => None,
    };
    let rest = single.unwrap_or(Player::Random);
    let table = setup(catalog, &setup_args, &settings.seats, rest, rest, None, settings.seed)?;
    if table.players.iter().any(|(_, player)| *player == Player::Human) {
        bail!("a simulation has no human seats; `principes play` has");
    }

    let sum = match &resumed {
        None => {
            let rows = match &settings.out {
                _ if !has_rows => Rows::None,
                Some(out) => Rows::begin(out)?,
                None => Rows::stdout()?,
            };
            Sum::begin(rows)
        }
        Some(checkpoint) => {
            if checkpoint.fingerprint != catalog.fingerprint {
                bail!("the packs have changed since the checkpoint was made; the games would not be the same");
            }
            checkpoint.check(catalog)?;
            let rows = match &settings.out {
                Some(out) if has_rows => Rows::resume(out, checkpoint.rows)?,
                _ => Rows::None,
            };
            Sum::resume(checkpoint, rows)?
        }
    };
    let stop = stop::flag()?;
    let run =
        Run { ready: &ready, table: &table, settings: &settings, checkpoint: path.map(PathBuf::as_path), stop: &stop };
    let wanted = run.games();
    let sum = run.play(sum, args.jobs.count())?;
    let done = sum.tally.games;
    if done < wanted {
        let how = match path {
            Some(path) => format!("principes sim --resume {} goes on", path.display()),
            None => "with --checkpoint FILE they could be gone on with".to_owned(),
        };
        bail!("stopped after {done} of {wanted} games; {how}");
    }
    let report = Report::new(catalog, &table, &sum.tally, sum.state_hash(), sum.seconds());
    let faults = sum.tally.faulty > 0;
    sum.rows.finish()?;
    match settings.format {
        Format::Csv => {}
        Format::Json => {
            out::to_file_or_stdout(settings.out.as_deref(), &(serde_json::to_string_pretty(&report)? + "\n"))?
        }
        Format::Human => out::to_file_or_stdout(settings.out.as_deref(), &report.human(&ready)?)?,
    }
    if let Some(path) = path {
        // There is nothing left to go on with.
        std::fs::remove_file(path).with_context(|| format!("cannot remove `{}`", path.display()))?;
    }
    Ok(Exit::faults(faults))
}

impl Args {
    fn settings(&self) -> Settings {
        Settings {
            packs: self.packs.packs.clone(),
            game: self.packs.game.clone(),
            variant: self.setup.variant.clone(),
            options: self.setup.options.clone(),
            players: self.setup.players,
            seats: self.seats.clone(),
            games: self.games,
            seed: self.seed,
            shard: self.shard,
            format: self.format,
            out: self.out.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read() {
        assert_eq!(parse_shard("2/4"), Ok((2, 4)));
        for wrong in ["0/4", "5/4", "x", "1", "1/0"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }
}
