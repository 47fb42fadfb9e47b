//! `principes import`: takes back a table of cards that was edited in a spreadsheet.

use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow};
use principes_author::spreadsheet::{MOST_BYTES, Refused, TableError, import, outcome};
use principes_source::read_file;

use crate::arguments::PackArgs;
use crate::output::{self, Exit, listed, shortened};
use crate::packs;

const EXAMPLES: &str = "\
Examples:
  principes print --format csv --pack mods/my-cards    writes my-cards.csv, for a spreadsheet
  principes import my-cards.csv --pack mods/my-cards --dry-run
  principes import my-cards.csv --pack mods/my-cards
  principes check mods/my-cards                        checks the result";

/// Copies changes from a table of cards into the files of packs.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The table, as `principes print --format csv` writes it. Rows and columns may be missing, and any spreadsheet may have
    /// saved it. Columns of your own are ignored.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Says what would change, and writes nothing.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    packs: PackArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let name = args.file.display();
    let bytes = read_file(&args.file, MOST_BYTES).with_context(|| format!("cannot read `{name}`"))?;
    let ready = packs::load(&args.packs)?;
    let import = import(&ready, &bytes).map_err(|errors| refuse(args, &errors))?;
    let (columns, more) = listed(&import.own_columns, "column");
    for column in columns {
        output::note(&format!("unknown column `{}` is ignored", shortened(column)));
    }
    more.iter().for_each(|more| output::note(more));
    let (changes, more) = listed(&import.changes, "change");
    for change in changes {
        let shown = |text: &str| if text.is_empty() { "nothing".to_owned() } else { format!("`{}`", shortened(text)) };
        let (before, after) = (shown(&change.before), shown(&change.after));
        output::note(&format!("{} {}: {before} -> {after}", change.card, change.column));
    }
    more.iter().for_each(|more| output::note(more));
    if import.changes.is_empty() {
        output::note("nothing to change");
        return Ok(Exit::Success);
    }
    let outcome = outcome(&ready, &import).map_err(|refused| match refused {
        Refused::Errors(errors) => refuse(args, &errors),
        Refused::Edit(error) => error.into(),
    })?;
    if !outcome.pins.is_empty() {
        output::findings(outcome.pins);
        output::note("the pins still state the old numbers; change them, too");
    }
    if args.dry_run {
        return Ok(Exit::Success);
    }
    let written = outcome.revision.write()?;
    let (values, files) = (import.changes.len(), written.len());
    let s = |count: usize| if count == 1 { "" } else { "s" };
    output::note(&format!("{values} value{} in {files} file{}", s(values), s(files)));
    Ok(Exit::Success)
}

/// Prints what is wrong with the table, and returns the error for the exit code.
fn refuse(args: &Args, errors: &[TableError]) -> anyhow::Error {
    let (shown, more) = listed(errors, "error");
    for error in shown {
        output::error(&format!("{}:{}", args.file.display(), shortened(&error.to_string())));
    }
    more.iter().for_each(|more| output::note(more));
    anyhow!("nothing was changed")
}
