//! `principes show`: an entity as the players see it, and where it comes from.

use std::collections::BTreeMap;
use std::io::Write;

use anstyle::Style;
use anyhow::{Result, bail};
use principes_content::load::{EntityInfo, Writer};
use principes_core::catalog::{HookSource, Listener};
use principes_core::*;
use serde_json::{Value as Json, json};

use crate::ink::{self, Line};
use crate::out::{self, Exit, Format};
use crate::packs::{self, PackArgs, Ready};
use crate::props;
use crate::words::{Words, humanize};

/// Width of a card face inside its frame.
const FACE: usize = 44;

const EXAMPLES: &str = "\
Examples:
  principes show ID
  principes show cards:ID spaces:ID --lang pl      where several have the same id
  principes show ID --pack mods/my-cards --format json
  principes show ID --pack mods/a --pack mods/b --why params.gold      who wrote this number, and where
  principes show ID --pack mods/a --pack mods/b --why                  which packs touched it";

/// Shows entities: cards with their faces, texts with their numbers, hooks, origin.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Ids, with their family where several have the same: `ID`, `cards:ID`.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    #[command(flatten)]
    packs: PackArgs,
    /// Language of names and sentences.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
    /// Who wrote a field, in order, and where; without FIELD, every field that more than one pack wrote.
    #[arg(long, value_name = "FIELD", num_args = 0..=1, default_missing_value = "")]
    why: Option<String>,
    /// How it is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let ready = packs::load(&args.packs)?;
    ready.require_language(&args.lang)?;
    let words = ready.words(&args.lang);
    let mut out = out::stdout();
    let mut list = Vec::new();
    for id in &args.ids {
        let found = find(&ready, id)?;
        for entity in found {
            if let Some(field) = &args.why {
                match args.format {
                    Format::Human => print_why(&mut out, &ready, entity, field)?,
                    Format::Json => list.push(why_json(&ready, entity, field)?),
                }
                continue;
            }
            match args.format {
                Format::Human => print(&mut out, &ready, &words, entity)?,
                Format::Json => list.push(to_json(&ready, &words, entity)),
            }
        }
    }
    if args.format == Format::Json {
        out::json(&mut out, &list)?;
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn find<'a>(ready: &'a Ready, wanted: &str) -> Result<Vec<&'a EntityInfo>> {
    let (family, id) = wanted.split_once(':').map_or((None, wanted), |(family, id)| (Some(family), id));
    let entities = &ready.loaded.entities;
    let fits = |entity: &&EntityInfo| {
        let key = entity.family.key();
        entity.id == id && family.is_none_or(|family| key == family || key.strip_suffix('s') == Some(family))
    };
    let found: Vec<&EntityInfo> = entities.iter().filter(fits).collect();
    if found.is_empty() {
        if let Some(gone) = ready.loaded.removed.iter().find(fits) {
            let last = ready.loaded.writers(gone, "").pop();
            let by = last
                .map(|writer| format!(" by `{}`, {}:{}", writer.pack, writer.file, writer.line))
                .unwrap_or_default();
            bail!("`{wanted}` of {}:{} is removed{by}", gone.file, gone.line);
        }
        let hint = packs::hint(id, entities.iter().map(|entity| entity.id.as_str()));
        bail!("nothing has the id `{wanted}`{hint}");
    }
    Ok(found)
}

/// The title and text of an entity, where it has them.
pub fn face(ready: &Ready, words: &Words, entity: &EntityInfo) -> (String, Option<String>) {
    let (catalog, id) = (&ready.catalog, &entity.id);
    match entity.family.key().trim_end_matches('s') {
        "card" => (words.title("card", id), catalog.design(id).and_then(|design| words.card_text(design))),
        "rule" => (words.title("rule", id), catalog.rule(id).and_then(|rule| words.rule_text(rule))),
        "decision" => (words.message(&format!("decision.{id}"), &[], None).unwrap_or_else(|| id.clone()), None),
        family => (words.named(family, id), None),
    }
}

