//! `principes man`: prints the manual page, or writes all of them.

use std::path::{Path, PathBuf};

use anyhow::Result;
use principes_app::storage::{Disk, FileSet};

use crate::output::{self, Exit};

const EXAMPLES: &str = "\
Examples:
  principes man | man -l -                      shows the manual page
  principes man --out ~/.local/share/man/man1   writes a page for each command";

/// Prints the manual page of the program, or writes a page for each command to a folder.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder for the pages. It is created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args, mut program: clap::Command) -> Result<Exit> {
    let Some(folder) = &args.out else {
        output::to_file_or_stdout(None, &page(program)?)?;
        return Ok(Exit::Success);
    };
    let mut pages = FileSet::begin(&Disk, folder)?;
    // Clap fills in the full names of subcommands when it builds the command.
    program.build();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        pages.add(Path::new(&format!("{name}.1")), page(command.clone())?.as_bytes())?;
    }
    pages.finish()?;
    Ok(Exit::Success)
}

fn page(command: clap::Command) -> Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}
