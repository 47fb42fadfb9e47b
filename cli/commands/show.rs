//! `principes show`: shows an entity as players see it, and where it comes from.

mod drawing;
mod list;
mod whole;

use std::collections::BTreeMap;
use std::io::Write;

use anstyle::Style;
use anyhow::{Result, bail};
use principes_app::entity::face;
use principes_app::packs::OpenPacks;
use principes_app::props;
use principes_app::words::{Words, humanize};
use principes_author::entity::{WholeEntity, flat, hooks, weights};
use principes_core::catalog::HookSource;
use principes_core::*;
use principes_findings::{did_you_mean, hint_for};
use principes_model::{EntityInfo, FieldWriter};
use principes_scenarios::hook_name;
use principes_schemas::Family;
use serde_json::{Value as Json, json};

use crate::arguments::PackArgs;
use crate::output::{self, Exit, Format};
use crate::packs;
use crate::style::{self, Line};

/// The width of a card face inside its frame.
const FACE: usize = 44;

const EXAMPLES: &str = "\
Examples:
  principes show ID
  principes show cards:ID spaces:ID --lang pl      if several have the same id
  principes show ID --pack mods/my-cards --format json
  principes show ID --pack mods/a --pack mods/b --why params.gold      which packs wrote this number
  principes show ID --pack mods/a --pack mods/b --why                  which packs changed it
  principes show --all ID                            texts, JSON, scripts and scenarios
  principes show --list cards                        the ids of a family with their titles
  principes show --svg ID > card.svg                 its drawing; also `board` and `tracks`";

/// Shows entities: card faces, texts with their numbers, hooks and provenance.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Ids, with the family if several entities have the same id: `ID`, `cards:ID`.
    #[arg(required_unless_present = "list", value_name = "ID")]
    ids: Vec<String>,
    /// Shows the whole entity: its texts in every language, its JSON as written, the scripts of its hooks, and its
    /// scenarios with their results.
    #[arg(long, conflicts_with_all = ["why", "list"])]
    all: bool,
    /// Lists the ids of a family with their titles.
    #[arg(long, value_name = "FAMILY", conflicts_with_all = ["why", "ids"])]
    list: Option<String>,
    /// Writes a drawing as SVG: of a card, or of the `board` or the `tracks` at the start of the game.
    #[arg(long, value_enum, value_name = "COLORS", num_args = 0..=1, require_equals = true, default_missing_value = "auto",
        conflicts_with_all = ["all", "why", "list", "format"])]
    svg: Option<drawing::Colors>,
    #[command(flatten)]
    packs: PackArgs,
    /// The language of names and messages.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
    /// Shows which packs wrote a field, in order, and where. Without FIELD: every field that more than one pack wrote.
    #[arg(long, value_name = "FIELD", num_args = 0..=1, default_missing_value = "")]
    why: Option<String>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub fn run(args: &Args) -> Result<Exit> {
    let ready = if args.all { packs::load_with_scenarios(&args.packs)? } else { packs::load(&args.packs)? };
    ready.require_language(&args.lang)?;
    let mut out = output::stdout();
    if let Some(colors) = args.svg {
        drawing::print(&mut out, ready, &args.ids, &args.lang, colors)?;
        out.flush()?;
        return Ok(Exit::Success);
    }
    let words = ready.words(&args.lang);
    if let Some(family) = &args.list {
        list::print(&mut out, &ready, &words, family, args.format)?;
        return Ok(Exit::Success);
    }
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
            let whole = if args.all { Some(WholeEntity::of(&ready, entity)?) } else { None };
            match args.format {
                Format::Human => {
                    print(&mut out, &ready, &words, entity)?;
                    whole.iter().try_for_each(|whole| whole::print(&mut out, whole))?;
                }
                Format::Json => {
                    let mut face = to_json(&ready, &words, entity);
                    if let Some(whole) = whole {
                        face["all"] = serde_json::to_value(whole)?;
                    }
                    list.push(face);
                }
            }
        }
    }
    if args.format == Format::Json {
        output::json(&mut out, &list)?;
    }
    out.flush()?;
    Ok(Exit::Success)
}

fn find<'a>(ready: &'a OpenPacks, wanted: &str) -> Result<Vec<&'a EntityInfo>> {
    let (family, id) = wanted.split_once(':').map_or((None, wanted), |(family, id)| (Some(family), id));
    let entities = &ready.loaded.entities;
    let fits = |entity: &&EntityInfo| {
        let keys = [entity.family.key(), entity.family.singular()];
        entity.id == id && family.is_none_or(|family| keys.contains(&family))
    };
    let found: Vec<&EntityInfo> = entities.iter().filter(fits).collect();
    if found.is_empty() {
        if let Some(gone) = ready.loaded.removed.iter().find(fits) {
            let last = ready.loaded.writers(gone, "").pop();
            let by = last
                .map(|writer| format!(" by `{}`, {}:{}", writer.pack, writer.file, writer.line))
                .unwrap_or_default();
            bail!("`{wanted}` of {}:{} was removed{by}", gone.file, gone.line);
        }
        let hint = hint_for(id, entities.iter().map(|entity| entity.id.as_str()));
        bail!("unknown id `{wanted}`{hint}");
    }
    Ok(found)
}

/// The functions that a phase or procedure names, shown unchanged.
fn extras(entity: &EntityInfo) -> BTreeMap<String, String> {
    const SHOWN_ELSEWHERE: [&str; 5] = ["id", "notes", "provenance", "hooks", "params"];
    let mut extras = BTreeMap::new();
    for (key, value) in entity.json.as_object().into_iter().flatten() {
        if SHOWN_ELSEWHERE.contains(&key.as_str()) || value.is_null() || value == &json!({}) || value == &json!([]) {
            continue;
        }
        let is_learned = entity.family == Family::Bots && value.is_object() && key != "training";
        extras.insert(key.clone(), if is_learned { weights(value) } else { flat(value) });
    }
    extras
}