/// The hooks of an entity: point and function with its file.
fn hooks(ready: &Ready, entity: &EntityInfo) -> Vec<(String, String)> {
    let catalog = &ready.catalog;
    let listeners: &[Listener] = match entity.family.key() {
        "cards" => catalog.design(&entity.id).map_or(&[], |id| &catalog.designs[id.index()].listeners),
        "rules" => catalog.rule(&entity.id).map_or(&[], |id| &catalog.rules[id.index()].listeners),
        _ => &[],
    };
    let name = |hook: HookId| {
        let spec = &catalog.hooks[hook.index()];
        let script = ready.loaded.scripts.iter().find(|script| script.module == spec.module);
        let file = script.map_or_else(|| spec.module.clone(), |script| script.path.clone());
        let line = script
            .and_then(|script| line_of(&script.text, &spec.function))
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        format!("{file}{line}: {}", spec.function)
    };
    listeners.iter().map(|listener| (catalog.points[listener.point.index()].id.clone(), name(listener.hook))).collect()
}

/// The line on which a module defines a function.
fn line_of(text: &str, function: &str) -> Option<usize> {
    let defines = |line: &str| {
        let Some(at) = line.find(function) else { return false };
        let (before, after) = (&line[..at], &line[at + function.len()..]);
        let own_word =
            !after.starts_with(|c: char| c.is_alphanumeric() || c == '_') && before.ends_with(['.', ' ', ':']);
        own_word && (before.contains("function") || after.trim_start().starts_with("= function"))
    };
    text.lines().position(defines).map(|at| at + 1)
}

/// Phases and procedures whose functions an entity of the flow names are shown as they stand.
fn extras(entity: &EntityInfo) -> BTreeMap<String, String> {
    const SHOWN_ELSEWHERE: [&str; 5] = ["id", "notes", "provenance", "hooks", "params"];
    let mut extras = BTreeMap::new();
    for (key, value) in entity.json.as_object().into_iter().flatten() {
        if SHOWN_ELSEWHERE.contains(&key.as_str()) || value.is_null() || value == &json!({}) || value == &json!([]) {
            continue;
        }
        extras.insert(key.clone(), flat(value));
    }
    extras
}

