//! `principes studio`: opens the studio in the browser.

use std::io::{IsTerminal as _, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use principes_app::programs::open_page;
use principes_app::save::{PacksNow, Save};
use principes_app::setup::{Player, SetupRequest, fresh_seed};
use principes_app::storage::numbered;
use principes_studio::{First, Links, Lobby, Request, StudioError, serve};

use crate::arguments::{IfChanged, PackArgs, SetupArgs, Sitters, search, seating};
use crate::output::{self, Exit};
use crate::packs;

const EXAMPLES: &str = "\
Examples:
  principes studio                                  the lobby: choose a game, or continue one
  principes studio --game ID                        a table against bots
  principes studio --seats human,human --seed 7     hot seat for two
  principes studio --game ID --lang pl
  principes studio --pack mods/my-cards             shows edits to the files at once
  principes studio --listen 0.0.0.0                 others join over the network with their links
  principes studio --no-open --port 8080            only prints the link

Without arguments that choose a game, the lobby opens. Every answer is saved before it is shown.
The game resumes where you left it; Ctrl-C ends the studio.";

/// Plays and edits a game in the browser.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SetupArgs,
    #[arg(long, value_name = "LIST", help = Sitters::Anybody.short(), long_help = Sitters::Anybody.long())]
    seats: Vec<String>,
    /// The seed for all random numbers. Default: random.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The file that the game is saved to. If it exists, that game continues. Default: a file for each game in your
    /// state folder.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// What to do if the packs have changed and the saved game would play out differently.
    #[arg(long, value_name = "WHAT", default_value = "stop", requires = "save")]
    if_changed: IfChanged,
    /// The port. 0 chooses a free port.
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// The address to listen on. By default, only this machine can connect.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// The language of names and messages.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
    /// Does not open the page in the browser. Without a terminal, the page is never opened.
    #[arg(long)]
    no_open: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let state = state_folder();
    let beside = || args.save.as_ref().map(|save| save.with_extension("edits"));
    let home =
        state.clone().or_else(beside).context("your account has no folder for saved games; name a file with --save")?;
    let lobby =
        Lobby { search: search(), saves: home.clone(), journal: home.join("edits"), language: args.lang.clone() };
    if args.save.is_none() {
        std::fs::create_dir_all(&home).with_context(|| format!("cannot create the folder `{}`", home.display()))?;
    }
    let first = if chooses_a_game(args) { First::Game(Box::new(game(args, &home)?)) } else { First::Lobby };
    let note = match &first {
        First::Game(request) => format!("the game is saved to {}; Ctrl-C ends the studio", request.save.display()),
        First::Lobby => format!("games are saved to {}; Ctrl-C ends the studio", home.display()),
    };
    let served = serve(first, lobby, SocketAddr::new(args.listen, args.port), |links| {
        // The pages work even if the links cannot be printed.
        let _ = announce(links);
        if !args.no_open && std::io::stdout().is_terminal() {
            // If it fails, the printed link is still there.
            let _ = open_page(&links.host);
        }
        output::note(&note);
    });
    served.map_err(|error| match error {
        StudioError::Packs(error) => packs::explained((*error).into()),
        other => other.into(),
    })?;
    Ok(Exit::Success)
}

/// Whether an argument says what to play. Otherwise, the lobby asks.
fn chooses_a_game(args: &Args) -> bool {
    let Args { packs, setup, seats, seed, save, .. } = args;
    let names_packs = !packs.packs.is_empty() || packs.game.is_some();
    names_packs || setup.is_given() || !seats.is_empty() || seed.is_some() || save.is_some()
}

/// The game that the arguments describe.
fn game(args: &Args, home: &Path) -> Result<Request> {
    let setup = SetupRequest {
        seating: seating(&args.seats)?,
        first: Player::Human,
        ..args.setup.request(Player::Greedy, args.seed.unwrap_or_else(fresh_seed))?
    };
    let save = match &args.save {
        Some(file) => file.clone(),
        None => default_file(args, home)?,
    };
    Ok(Request {
        packs: args.packs.request(),
        setup,
        language: args.lang.clone(),
        journal: home.join("edits"),
        save,
        when_changed: args.if_changed.into(),
    })
}

fn announce(links: &Links) -> Result<()> {
    let mut out = output::stdout();
    writeln!(out, "{}", links.host)?;
    for (name, link) in &links.seats {
        writeln!(out, "{name}: {link}")?;
    }
    writeln!(out, "spectators: {}", links.spectators)?;
    out.flush()?;
    Ok(())
}

/// The save file of a game: the first in which there is none yet, or one of packs that mean the same.
fn default_file(args: &Args, home: &Path) -> Result<PathBuf> {
    let ready = packs::load(&args.packs)?;
    let game = &ready.catalog.game;
    let name = match args.seed {
        Some(seed) => format!("{game}-{seed}"),
        None => game.clone(),
    };
    let is_ours = |path: &PathBuf| {
        let now = Save::read(path).ok().and_then(|save| save.packs_now(&ready).ok());
        now.is_some_and(|now| now != PacksNow::Changed)
    };
    let found = numbered(&home.join(format!("{name}.json"))).find(|path| !path.exists() || is_ours(path));
    found
        .with_context(|| format!("`{}` is full of saved games of other packs; name a file with --save", home.display()))
}

/// The studio's own folder in the user's state folder.
fn state_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || folder("HOME").map(|home| home.join(".local/state"));
    let state = folder("XDG_STATE_HOME").or_else(home).or_else(|| folder("LOCALAPPDATA"))?;
    Some(state.join("principes").join("studio"))
}
