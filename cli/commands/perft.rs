//! `principes perft`: counts every way a game can go.

use std::io::Write as _;

use anyhow::Result;
use parking_lot::Mutex;
use principes_app::packs::OpenPacks;
use principes_app::setup::{Player, set_up};
use principes_lab::perft::{self, Method, PerftReport, Progress};

use crate::arguments::{Jobs, PackArgs, SetupArgs, number};
use crate::output::{self, Exit, Format};
use crate::packs;
use crate::style;

const EXAMPLES: &str = "\
Examples:
  principes perft --game ID --depth 4
  principes perft --pack mods/my-game --depth 6 --format json
  principes perft --game ID --depth 5 --every-game     plays every game, even from equal positions

A depth is a number of answers. If several seats decide at once, they answer in seat order. Asides
are left out.";

/// Counts every way a game can go up to a depth: games, distinct positions and outcomes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// The depth, in answers.
    #[arg(long, value_name = "N", value_parser = number(1..=1000u16))]
    depth: u16,
    /// The seed for all random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    seed: u64,
    /// Plays every game instead of continuing once from each position. The counts are the same, but it takes far
    /// longer.
    #[arg(long)]
    every_game: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// A progress bar for each round of counting.
#[derive(Default)]
struct Bar(Mutex<Option<indicatif::ProgressBar>>);

impl Bar {
    fn with(&self, act: impl FnOnce(&mut Option<indicatif::ProgressBar>)) {
        act(&mut self.0.lock());
    }
}

impl Progress for Bar {
    fn begin(&self, pieces: usize) {
        let fresh = output::progress(pieces, "{bar:30} {pos}/{len} positions, {eta} left");
        self.with(|bar| *bar = Some(fresh));
    }
    fn done(&self) {
        self.with(|bar| bar.iter().for_each(|bar| bar.inc(1)));
    }
    fn end(&self) {
        self.with(|bar| bar.iter().for_each(indicatif::ProgressBar::finish_and_clear));
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    let ready = packs::load(&args.packs)?;
    let table = set_up(&ready.catalog, &args.setup.request(Player::Random, args.seed)?)?;
    let method = if args.every_game { Method::EveryGame } else { Method::ByPosition };
    let report = perft::count(&ready, &table, args.depth, method, args.jobs.count(), &Bar::default())
        .map_err(|error| packs::explained(error.into()))?;
    match args.format {
        Format::Json => output::json(&mut output::stdout(), &report)?,
        Format::Human => human(&ready, &report)?,
    }
    Ok(Exit::Success)
}

fn human(ready: &OpenPacks, report: &PerftReport) -> Result<()> {
    let words = ready.words("en");
    let mut out = output::stdout();
    let bold = style::bold();
    writeln!(out, "{bold}{:>5} {:>20} {:>14} {:>20}{bold:#}", "depth", "leaves", "positions", "games over")?;
    for depth in &report.depths {
        writeln!(out, "{:>5} {:>20} {:>14} {:>20}", depth.depth, depth.leaves, depth.states, depth.ended)?;
    }
    if report.games > 0 {
        writeln!(out, "\n{bold}{} games had ended by then{bold:#}", report.games)?;
    }
    for end in &report.outcomes {
        let winner = match &end.winner {
            Some(seat) => words.named("faction", seat),
            None => "nobody".to_owned(),
        };
        writeln!(out, "{:>20}  {winner} wins ({})", end.games, end.cause)?;
    }
    out.flush()?;
    output::note(&format!("{:.1} s", report.seconds));
    Ok(())
}
