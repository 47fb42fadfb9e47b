//! `principes play`: plays a game in the terminal, line by line, so that input from a pipe works too.

mod charset;
mod commands;
mod input;
mod menu;
mod pending;
mod screen;
mod terminal;
mod turns;
mod why;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use principes_app::packs::OpenPacks;
use principes_app::save::Save;
use principes_app::session::{Existing, Session};
use principes_app::setup::{Player, SetupRequest, fresh_seed, set_up};

use self::terminal::Terminal;
use crate::arguments::{PackArgs, SetupArgs, number, seating};
use crate::output::Exit;
use crate::packs;

const EXAMPLES: &str = "\
Examples:
  principes play                                    you lead the first faction against bots
  principes play --seats human,greedy,random --seed 7
  principes play --faction ID --variant ID --lang pl
  principes play --seats human,human                hot seat for two
  principes play --save evening.json                saved after every answer
  principes play --resume evening.json
  principes play --pack mods/my-cards --watch       applies edits to the files at once
  printf '1\\n1\\n' | principes play --seed 1         input from a pipe

At the prompt, type a number, part of an option's name, or `help`.";

/// Plays a game in the terminal, against bots or other people.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// Players in seat order, or `faction=player` pairs: human, random, greedy, policy, value, mcts:N. Default: one human, the rest
    /// bots.
    #[arg(long, value_name = "LIST")]
    seats: Vec<String>,
    /// The faction that the first player leads.
    #[arg(long, value_name = "ID")]
    faction: Option<String>,
    /// The seed for all random numbers. Default: random.
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX))]
    seed: Option<u64>,
    /// Saves the game to a file after every answer. An existing file is not overwritten.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Lets `--save` overwrite a file.
    #[arg(long, requires = "save")]
    force: bool,
    /// Continues a saved game, and saves to its file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seats", "faction", "seed", "variant", "options", "players"])]
    resume: Option<PathBuf>,
    /// Reloads the content when its files change, and replays the game so far.
    #[arg(long)]
    watch: bool,
    /// The language of names and messages, such as en or pl.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
}

pub fn run(args: &Args) -> Result<Exit> {
    let ready = packs::load(&args.packs)?;
    ready.require_language(&args.lang)?;
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let mut session = match &args.resume {
        Some(file) => {
            let save = Save::read(file)?;
            let mut session = Session::resume(ready, &save, &args.lang).with_context(|| file.display().to_string())?;
            match &args.save {
                Some(other) => session.save_to(other, existing)?,
                None => session.save_to(file, Existing::Replace)?,
            }
            session
        }
        None => {
            let mut session = start(args, ready)?;
            if let Some(file) = &args.save {
                session
                    .save_to(file, existing)
                    .context("`--resume` continues a saved game, but `--force` would overwrite it")?;
            }
            session
        }
    };
    let mut terminal = Terminal::new(args.watch.then(|| session.folders()));
    terminal.greet(&session, args.resume.is_some())?;
    terminal.play(&mut session, &args.packs)?;
    Ok(Exit::Success)
}

fn start(args: &Args, ready: OpenPacks) -> Result<Session> {
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let request = SetupRequest {
        seating: seating(&args.seats)?,
        first: Player::Human,
        lead: args.faction.clone(),
        ..args.setup.request(Player::Greedy, seed)?
    };
    let table = set_up(&ready.catalog, &request)?;
    Session::start(ready, table, &args.lang).map_err(|error| packs::explained(error.into()))
}
