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

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use principes_app::packs::OpenPacks;
use principes_app::save::{Save, keep_copy};
use principes_app::session::{Existing, Resumed, Session, SessionError, SinceSaved};
use principes_app::setup::{Player, SetupRequest, fresh_seed, set_up};

use self::terminal::Terminal;
use crate::arguments::{IfChanged, PackArgs, SetupArgs, Sitters, number, seating};
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
  principes play --resume evening.json --if-changed departure
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
    #[arg(long, value_name = "LIST", help = Sitters::Anybody.short(), long_help = Sitters::Anybody.long())]
    seats: Vec<String>,
    /// The faction that the first player leads.
    #[arg(long, value_name = "ID")]
    faction: Option<String>,
    /// The seed for all random numbers. Default: random.
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX))]
    seed: Option<u64>,
    /// Saves the game to a file after every answer. If the file holds a saved game, that game continues.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Lets `--save` overwrite a file with a new game.
    #[arg(long, requires = "save")]
    force: bool,
    /// Continues a saved game, and saves to its file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seats", "faction", "seed", "variant", "options", "players"])]
    resume: Option<PathBuf>,
    /// What to do if the packs have changed and the saved game would play out differently.
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    if_changed: IfChanged,
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
    let is_file = |path: &Path| path.symlink_metadata().is_ok_and(|known| known.is_file());
    let continued = args.resume.as_deref().or_else(|| args.save.as_deref().filter(|file| !args.force && is_file(file)));
    let (mut session, notes) = match continued {
        Some(file) => resume(args, ready, file, existing)?,
        None => {
            let mut session = start(args, ready)?;
            if let Some(file) = &args.save {
                session.save_to(file, existing)?;
            }
            (session, Vec::new())
        }
    };
    let mut terminal = Terminal::new(args.watch.then(|| session.folders()));
    terminal.greet(&session, continued.is_some(), &notes)?;
    terminal.play(&mut session, &args.packs)?;
    Ok(Exit::Success)
}

/// Continues the game in a file, and says what has changed since it was saved.
fn resume(args: &Args, ready: OpenPacks, file: &Path, existing: Existing) -> Result<(Session, Vec<String>)> {
    let shown = file.display();
    if args.resume.is_none() && has_new_setup(args) {
        bail!(
            "`{shown}` already exists: leave out the setup to continue its game, or add `--force` to begin a new one"
        );
    }
    let save = Save::read(file)?;
    let resumed = Session::resume_or(ready, &save, &args.lang, args.if_changed.into());
    let Resumed { mut session, since } = resumed.map_err(|error| refused(error).context(shown.to_string()))?;
    let mut notes = Vec::new();
    let target = args.save.as_deref().filter(|_| args.resume.is_some()).unwrap_or(file);
    match since {
        SinceSaved::Nothing => {}
        SinceSaved::Packs => notes.push(session.words().own("play.changed.packs", &[])),
        SinceSaved::Game { alike, given, of } => {
            let [alike, given, of] = [alike, given, of].map(|number| number.to_string());
            notes.push(session.words().own("play.changed.game", &[&alike, &of, &given]));
            if target == file {
                let copy = keep_copy(file).with_context(|| format!("cannot keep a copy of `{shown}`"))?;
                notes.push(session.words().own("play.changed.kept", &[&copy.display().to_string()]));
            }
        }
    }
    session.save_to(target, if target == file { Existing::Replace } else { existing })?;
    Ok((session, notes))
}

/// The error of a game that cannot be continued, with the ways to continue it anyway.
fn refused(error: SessionError) -> anyhow::Error {
    let Some((alike, _)) = error.departs() else { return error.into() };
    anyhow!(
        "{error}\n`--if-changed departure` continues after answer {alike}; \
         `--if-changed new-rules` gives the answers again under the new rules"
    )
}

/// Whether the arguments describe a new game.
fn has_new_setup(args: &Args) -> bool {
    args.setup.is_given() || !args.seats.is_empty() || args.faction.is_some() || args.seed.is_some()
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
