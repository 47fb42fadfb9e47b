//! `principes schema`: the JSON Schemas of content files.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Map, json};

use crate::out::{self, Exit};

/// Where files of a family usually stand in a pack. Only editors go by it: the program goes by the family key.
const USUAL_PLACES: &[(&str, &[&str])] = &[
    ("pack", &["pack.json"]),
    ("factions", &["factions/**/*.json"]),
    ("spaces", &["map/**/*.json", "spaces/**/*.json"]),
    ("kinds", &["pieces/**/*.json", "kinds/**/*.json"]),
    ("counters", &["counters/**/*.json"]),
    ("zones", &["zones/**/*.json"]),
    ("cards", &["cards/**/*.json"]),
    ("rules", &["rules/**/*.json"]),
    ("points", &["points/**/*.json"]),
    ("decisions", &["decisions/**/*.json"]),
    ("phases", &["flow/phases*.json"]),
    ("procedures", &["flow/procedures*.json"]),
    ("variants", &["variants/**/*.json"]),
    ("messages", &["locale/**/*.json"]),
    ("pins", &["pins/**/*.json"]),
    ("patches", &["patches/**/*.json"]),
    ("scenarios", &["scenarios/**/*.json"]),
];

const EXAMPLES: &str = "\
Examples:
  principes schema                       all schemas as one JSON object
  principes schema --out schemas         one file for each family
  principes schema --out schemas --vscode > .vscode/settings.json";

/// Writes the JSON Schemas of content files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Writes one file for each family into a folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Prints the editor settings that bind the schemas to files.
    #[arg(long)]
    vscode: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let mut out = out::stdout();
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        let schemas = principes_schemas::all();
        for (name, schema) in &schemas {
            let file = folder.join(format!("{name}.schema.json"));
            let text = principes_schemas::print(schema);
            out::write_whole(&file, text.as_bytes()).with_context(|| format!("cannot write `{}`", file.display()))?;
        }
        out::note(&format!("{} schemas written to {}", schemas.len(), folder.display()));
    }
    if args.vscode {
        out::json(&mut out, &settings(args.out.as_deref().unwrap_or(Path::new("schemas/json"))))?;
    } else if args.out.is_none() {
        let all: Map<String, serde_json::Value> =
            principes_schemas::all().into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
        out::json(&mut out, &all)?;
    }
    Ok(Exit::Fine)
}

fn settings(folder: &Path) -> serde_json::Value {
    let folder = folder.to_string_lossy().replace('\\', "/");
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    let bindings: Vec<serde_json::Value> = principes_schemas::all()
        .iter()
        .map(|(name, _)| {
            let places = USUAL_PLACES.iter().find(|(family, _)| family == name).map_or(&[][..], |(_, places)| places);
            // Wherever a pack lies in the workspace: packs are known by the folders inside them.
            let files: Vec<String> = places.iter().map(|place| format!("**/{place}")).collect();
            json!({ "fileMatch": files, "url": format!("./{folder}/{name}.schema.json") })
        })
        .collect();
    json!({
        "json.schemas": bindings,
        "Lua.runtime.version": "Lua 5.1",
        "Lua.workspace.library": ["docs"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_bound_to_files() {
        for (name, _) in principes_schemas::all() {
            assert!(USUAL_PLACES.iter().any(|(family, _)| *family == name), "{name}");
        }
    }
}
