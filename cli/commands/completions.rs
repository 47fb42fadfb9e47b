//! `principes completions`: prints completions for a shell.

use anyhow::Result;
use clap_complete::Shell;

use crate::output::{self, Exit};

const EXAMPLES: &str = "\
Examples:
  principes completions bash > ~/.local/share/bash-completion/completions/principes
  principes completions zsh > ~/.zfunc/_principes
  principes completions fish > ~/.config/fish/completions/principes.fish";

/// Prints a script for shell completion.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Which shell runs the script.
    shell: Shell,
}

pub fn run(args: &Args, mut program: clap::Command) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "principes", &mut script);
    output::to_file_or_stdout(None, &String::from_utf8(script)?)?;
    Ok(Exit::Success)
}
