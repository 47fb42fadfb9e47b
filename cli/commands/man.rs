//! `principes man`: prints the manual page, or writes all of them.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

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
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    // Clap fills in the full names of subcommands when it builds the command.
    program.build();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        output::write_file(&folder.join(format!("{name}.1")), page(command.clone())?.as_bytes())?;
    }
    Ok(Exit::Success)
}

fn page(command: clap::Command) -> Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}
