//! `principes print`: sheets to cut cards, tiles and tokens from, boards, and pictures of all of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use principes_app::packs::OpenPacks;
use principes_app::storage::{Disk, FileSet, is_taken, refuse_special};
use principes_author::spreadsheet::export;
use principes_print::parts::{Selection, What};
use principes_print::sheet::{A4, Duplex, LETTER, Setting};
use principes_print::{Address, Format, PrintError, Printer, Put};

use crate::arguments::{PackArgs, number};
use crate::output::{self, Exit};
use crate::packs;

const EXAMPLES: &str = "\
Examples:
  principes print                                        the base game, for both sides of A4
  principes print --game GAME --what tiles --paper letter
  principes print DECK TYPE --lang pl --out cards.pdf    one deck, and all cards of one type
  principes print ID --each --what cards                 one copy of one card
  principes print --format png --bleed 3 --out shop      a picture of each thing for a print shop
  principes print --format svg --what board --out map
  principes print --format tts --url https://example.org/game/ --out tts
  principes print --format csv                           the cards as a table for a spreadsheet";

/// Prints a game: cards, tiles and tokens to cut out, and the board.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Prints only these: ids of cards, card types, zones of decks, or kinds of pieces. Default: everything in the box.
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// What to print.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', default_value = "all")]
    what: Vec<Things>,
    /// What to write: one file of sheets, or a folder with a picture of each thing.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = PrintFormat::Pdf)]
    format: PrintFormat,
    /// The file or, for pictures, the folder to write. Default: the id of the game.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Replaces existing files.
    #[arg(long)]
    force: bool,
    /// The paper of sheets.
    #[arg(long, value_enum, value_name = "PAPER", default_value_t = PaperName::A4)]
    paper: PaperName,
    /// How far drawings extend past the cut line, in millimeters, at most 10.
    #[arg(long, value_name = "MM", value_parser = bleed, default_value_t = 1.0)]
    bleed: f64,
    /// The edge on which the printer flips the sheet, so that backs line up with fronts; `none` leaves backs out.
    #[arg(long, value_enum, value_name = "EDGE", default_value_t = FlipEdge::Long)]
    duplex: FlipEdge,
    /// Prints one copy of each design instead of all that the box holds.
    #[arg(long)]
    each: bool,
    /// The scale of the board, tiles and tokens, in percent.
    #[arg(long, value_name = "PERCENT", value_parser = number(10..=400_u16), default_value_t = 100)]
    scale: u16,
    /// Pixels per inch in PNG files.
    #[arg(long, value_name = "N", value_parser = number(30..=1200_u16), default_value_t = 300)]
    dpi: u16,
    /// The address from which Tabletop Simulator loads the pictures of its save, such as `https://example.org/game/`.
    /// Default: the folder itself, so that the save works on this machine.
    #[arg(long, value_name = "ADDRESS")]
    url: Option<Address>,
    #[command(flatten)]
    packs: PackArgs,
    /// The language of cards and names.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Things {
    /// Everything
    All,
    /// Cards that are not tiles
    Cards,
    /// Tiles with edges
    Tiles,
    /// Pieces
    Tokens,
    /// The board and the tracks
    Board,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PrintFormat {
    /// Sheets to print and cut
    Pdf,
    /// A drawing of each thing, letters as paths
    Svg,
    /// A picture of each thing
    Png,
    /// A save of Tabletop Simulator with its pictures
    Tts,
    /// A table of the cards for spreadsheets; `principes import` takes it back
    Csv,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PaperName {
    /// 210 by 297 mm
    A4,
    /// 8.5 by 11 inches
    Letter,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FlipEdge {
    /// The long edge
    Long,
    /// The short edge
    Short,
    /// Fronts only
    None,
}

fn bleed(text: &str) -> Result<f64, String> {
    let wrong = || format!("expected a length from 0 to 10, found `{text}`");
    text.parse().ok().filter(|length| (0.0..=10.0).contains(length)).ok_or_else(wrong)
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let ready = packs::load(&args.packs)?;
    ready.require_language(&args.lang)?;
    let printer = Printer::new(&ready, &args.lang);
    let selection = Selection {
        what: what(&args.what),
        only: args.ids.clone(),
        is_one_each: args.each,
        scale: f64::from(args.scale) / 100.0,
    };
    let game = &ready.catalog.game;
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(game));
    let done = match args.format {
        PrintFormat::Pdf => {
            pdf(args, &printer, &selection, &args.out.clone().unwrap_or_else(|| format!("{game}.pdf").into()))?
        }
        PrintFormat::Svg => in_folder(args, &folder, |put| printer.pictures(&selection, args.bleed, Format::Svg, put))?,
        PrintFormat::Png => {
            let format = Format::Png(f64::from(args.dpi));
            in_folder(args, &folder, |put| printer.pictures(&selection, args.bleed, format, put))?
        }
        PrintFormat::Csv => csv(args, &ready, &printer, &selection)?,
        PrintFormat::Tts => {
            let address = args.url.clone().map_or_else(|| Address::of_folder(&folder), Ok)?;
            in_folder(args, &folder, |put| printer.tabletop(&selection, &address, put))?
        }
    };
    let missing: String = printer.missing().into_iter().collect();
    if !missing.is_empty() {
        output::note(&format!("no font has these letters: {missing}; name one that has them in `fonts` of the look"));
    }
    output::note(&done);
    Ok(Exit::Success)
}

fn csv(args: &Args, ready: &OpenPacks, printer: &Printer<'_>, selection: &Selection) -> Result<String> {
    let path = args.out.clone().unwrap_or_else(|| format!("{}.csv", ready.catalog.game).into());
    free(&path, args.force)?;
    let what = [What::Cards, What::Tiles].into();
    let parts = printer.parts(&Selection { what, ..selection.clone() }).map_err(explained)?;
    let ids: BTreeSet<&str> = parts.iter().map(|part| part.id.as_str()).collect();
    let text = export(ready, &|id| ids.contains(id));
    output::write_file(&path, text.as_bytes())?;
    Ok(format!("{}: {} cards", path.display(), ids.len()))
}

fn what(given: &[Things]) -> BTreeSet<What> {
    let one = |things: &Things| match things {
        Things::All => vec![What::Cards, What::Tiles, What::Tokens, What::Board],
        Things::Cards => vec![What::Cards],
        Things::Tiles => vec![What::Tiles],
        Things::Tokens => vec![What::Tokens],
        Things::Board => vec![What::Board],
    };
    given.iter().flat_map(one).collect()
}

fn pdf(args: &Args, printer: &Printer<'_>, selection: &Selection, path: &Path) -> Result<String> {
    free(path, args.force)?;
    let paper = match args.paper {
        PaperName::A4 => A4,
        PaperName::Letter => LETTER,
    };
    let duplex = match args.duplex {
        FlipEdge::Long => Duplex::LongEdge,
        FlipEdge::Short => Duplex::ShortEdge,
        FlipEdge::None => Duplex::Fronts,
    };
    let sheets = printer.sheets(selection, &Setting { paper, bleed: args.bleed, duplex }).map_err(explained)?;
    let bytes = printer.pdf(&sheets).map_err(explained)?;
    output::write_file(path, &bytes)?;
    let pages = if sheets.len() == 1 { "page" } else { "pages" };
    Ok(format!("{}: {} {pages}, {} KiB", path.display(), sheets.len(), bytes.len().div_ceil(1024)))
}

/// Lets files be written into a folder.
fn in_folder(
    args: &Args,
    folder: &Path,
    write: impl FnOnce(&mut Put<'_>) -> Result<usize, PrintError>,
) -> Result<String> {
    free(folder, args.force)?;
    let mut files = FileSet::begin(&Disk, folder)?;
    let mut put = |name: &str, bytes: &[u8]| files.add(Path::new(name), bytes).map_err(std::io::Error::other);
    let count = write(&mut put).map_err(explained)?;
    files.finish()?;
    Ok(format!("{}: {count} files", folder.display()))
}

/// Fails if something is there already; an empty folder does not count.
fn free(path: &Path, may_replace: bool) -> Result<()> {
    refuse_special(path)?;
    let is_empty = || path.read_dir().is_ok_and(|mut list| list.next().is_none());
    if is_taken(path) && !may_replace && !is_empty() {
        bail!("`{}` already exists; name another path with --out, or replace it with --force", path.display());
    }
    Ok(())
}

/// The error with what flags can do about it, and with the findings of broken packs.
fn explained(error: PrintError) -> anyhow::Error {
    let hint = match &error {
        PrintError::TooMany { .. } => Some("ids choose some parts; --each prints one of each"),
        PrintError::TooManyPages { .. } => Some("--scale makes the board smaller"),
        PrintError::Nothing => Some("look at --what and the ids"),
        _ => None,
    };
    let error = match error {
        PrintError::Packs(error) => packs::explained(error.into()),
        other => other.into(),
    };
    match hint {
        Some(hint) => anyhow!("{error}; {hint}"),
        None => error,
    }
}
