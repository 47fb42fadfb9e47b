//! `principes rules`: the rules of a game as prose.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use principes_app::packs::{OpenPacks, PackRequest, sources_of};
use principes_app::rulebook::{Book, to_markdown};
use principes_app::storage::{is_taken, refuse_special};
use principes_draw::rules::Pages;

use crate::arguments::search;
use crate::output::{self, Exit};
use crate::packs;

const EXAMPLES: &str = "\
Examples:
  principes rules                                        the rules of the base game, in the terminal
  principes rules --game GAME --lang pl
  principes rules mods/my-game --format html --out rules.html
  principes rules mods/my-cards --format html --out all.html    with those of the game";

/// Prints the rules of a game, with numbers, cards, pictures and examples filled in.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Folders or zip files of packs. Default: the base game.
    #[arg(value_name = "PACK")]
    packs: Vec<PathBuf>,
    /// The id of the game, if several are loaded or if no pack is given.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The language of the rules.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
    /// What to write. A browser prints the HTML file on paper or as PDF.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = RulesFormat::Md)]
    format: RulesFormat,
    /// The file to write. Default: standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replaces an existing file.
    #[arg(long, requires = "out")]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum RulesFormat {
    /// Markdown, with the names of pictures
    Md,
    /// One file with its pictures and fonts
    Html,
}

pub fn run(args: &Args) -> Result<Exit> {
    let request =
        PackRequest { paths: args.packs.clone(), game: args.game.clone(), search: search(), ..PackRequest::default() };
    let ready: OpenPacks = packs::load_sources(&sources_of(&request)?, args.game.as_deref())?;
    ready.require_language(&args.lang)?;
    let book = Book::of(&ready, &args.lang).map_err(|error| packs::explained(error.into()))?;
    if book.sections.is_empty() {
        bail!("`{}` has no rulebook; write `rules.{}.md` in its folder", ready.catalog.game, args.lang);
    }
    let text = match args.format {
        RulesFormat::Md => to_markdown(&book, &ready.words(&args.lang)),
        RulesFormat::Html => Pages::new(&ready, &args.lang).file(&book, &args.lang),
    };
    match &args.out {
        None => {
            let mut out = output::stdout();
            write!(out, "{text}")?;
            out.flush()?;
        }
        Some(path) => {
            refuse_special(path)?;
            if is_taken(path) && !args.force {
                bail!("`{}` already exists; name another file with --out, or replace it with --force", path.display());
            }
            output::write_file(path, text.as_bytes())?;
            output::note(&format!("{}: {} sections", path.display(), book.sections.len()));
        }
    }
    Ok(Exit::Success)
}
