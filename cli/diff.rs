//! `principes diff`: what changed between two packs, entity by entity.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use principes_content::load::EntityInfo;
use serde_json::{Value as Json, json};

use crate::ink;
use crate::out::{self, Exit, Format};
use crate::packs::{self, Ready};
use crate::show::{face, flat};

const EXAMPLES: &str = "\
Examples:
  principes diff content/principes mods/my-cards       what an expansion adds and changes
  principes diff old/my-cards mods/my-cards --format json
  principes diff a b > /dev/null; echo $?               0 the same, 1 different";

/// What changed between two packs or two versions of one, entity by entity.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The pack before.
    a: PathBuf,
    /// The pack after.
    b: PathBuf,
    /// How it is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Language in which texts are compared.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
}

/// An entity as it is compared: its fields by their paths.
struct Side {
    title: String,
    fields: BTreeMap<String, String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let a = sides(&packs::load_sources(&[packs::source(&args.a)?], None)?, &args.lang);
    let b = sides(&packs::load_sources(&[packs::source(&args.b)?], None)?, &args.lang);
    let keys: std::collections::BTreeSet<&(String, String)> = a.keys().chain(b.keys()).collect();
    let mut list: Vec<Json> = Vec::new();
    let mut text = String::new();
    let (green, red, bold, dim) = (ink::colour("green"), ink::bad(), ink::bold(), ink::dim());
    for key in keys {
        let (family, id) = key;
        let name = format!("{family}:{id}");
        match (a.get(key), b.get(key)) {
            (None, Some(new)) => {
                text += &format!("{green}+ {name}{green:#} {bold}{}{bold:#}\n", new.title);
                if let Some(words) = new.fields.get("text") {
                    text += &format!("    {words}\n");
                }
                list.push(json!({ "entity": name, "change": "added", "title": new.title, "fields": new.fields }));
            }
            (Some(old), None) => {
                text += &format!("{red}- {name}{red:#} {bold}{}{bold:#}\n", old.title);
                list.push(json!({ "entity": name, "change": "removed", "title": old.title }));
            }
            (Some(old), Some(new)) => {
                let changes = changes(&old.fields, &new.fields);
                if changes.is_empty() {
                    continue;
                }
                text += &format!("~ {name} {bold}{}{bold:#}\n", new.title);
                for (field, from, to) in &changes {
                    let from = from.as_deref().unwrap_or("nothing");
                    let to = to.as_deref().unwrap_or("nothing");
                    text += &format!("    {dim}{field}:{dim:#} {red}{from}{red:#} → {green}{to}{green:#}\n");
                }
                let fields: Vec<Json> =
                    changes.iter().map(|(field, from, to)| json!({ "field": field, "from": from, "to": to })).collect();
                list.push(json!({ "entity": name, "change": "changed", "title": new.title, "fields": fields }));
            }
            (None, None) => {}
        }
    }
    let mut out = out::stdout();
    match args.format {
        Format::Json => out::json(&mut out, &json!({ "changes": list }))?,
        Format::Human => {
            out.write_all(text.as_bytes())?;
            if list.is_empty() {
                out::note("no difference");
            }
        }
    }
    out.flush()?;
    Ok(Exit::faults(!list.is_empty()))
}

type Change = (String, Option<String>, Option<String>);

fn changes(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Change> {
    let fields: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    fields
        .into_iter()
        .filter(|field| old.get(*field) != new.get(*field))
        .map(|field| (field.clone(), old.get(field).cloned(), new.get(field).cloned()))
        .collect()
}

fn sides(ready: &Ready, language: &str) -> BTreeMap<(String, String), Side> {
    let words = ready.words(language);
    let side = |entity: &EntityInfo| {
        let family = entity.family.key();
        let mut fields = BTreeMap::new();
        flatten("", &entity.json, &mut fields);
        let (title, text) = face(ready, &words, entity);
        fields.insert("title".to_owned(), title.clone());
        if let Some(text) = text {
            fields.insert("text".to_owned(), text);
        }
        ((family.to_owned(), entity.id.clone()), Side { title, fields })
    };
    let mut sides: BTreeMap<_, _> = ready.loaded.entities.iter().map(side).collect();
    // A changed script changes what cards do though their entries stay the same.
    for script in &ready.loaded.scripts {
        let digest = packs::digest(script.text.as_bytes());
        let fields = BTreeMap::from([
            ("lines".to_owned(), script.text.lines().count().to_string()),
            ("digest".to_owned(), digest),
        ]);
        sides.insert(("scripts".to_owned(), script.module.clone()), Side { title: script.module.clone(), fields });
    }
    sides
}

/// The leaves of a JSON value by their paths. Lists stay whole: where they differ, one wants to see all of them.
fn flatten(path: &str, value: &Json, fields: &mut BTreeMap<String, String>) {
    match value {
        Json::Object(map) => {
            for (key, value) in map {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, value, fields);
            }
        }
        Json::Null => {}
        leaf => {
            fields.insert(path.to_owned(), flat(leaf));
        }
    }
}
