//! Arguments that several subcommands share, translated into requests to the library.

use std::fmt;
use std::num::ParseIntError;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context as _, Result, anyhow, bail};
use principes_app::packs::PackRequest;
use principes_app::players::listed;
use principes_app::session::WhenChanged;
use principes_app::setup::{Player, Seating, SetupRequest};
use principes_app::workers::cores;
use principes_content::packs::search_path;

/// The packs to load.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PackArgs {
    /// A pack to load; may be repeated. Default: the base game.
    #[arg(long = "pack", value_name = "PATH")]
    pub packs: Vec<PathBuf>,
    /// The game, by its id, title or folder: one of several loaded packs or, without --pack, one of the games in the
    /// program, under content/, mods/ or PRINCIPES_PATH.
    #[arg(long, value_name = "ID")]
    pub game: Option<String>,
}

impl PackArgs {
    /// The packs that the arguments name.
    pub fn request(&self) -> PackRequest {
        PackRequest { paths: self.packs.clone(), game: self.game.clone(), adds: Vec::new(), search: search() }
    }
}

/// Where to look for packs that are not named by a path.
pub fn search() -> Vec<PathBuf> {
    search_path(std::env::var_os("PRINCIPES_PATH").as_deref())
}

/// How a game is set up.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SetupArgs {
    /// A variant of the game.
    #[arg(long, value_name = "ID")]
    pub variant: Option<String>,
    /// A setup option of the game; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// The number of seats.
    #[arg(long, value_name = "N", value_parser = number(0..=255_usize))]
    pub players: Option<usize>,
}

impl SetupArgs {
    /// Whether they say anything.
    pub fn is_given(&self) -> bool {
        self.variant.is_some() || self.players.is_some() || !self.options.is_empty()
    }

    /// The setup that the arguments describe, with the same player in all seats.
    pub fn request(&self, player: Player, seed: u64) -> Result<SetupRequest> {
        let mut request = SetupRequest::all(player, seed);
        request.variant.clone_from(&self.variant);
        request.players = self.players;
        for text in &self.options {
            let (key, value) =
                text.split_once('=').with_context(|| format!("--set: expected KEY=VALUE, found `{text}`"))?;
            let number = value.parse::<i32>();
            let number = number.map_err(|_| anyhow!("--set {key}: expected a number, found `{value}`"))?;
            request.options.insert(key.to_owned(), number);
        }
        Ok(request)
    }
}

/// Who may sit at a table, for the help of arguments that list players.
#[derive(Clone, Copy)]
pub enum Sitters {
    /// People and bots.
    Anybody,
    /// Only bots.
    Bots,
}

impl Sitters {
    fn players(self) -> impl Iterator<Item = Player> + Clone {
        let all = Player::ALL.iter().copied();
        all.filter(move |player| matches!(self, Sitters::Anybody) || player.is_bot())
    }

    fn syntax(self) -> &'static str {
        match self {
            Sitters::Anybody => "Players in seat order, or `faction=player` pairs",
            Sitters::Bots => "Bots in seat order (one name fills all seats), or `faction=bot` pairs",
        }
    }

    /// The default, if clap does not know it.
    fn default(self) -> &'static str {
        match self {
            Sitters::Anybody => ". Default: one human, the rest bots",
            Sitters::Bots => "",
        }
    }

    /// The syntax and the names.
    pub fn short(self) -> String {
        format!("{}: {}{}", self.syntax(), listed(self.players()), self.default())
    }

    /// The syntax, and a line for each name.
    pub fn long(self) -> String {
        let width = self.players().map(|player| player.pattern().len()).max().unwrap_or_default();
        let line = |player: Player| {
            let pattern = player.pattern();
            format!("\n- {pattern}:{:1$}{2}", "", width - pattern.len() + 1, player.kind().chooses)
        };
        format!("{}{}\n{}", self.syntax(), self.default(), self.players().map(line).collect::<String>())
    }
}

/// Parses `--seats`: a list of players in seat order, or `faction=player` pairs.
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
            bail!("--seats must be a list of players in seat order or `faction=player` pairs, not both")
        }
    }
}

/// Gives a request the players of `--seats`. A list with a single bot means that this bot plays every seat.
pub fn everywhere(request: &mut SetupRequest, texts: &[String]) -> Result<()> {
    request.seating = seating(texts)?;
    if let Seating::List(players) = &request.seating
        && let [only] = players[..]
    {
        request.rest = only;
    }
    Ok(())
}

/// A parser for an argument that is a whole number in a range.
pub fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr<Err = ParseIntError> + PartialOrd + fmt::Display + Clone,
{
    move |text| {
        let (least, most) = (range.start(), range.end());
        let wrong = format!("expected a number from {least} to {most}, found `{text}`");
        text.parse().ok().filter(|number| range.contains(number)).ok_or(wrong)
    }
}

/// The number of workers.
#[derive(Clone, Copy, clap::Args)]
pub struct Jobs {
    /// Worker threads. Default: the number of cores.
    #[arg(long, value_name = "J", value_parser = number(1..=u16::MAX))]
    jobs: Option<u16>,
}

impl Jobs {
    pub fn count(self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// What to do with a saved game that would differ under the current packs.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum IfChanged {
    /// Say where it differs, and stop
    Stop,
    /// Continue after the last answer that leads to the saved state
    Departure,
    /// Give the answers again under the new rules, as long as they are possible
    NewRules,
}

impl From<IfChanged> for WhenChanged {
    fn from(what: IfChanged) -> Self {
        match what {
            IfChanged::Stop => WhenChanged::Stop,
            IfChanged::Departure => WhenChanged::Departure,
            IfChanged::NewRules => WhenChanged::NewRules,
        }
    }
}
