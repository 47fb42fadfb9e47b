//! Arguments that several subcommands share, and what they mean to the library.

use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow, bail};
use principes_app::packs::PackRequest;
use principes_app::setup::{Player, Seating, SetupRequest};
use principes_app::workers::cores;

use crate::packs::search;

/// Which packs.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PackArgs {
    /// A pack to load; may be repeated. The base game unless said.
    #[arg(long = "pack", value_name = "PATH")]
    pub packs: Vec<PathBuf>,
    /// Which game: one of several that are loaded, or, without --pack, one under content/, mods/ and PRINCIPES_PATH.
    #[arg(long, value_name = "ID")]
    pub game: Option<String>,
}

impl PackArgs {
    /// The packs that are meant.
    pub fn request(&self) -> PackRequest {
        PackRequest { paths: self.packs.clone(), game: self.game.clone(), search: search() }
    }
}

/// How a game is set up.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SetupArgs {
    /// A variant that the game offers.
    #[arg(long, value_name = "ID")]
    pub variant: Option<String>,
    /// A setup option of the game; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// How many seats are played.
    #[arg(long, value_name = "N")]
    pub players: Option<usize>,
}

impl SetupArgs {
    /// The setup that is meant, with one kind of player in all seats.
    pub fn request(&self, player: Player, seed: u64) -> Result<SetupRequest> {
        let mut request = SetupRequest::all(player, seed);
        request.variant.clone_from(&self.variant);
        request.players = self.players;
        for text in &self.options {
            let (key, value) = text.split_once('=').with_context(|| format!("--set wants KEY=VALUE, got `{text}`"))?;
            let number = value.parse::<i32>();
            let number = number.map_err(|_| anyhow!("--set {key}: expected a whole number, found `{value}`"))?;
            request.options.insert(key.to_owned(), number);
        }
        Ok(request)
    }
}

/// What `--seats` says: a list of players in seat order, or `faction=player` pairs.
pub fn seating(texts: &[String]) -> Result<Seating> {
    let (mut named, mut listed) = (Vec::new(), Vec::new());
    for entry in texts.iter().flat_map(|text| text.split(',')) {
        match entry.split_once('=') {
            Some((faction, player)) => named.push((faction.trim().to_owned(), player.parse::<Player>()?)),
            None => listed.push(entry.parse::<Player>()?),
        }
    }
    match (named.is_empty(), listed.is_empty()) {
        (true, true) => Ok(Seating::Open),
        (true, false) => Ok(Seating::List(listed)),
        (false, true) => Ok(Seating::Named(named)),
        (false, false) => {
            bail!("--seats is either a list of players in seat order or `faction=player` pairs, not both")
        }
    }
}

/// How many work at a time.
#[derive(Clone, Copy, clap::Args)]
pub struct Jobs {
    /// Worker threads; as many as there are cores unless said.
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

impl Jobs {
    /// Their number.
    pub fn count(self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }
}
