//! `principes learn`: trains a player for a game by letting it play against itself.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Result, bail};
use principes_app::packs::OpenPacks;
use principes_app::storage::{Disk, FileSet, refuse_special};
use principes_lab::learn::{Progress, Settings, file, learn};

use crate::arguments::{Jobs, PackArgs, number};
use crate::output::{self, Exit};
use crate::packs;
use crate::stop;

const EXAMPLES: &str = "\
Examples:
  principes learn --pack mods/my-game             writes mods/my-game/bots/player.bot.json
  principes learn --games 5000 --out player.json  a short training run for the base game
  principes learn --pack mods/my-game --continue --games 2000      after a small change of rules
  principes sim --pack mods/my-game --seats policy,greedy --games 200    is it better than greedy?

The trained player can be seated as `policy` (fast, does not look ahead) and `value` (looks one step
ahead). You do not have to describe the game: the player sees counters, pieces, cards, spaces and
options, and learns what they are worth. It never sees what its seat cannot see.";

/// Trains a player for a game and writes it into the pack.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    /// The number of games to learn from.
    #[arg(long, default_value_t = 50_000, value_name = "N", value_parser = number(1..=1_000_000_000_u32))]
    games: u32,
    /// The seed for all random numbers. The same packs, games and seed give the same player.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=9_007_199_254_740_991_u64))]
    seed: u64,
    /// Continues training the player of the packs instead of starting from scratch: it takes lessons from all games.
    #[arg(long = "continue")]
    go_on: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// The file to write. Default: bots/player.bot.json in the folder of the last pack.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let ready = packs::load(&args.packs)?.only_to_play();
    let (folder, file) = match &args.out {
        Some(out) => match out.file_name() {
            Some(name) => (out.parent().unwrap_or(Path::new("")).to_owned(), PathBuf::from(name)),
            None => bail!("`--out {}` is a folder; name a file in it", out.display()),
        },
        None => (in_pack(&ready)?, PathBuf::from(file::PATH)),
    };
    if ready.catalog.seats.1 < 2 {
        bail!("`{}` is a one-player game; there is nobody to learn from", ready.catalog.game);
    }
    let start = ready.catalog.trained.as_deref();
    if args.go_on && start.is_none() {
        bail!("the packs have no trained player to continue; leave out --continue");
    }
    let start = start.filter(|_| args.go_on);
    let stop = stop::flag()?;
    // Held from now on: the folder may be exchanged for a link while the games are played.
    refuse_special(&folder.join(&file))?;
    let mut set = FileSet::begin(&Disk, &folder)?;
    let games = u64::from(args.games);
    let bar =
        output::progress(args.games as usize, "{bar:30} {human_pos}/{human_len} games, {per_sec}, {eta} left, {msg}");
    let progress = |now: &Progress| {
        bar.set_position(now.games);
        bar.set_message(format!("error of predictions {:.3}", now.error));
    };
    let jobs = args.jobs.count();
    let settings = Settings { packs: &ready, start, games, seed: args.seed, jobs, stop: &stop, progress: &progress };
    let learned = learn(&settings).map_err(|error| packs::explained(error.into()))?;
    bar.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        bail!("stopped after {} of {games} games; nothing was written", learned.games());
    }
    let text = file::text(&ready.catalog, "player", &learned.trained(), games, args.seed);
    set.add(&file, text.as_bytes())?;
    set.finish()?;
    output::note(&format!("learned from {} games; wrote {}", learned.games(), folder.join(&file).display()));
    if learned.unfinished() > 0 {
        output::note(&format!("{} games did not end and taught nothing", learned.unfinished()));
    }
    Ok(Exit::Success)
}

/// The folder of the last pack.
fn in_pack(ready: &OpenPacks) -> Result<PathBuf> {
    match (ready.folders.last(), ready.loaded.packs.last()) {
        (Some(folder), Some(last)) if last.folder.as_ref() == Some(folder) => Ok(folder.clone()),
        (_, last) => {
            let id = last.map_or_else(String::new, |pack| pack.manifest.id.to_string());
            bail!("`{id}` is not in a folder; name the file to write with --out")
        }
    }
}
