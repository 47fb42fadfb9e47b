//! `principes show --list`: lists the ids of a family.

use std::io::Write;

use anyhow::{Result, bail};
use principes_app::entity::face;
use principes_app::packs::OpenPacks;
use principes_app::words::Words;
use principes_findings::hint_for;
use principes_model::EntityInfo;
use principes_schemas::Family;
use serde_json::{Value as Json, json};

use crate::output::{self, Format};
use crate::style;

/// Families whose members are not entities that can be shown.
const NO_ENTITIES: [Family; 4] = [Family::Messages, Family::Pins, Family::Patches, Family::Scenarios];

/// Prints the ids of a family with their titles, one on each line.
pub fn print(out: &mut impl Write, ready: &OpenPacks, words: &Words, family: &str, format: Format) -> Result<()> {
    let family = find(family)?;
    let members = ready.loaded.entities.iter().filter(|entity| entity.family == family);
    let members: Vec<(&EntityInfo, String)> = members.map(|entity| (entity, face(ready, words, entity).0)).collect();
    if format == Format::Json {
        let one = |(entity, title): &(&EntityInfo, String)| json!({ "family": family.key(), "id": entity.id, "title": title, "file": entity.file, "line": entity.line });
        return output::json(out, &members.iter().map(one).collect::<Vec<Json>>());
    }
    let wide = members.iter().map(|(entity, _)| entity.id.len()).max().unwrap_or(0);
    let dim = style::dim();
    for (entity, title) in &members {
        match *title == entity.id {
            true => writeln!(out, "{}", entity.id)?,
            false => writeln!(out, "{:wide$}  {dim}{title}{dim:#}", entity.id)?,
        }
    }
    out.flush()?;
    if members.is_empty() {
        output::note(&format!("the packs have no {}", family.key()));
    }
    Ok(())
}

/// Finds a family by its key, or by its singular.
fn find(wanted: &str) -> Result<Family> {
    let families = || Family::ALL.iter().filter(|family| !NO_ENTITIES.contains(family));
    let fits = |family: &&Family| [family.key(), family.singular()].contains(&wanted);
    match families().find(fits) {
        Some(family) => Ok(*family),
        None => {
            let keys: Vec<&str> = families().map(|family| family.key()).collect();
            let hint = hint_for(wanted, keys.iter().copied());
            bail!("unknown family `{wanted}`{hint}; the families are: {}", keys.join(", "))
        }
    }
}
