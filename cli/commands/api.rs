//! `principes api`: prints the script API.

use std::io::Write as _;

use anyhow::Result;
use clap::ValueEnum;

use crate::output::{self, Exit};

const EXAMPLES: &str = "\
Examples:
  principes api | less
  principes api --format luau > docs/principes.d.lua    for editors
  principes api --format json";

/// Prints the verbs that scripts may call.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The reference, for people.
    Markdown,
    /// Type stubs for editors.
    Luau,
    /// For programs.
    Json,
}

pub fn run(args: &Args) -> Result<Exit> {
    let text = match args.format {
        Format::Markdown => principes_scripting::api::markdown(),
        Format::Luau => principes_scripting::api::lua_stub(),
        Format::Json => principes_scripting::api::json(),
    };
    let mut out = output::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Success)
}