fn print(out: &mut impl Write, ready: &OpenPacks, words: &Words, entity: &EntityInfo) -> Result<()> {
    let (title, text) = face(ready, words, entity);
    for line in boxed(ready, words, entity, &title, text.as_deref()) {
        writeln!(out, "{line}")?;
    }
    let dim = style::dim();
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

/// The fields that `--why` reports: the requested field, or all fields that patches wrote.
fn why_fields(ready: &OpenPacks, entity: &EntityInfo, field: &str) -> Result<Vec<String>> {
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
        let near = did_you_mean(name, names.iter().copied());
        let hint = near.unwrap_or_else(|| format!("the fields are: {}", names.join(", ")));
        bail!("{}:{} has no field `{field}`; {hint}", entity.family.key(), entity.id);
    }
    Ok(vec![wanted])
}

fn print_why(out: &mut impl Write, ready: &OpenPacks, entity: &EntityInfo, field: &str) -> Result<()> {
    let (bold, dim) = (style::bold(), style::dim());
    writeln!(out, "{bold}{}:{}{bold:#}  {}", entity.family.key(), entity.id, entity.packs.join(" → "))?;
    let fields = why_fields(ready, entity, field)?;
    if fields.is_empty() {
        writeln!(out, "  {}:{}: no other pack changes it", entity.file, entity.line)?;
    }
    for path in fields {
        let writers = ready.loaded.writers(entity, &path);
        let title = if path.is_empty() { "the whole entity".to_owned() } else { path[1..].replace('/', ".") };
        writeln!(out, "  {bold}{title}{bold:#}")?;
        let widest = |length: fn(&FieldWriter) -> usize| writers.iter().map(length).max().unwrap_or(0);
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
        writeln!(out, "    {:wide$}  {:wider$}  {bold}{}{bold:#}", "", "result", shown(entity.json.pointer(&path)))?;
    }
    writeln!(out)?;
    Ok(())
}

fn place(writer: &FieldWriter) -> String {
    format!("{}:{}", writer.file, writer.line)
}

fn shown(value: Option<&Json>) -> String {
    value.map_or_else(|| "removed".to_owned(), flat)
}

fn why_json(ready: &OpenPacks, entity: &EntityInfo, field: &str) -> Result<Json> {
    let writer = |writer: FieldWriter| {
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

/// The face of a card in a frame.
fn boxed(ready: &OpenPacks, words: &Words, entity: &EntityInfo, title: &str, text: Option<&str>) -> Vec<Line> {
    let catalog = &ready.catalog;
    let design = (entity.family.key() == "cards").then(|| catalog.design(&entity.id)).flatten();
    let color = design
        .and_then(|design| catalog.designs[design.index()].faction)
        .map_or(Style::new(), |faction| style::color(&catalog.factions[faction.index()].color));
    let rule = "─".repeat(FACE + 2);
    let inside = |line: Line| {
        let mut row = Line::styled(color, "│ ");
        row.append(line.cut(FACE));
        row.pad(FACE + 2);
        row.push(color, " │");
        row
    };
    let mut lines = vec![Line::styled(color, format!("╭{rule}╮"))];
    let mut head = Line::styled(style::bold(), style::cut(title, FACE));
    if let Some(design) = design {
        let spec = &catalog.designs[design.index()];
        let id = catalog.symbols.name(spec.card_type.index());
        let kind = if words.is_named("type", id) { words.named("type", id) } else { humanize(id) };
        let copies = if spec.copies > 1 { format!("{kind} ×{}", spec.copies) } else { kind };
        let room = FACE.saturating_sub(Line::plain(copies.clone()).width());
        if head.width() + 1 < room {
            head.pad(room);
            head.push(style::dim(), copies);
            lines.push(inside(head));
        } else {
            lines.push(inside(head));
            lines.push(inside(Line::styled(style::dim(), copies)));
        }
    } else {
        let mut family = Line::styled(style::dim(), entity.family.key());
        let room = FACE.saturating_sub(family.width());
        if head.width() + 1 < room {
            head.pad(room);
            head.append(std::mem::take(&mut family));
        }
        lines.push(inside(head));
    }
    if let Some(text) = text {
        lines.push(Line::styled(color, format!("├{rule}┤")));
        lines.extend(style::wrap_framed(text, FACE).into_iter().map(|line| inside(Line::plain(line))));
    }
    let props = props::labels(ready, words, entity);
    if !props.is_empty() {
        lines.push(Line::styled(color, format!("├{rule}┤")));
        let wrapped = style::wrap(&props.join(" · "), FACE);
        lines.extend(wrapped.into_iter().map(|line| inside(Line::styled(style::dim(), line))));
    }
    lines.push(Line::styled(color, format!("╰{rule}╯")));
    lines
}

fn to_json(ready: &OpenPacks, words: &Words, entity: &EntityInfo) -> Json {
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
        .map(|hook| hook_name(&ready.catalog, hook))
        .collect();
    json!({
        "family": entity.family.key(), "id": entity.id, "title": title, "text": text, "hooks": hooks, "flow": flow,
        "file": entity.file, "line": entity.line, "packs": entity.packs, "entity": *entity.json,
    })
}

/// Whether any text in a JSON value equals the given text.
fn names(value: &Json, text: &str) -> bool {
    match value {
        Json::String(own) => own == text,
        Json::Array(list) => list.iter().any(|value| names(value, text)),
        Json::Object(map) => map.values().any(|value| names(value, text)),
        _ => false,
    }
}
