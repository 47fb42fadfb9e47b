//! `principes fmt`: writes the files of packs in the canonical format.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use principes_author::format::shapes;

use crate::output::{self, Exit};

const EXAMPLES: &str = "\
Examples:
  principes fmt                              every pack under content/ and mods/
  principes fmt mods/my-cards
  principes fmt mods/my-cards/cards.json     one file
  principes fmt --check                      lists the files that would change; exit code 1 if any
  principes fmt mods/my-cards --diff         shows the changes and writes nothing

Exit codes: 0 success, 1 files would change, 2 a file could not be formatted.";

/// Formats the JSON and Lua files of packs.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Packs, folders of packs, or files and folders in packs. Default: the packs under content/ and mods/, or the pack
    /// in the current folder.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Writes nothing; lists the files that would change.
    #[arg(long)]
    check: bool,
    /// Writes nothing; shows the changes as a diff.
    #[arg(long)]
    diff: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let shapes = shapes(&args.paths)?;
    let is_refused = !shapes.refused.is_empty();
    output::findings(shapes.refused);
    if args.diff {
        let changed: BTreeMap<_, _> =
            shapes.changed.iter().map(|file| (file.name.clone(), (&*file.before, file.after.as_bytes()))).collect();
        output::diffs(&changed)?;
    } else if args.check {
        let mut out = output::stdout();
        for file in &shapes.changed {
            writeln!(out, "{}", file.name)?;
        }
        out.flush()?;
    } else {
        for file in &shapes.changed {
            file.write().with_context(|| format!("cannot write `{}`", file.name))?;
        }
    }
    let count = shapes.changed.len();
    let words = if args.check || args.diff { "would change" } else { "formatted" };
    output::note(&format!("{count} of {} files {words}", shapes.files));
    if is_refused {
        bail!("some files could not be formatted and were left alone");
    }
    Ok(Exit::failure_if(count > 0 && (args.check || args.diff)))
}
