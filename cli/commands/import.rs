//! `principes import`: takes back a table of cards that was edited in a spreadsheet.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use principes_app::edit::apply;
use principes_app::spreadsheet::import;

use crate::arguments::PackArgs;
use crate::output::{self, Exit};
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
    /// The table, as `principes print --format csv` writes it. Rows and columns may be missing.
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
    let bytes = std::fs::read(&args.file).with_context(|| format!("cannot read `{}`", args.file.display()))?;
    let name = args.file.display();
    let Ok(text) = String::from_utf8(bytes) else { bail!("`{name}` is not UTF-8; save it as \"CSV UTF-8\"") };
    let ready = packs::load(&args.packs)?;
    let import = match import(&ready, &text) {
        Ok(import) => import,
        Err(errors) => {
            errors.iter().for_each(|error| output::error(&format!("{name}:{error}")));
            bail!("nothing was changed");
        }
    };
    for change in &import.changes {
        let shown = |text: &str| if text.is_empty() { "nothing".to_owned() } else { format!("`{text}`") };
        let (before, after) = (shown(&change.before), shown(&change.after));
        output::note(&format!("{} {}: {before} -> {after}", change.card, change.column));
    }
    if import.changes.is_empty() {
        output::note("nothing to change");
        return Ok(Exit::Success);
    }
    if args.dry_run {
        return Ok(Exit::Success);
    }
    let written = apply(&ready.loaded.packs, &import.edits)?;
    let (values, files) = (import.changes.len(), written.len());
    let s = |count: usize| if count == 1 { "" } else { "s" };
    output::note(&format!("{values} value{} in {files} file{}", s(values), s(files)));
    Ok(Exit::Success)
}
