//! `principes explain`: explains a finding at length.

use std::io::Write as _;

use anyhow::{Result, bail};
use principes_findings::{EXPLANATIONS, explain};

use crate::output::{self, Exit};

const EXAMPLES: &str = "\
Examples:
  principes explain P0101
  principes explain --list";

/// Explains a finding, with a broken and a fixed example.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The code of a finding, such as P0202.
    #[arg(required_unless_present = "list")]
    code: Option<String>,
    /// Lists all codes.
    #[arg(long)]
    list: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let mut out = output::stdout();
    if args.list {
        for entry in EXPLANATIONS.iter() {
            writeln!(out, "{}  {:<7}  {}", entry.code, entry.severity.name(), entry.title)?;
        }
        return Ok(Exit::Success);
    }
    let wanted = args.code.as_deref().unwrap_or_default().to_uppercase();
    let Some(entry) = explain(&wanted) else {
        let hint = principes_findings::hint_for(&wanted, EXPLANATIONS.iter().map(|entry| entry.code));
        bail!("unknown code `{wanted}`{hint} (`principes explain --list` shows all codes)");
    };
    writeln!(out, "{}", entry.print().trim_end())?;
    Ok(Exit::Success)
}
