//! `principes diff`: shows the changes between two packs, entity by entity.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use principes_author::diff::{Change, EntityChange, diff};
use serde_json::json;

use crate::output::{self, Exit, Format, shortened};
use crate::packs;
use crate::style;

const EXAMPLES: &str = "\
Examples:
  principes diff content/principes mods/my-cards       what an extension adds and changes
  principes diff old/my-cards mods/my-cards --format json
  principes diff a b > /dev/null; echo $?               0 the same, 1 different";

/// Shows what changed between two packs or versions, entity by entity.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The old pack.
    a: PathBuf,
    /// The new pack.
    b: PathBuf,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The language of the texts to compare.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
}

pub fn run(args: &Args) -> Result<Exit> {
    let load = |path| packs::load_sources(&[packs::source(path)?], None);
    let changes = diff(&load(&args.a)?, &load(&args.b)?, &args.lang);
    let mut out = output::stdout();
    match args.format {
        Format::Json => output::json(&mut out, &json!({ "changes": changes }))?,
        Format::Human => {
            let (first, more) = output::listed(&changes, "change");
            out.write_all(first.iter().map(shown).collect::<String>().as_bytes())?;
            more.iter().try_for_each(|more| writeln!(out, "{more}"))?;
            if changes.is_empty() {
                output::note("no difference");
            }
        }
    }
    out.flush()?;
    Ok(Exit::failure_if(!changes.is_empty()))
}

fn shown(EntityChange { entity, title, change }: &EntityChange) -> String {
    let (green, red, bold, dim) = (style::color("green"), style::bad(), style::bold(), style::dim());
    match change {
        Change::Added { fields } => {
            let text = fields.get("text").map(|words| format!("    {}\n", shortened(words))).unwrap_or_default();
            format!("{green}+ {entity}{green:#} {bold}{title}{bold:#}\n{text}")
        }
        Change::Removed => format!("{red}- {entity}{red:#} {bold}{title}{bold:#}\n"),
        Change::Changed { fields } => {
            let mut text = format!("~ {entity} {bold}{title}{bold:#}\n");
            let (first, more) = output::listed(fields, "field");
            for change in first {
                let [from, to] = [&change.from, &change.to].map(|side| shortened(side.as_deref().unwrap_or("nothing")));
                let field = &change.field;
                text += &format!("    {dim}{field}:{dim:#} {red}{from}{red:#} → {green}{to}{green:#}\n");
            }
            text.extend(more.map(|more| format!("    {more}\n")));
            text
        }
    }
}