/// JSON on one line, for people.
pub fn flat(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(list) if list.iter().any(Json::is_object) => list.iter().map(flat).collect::<Vec<_>>().join("; "),
        Json::Array(list) => list.iter().map(flat).collect::<Vec<_>>().join(", "),
        Json::Object(map) => {
            map.iter().map(|(key, value)| format!("{key} {}", flat(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn print(out: &mut impl Write, ready: &Ready, words: &Words, entity: &EntityInfo) -> Result<()> {
    let (title, text) = face(ready, words, entity);
    for line in boxed(ready, words, entity, &title, text.as_deref()) {
        writeln!(out, "{line}")?;
    }
    let dim = ink::dim();
    let mut row = |name: &str, value: &str| -> Result<()> {
        if !value.is_empty() {
            writeln!(out, "  {dim}{name:<11}{dim:#} {value}")?;
        }
        Ok(())
    };
    row("id", &format!("{}:{}", entity.family.key(), entity.id))?;
    for (key, value) in extras(entity) {
        row(&key, &value)?;
    }
    row("params", &entity.json.get("params").map(flat).unwrap_or_default())?;
    for (point, function) in hooks(ready, entity) {
        row("hook", &format!("{point} → {function}"))?;
    }
    row("origin", &entity.json.get("provenance").map(flat).unwrap_or_default())?;
    row("notes", &entity.json.get("notes").map(flat).unwrap_or_default())?;
    row("file", &format!("{}:{}", entity.file, entity.line))?;
    row("packs", &entity.packs.join(" → "))?;
    writeln!(out)?;
    Ok(())
}

/// A field as a JSON pointer: `params.gold` and `/params/gold` are the same.
fn pointer(field: &str) -> String {
    if field.is_empty() || field.starts_with('/') { field.to_owned() } else { format!("/{}", field.replace('.', "/")) }
}

/// The fields of an entity that `--why` tells about: the one that was asked for, or all that patches wrote.
fn why_fields(ready: &Ready, entity: &EntityInfo, field: &str) -> Result<Vec<String>> {
    let writes = entity.history.iter().flat_map(|history| &history.writes);
    let wanted = pointer(field);
    if wanted.is_empty() {
        let mut fields: Vec<String> = Vec::new();
        for write in writes {
            if !fields.contains(&write.path) {
                fields.push(write.path.clone());
            }
        }
        return Ok(fields);
    }
    if ready.loaded.writers(entity, &wanted).is_empty() {
        let (outer, name) = wanted.rsplit_once('/').unwrap_or_default();
        let beside = entity.json.pointer(outer).and_then(Json::as_object);
        let names: Vec<&str> = beside.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let hint = match packs::nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are: {}", names.join(", ")),
        };
        bail!("{}:{} has no field `{field}`; {hint}", entity.family.key(), entity.id);
    }
    Ok(vec![wanted])
}

fn print_why(out: &mut impl Write, ready: &Ready, entity: &EntityInfo, field: &str) -> Result<()> {
    let (bold, dim) = (ink::bold(), ink::dim());
    writeln!(out, "{bold}{}:{}{bold:#}  {}", entity.family.key(), entity.id, entity.packs.join(" → "))?;
    let fields = why_fields(ready, entity, field)?;
    if fields.is_empty() {
        writeln!(out, "  {}:{}: no other pack touches it", entity.file, entity.line)?;
    }
    for path in fields {
        let writers = ready.loaded.writers(entity, &path);
        let title = if path.is_empty() { "the whole of it".to_owned() } else { path[1..].replace('/', ".") };
        writeln!(out, "  {bold}{title}{bold:#}")?;
        let widest = |length: fn(&Writer) -> usize| writers.iter().map(length).max().unwrap_or(0);
        let (wide, wider) = (widest(|w| w.pack.len()), widest(|w| place(w).len()));
        for writer in &writers {
            let inner = writer.path.strip_prefix(path.as_str()).filter(|inner| !inner.is_empty());
            let inner = inner.map(|inner| format!("{}: ", inner[1..].replace('/', "."))).unwrap_or_default();
            writeln!(
                out,
                "    {:wide$}  {dim}{:wider$}{dim:#}  {inner}{}",
                writer.pack,
                place(writer),
                shown(writer.value.as_ref())
            )?;
        }
        writeln!(out, "    {:wide$}  {:wider$}  {bold}{}{bold:#}", "", "so it is", shown(entity.json.pointer(&path)))?;
    }
    writeln!(out)?;
    Ok(())
}

fn place(writer: &Writer) -> String {
    format!("{}:{}", writer.file, writer.line)
}

fn shown(value: Option<&Json>) -> String {
    value.map_or_else(|| "taken away".to_owned(), flat)
}

fn why_json(ready: &Ready, entity: &EntityInfo, field: &str) -> Result<Json> {
    let writer = |writer: Writer| {
        json!({
            "pack": writer.pack, "file": writer.file, "line": writer.line, "field": writer.path,
            "value": writer.value,
        })
    };
    let one = |path: String| {
        let writers: Vec<Json> = ready.loaded.writers(entity, &path).into_iter().map(writer).collect();
        json!({ "field": path, "writers": writers, "value": entity.json.pointer(&path) })
    };
    let fields: Vec<Json> = why_fields(ready, entity, field)?.into_iter().map(one).collect();
    Ok(json!({
        "family": entity.family.key(), "id": entity.id, "file": entity.file, "line": entity.line, "packs": entity.packs,
        "fields": fields,
    }))
}

/// The face in a frame.
fn boxed(ready: &Ready, words: &Words, entity: &EntityInfo, title: &str, text: Option<&str>) -> Vec<Line> {
    let catalog = &ready.catalog;
    let design = (entity.family.key() == "cards").then(|| catalog.design(&entity.id)).flatten();
    let colour = design
        .and_then(|design| catalog.designs[design.index()].faction)
        .map_or(Style::new(), |faction| ink::colour(&catalog.factions[faction.index()].colour));
    let rule = "─".repeat(FACE + 2);
    let inside = |line: Line| {
        let mut row = Line::styled(colour, "│ ");
        row.append(line.cut(FACE));
        row.pad(FACE + 2);
        row.push(colour, " │");
        row
    };
    let mut lines = vec![Line::styled(colour, format!("╭{rule}╮"))];
    let mut head = Line::styled(ink::bold(), ink::cut(title, FACE));
    if let Some(design) = design {
        let spec = &catalog.designs[design.index()];
        let id = catalog.symbols.name(spec.card_type.index());
        let kind = if words.is_named("type", id) { words.named("type", id) } else { humanize(id) };
        let copies = if spec.copies > 1 { format!("{kind} ×{}", spec.copies) } else { kind };
        let room = FACE.saturating_sub(Line::plain(copies.clone()).width());
        if head.width() + 1 < room {
            head.pad(room);
            head.push(ink::dim(), copies);
            lines.push(inside(head));
        } else {
            lines.push(inside(head));
            lines.push(inside(Line::styled(ink::dim(), copies)));
        }
    } else {
        let mut family = Line::styled(ink::dim(), entity.family.key());
        let room = FACE.saturating_sub(family.width());
        if head.width() + 1 < room {
            head.pad(room);
            head.append(std::mem::take(&mut family));
        }
        lines.push(inside(head));
    }
    if let Some(text) = text {
        lines.push(Line::styled(colour, format!("├{rule}┤")));
        lines.extend(ink::wrap(text, FACE).into_iter().map(|line| inside(Line::plain(line))));
    }
    let props = props::told(ready, words, entity.family.key(), &entity.json);
    if !props.is_empty() {
        lines.push(Line::styled(colour, format!("├{rule}┤")));
        lines
            .extend(ink::wrap(&props.join(" · "), FACE).into_iter().map(|line| inside(Line::styled(ink::dim(), line))));
    }
    lines.push(Line::styled(colour, format!("╰{rule}╯")));
    lines
}

fn to_json(ready: &Ready, words: &Words, entity: &EntityInfo) -> Json {
    let (title, text) = face(ready, words, entity);
    let hooks: Vec<Json> = hooks(ready, entity)
        .into_iter()
        .map(|(point, function)| json!({ "point": point, "function": function }))
        .collect();
    let flow: Vec<String> = (0..ready.catalog.hooks.len())
        .map(HookId::at)
        .filter(|hook| {
            let spec = &ready.catalog.hooks[hook.index()];
            let function = format!("{}.{}", spec.module, spec.function);
            spec.source == HookSource::Flow && names(&entity.json, &function)
        })
        .map(|hook| packs::hook_name(&ready.catalog, hook))
        .collect();
    json!({
        "family": entity.family.key(), "id": entity.id, "title": title, "text": text, "hooks": hooks, "flow": flow,
        "file": entity.file, "line": entity.line, "packs": entity.packs, "entity": *entity.json,
    })
}

/// Whether a JSON value holds a text anywhere.
fn names(value: &Json, text: &str) -> bool {
    match value {
        Json::String(own) => own == text,
        Json::Array(list) => list.iter().any(|value| names(value, text)),
        Json::Object(map) => map.values().any(|value| names(value, text)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_function_is_found() {
        let text = "local M = {}\nfunction M.play(self)\nend\nM.other = function() end\nM.playful()\n";
        assert_eq!(line_of(text, "play"), Some(2));
        assert_eq!(line_of(text, "other"), Some(4));
        assert_eq!(line_of(text, "none"), None);
    }
}
