//! `principes schema`: prints or writes the JSON Schemas of content files.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use principes_app::storage::{Disk, FileSet};
use serde_json::{Map, json};

use crate::editors;
use crate::output::{self, Exit};

const EXAMPLES: &str = "\
Examples:
  principes schema                           all schemas as one JSON object
  principes schema --out schemas             one file for each family
  principes schema --vscode mods/my-cards    sets up editors in the folder of a pack
  principes schema --out schemas --vscode > .vscode/settings.json";

/// The value of `--vscode` without PATH: the settings are printed.
const STDOUT: &str = "-";

/// Writes the JSON Schemas of content files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Writes one file for each family into a folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Prints the editor settings that bind the schemas to files. If PATH is the folder of a pack, writes the schemas,
    /// Lua type stubs with the pack's names, and the settings into it.
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = STDOUT)]
    vscode: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Exit> {
    if let Some(pack) = args.vscode.as_deref().filter(|path| *path != Path::new(STDOUT)) {
        if args.out.is_some() {
            bail!("`--vscode PATH` writes the schemas into the pack; leave out `--out`");
        }
        return set_up(pack);
    }
    let mut out = output::stdout();
    if let Some(folder) = &args.out {
        let schemas = principes_schemas::all();
        let mut files = FileSet::begin(&Disk, folder)?;
        for (name, schema) in &schemas {
            let text = principes_schemas::print(schema);
            files.add(Path::new(&format!("{name}.schema.json")), text.as_bytes())?;
        }
        files.finish()?;
        output::note(&format!("{} schemas written to {}", schemas.len(), folder.display()));
    }
    if args.vscode.is_some() {
        output::json(&mut out, &settings(args.out.as_deref().unwrap_or(Path::new("schemas/json"))))?;
    } else if args.out.is_none() {
        let all: Map<String, serde_json::Value> =
            principes_schemas::all().into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
        output::json(&mut out, &all)?;
    }
    Ok(Exit::Success)
}

/// Sets up editors in the folder of a pack.
fn set_up(pack: &Path) -> Result<Exit> {
    let written = editors::write(pack)?;
    if !written.has_names {
        output::note(
            "the stubs do not have the pack's names because the pack cannot be read; `principes check` says why",
        );
    }
    output::note(&match written.files {
        0 => format!("editors are already set up for {}", pack.display()),
        1 => format!("1 file for editors written to {}", pack.display()),
        count => format!("{count} files for editors written to {}", pack.display()),
    });
    Ok(Exit::Success)
}

fn settings(folder: &Path) -> serde_json::Value {
    json!({
        "json.schemas": editors::bindings(&folder.to_string_lossy().replace('\\', "/")),
        "Lua.runtime.version": "Lua 5.1",
        "Lua.workspace.library": ["docs"],
    })
}
