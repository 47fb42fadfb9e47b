//! The cards of a game as a table for spreadsheets, and back: what was changed in the table becomes edits of single
//! values in files.

mod csv;

use std::collections::BTreeMap;

use principes_findings::hint_for;
use principes_model::EntityInfo;
use principes_source::FileRole;
use serde_json::{Value as Json, json};

use self::csv::{Cell, guarded, unguarded};
use crate::edit::{Edit, text_digest};
use crate::packs::OpenPacks;

/// The columns that every table has. The first two say which card a row is.
const FIXED: [&str; 6] = ["pack", "id", "type", "zone", "faction", "copies"];
/// The fields whose members have columns of their own.
const MAPS: [&str; 2] = ["params", "props"];
/// The longest table in bytes.
const MOST_BYTES: usize = 8 << 20;

/// Something wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// The column in letters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// A value that a table changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The id of the card.
    pub card: String,
    /// The name of the column.
    pub column: String,
    /// The cell as it would be written now.
    pub before: String,
    /// The cell of the table.
    pub after: String,
}

/// What a table changes.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// The values.
    pub changes: Vec<Change>,
    /// The edits that make the changes.
    pub edits: Vec<Edit>,
}

/// The cards of a game as a table: one row for each, with its numbers, properties and texts in all languages. Only
/// cards whose ids are wanted are in it.
pub fn export(packs: &OpenPacks, is_wanted: &dyn Fn(&str) -> bool) -> String {
    let table = Table::of(packs);
    let mut rows = vec![table.columns.clone()];
    for card in table.cards.iter().filter(|card| is_wanted(&card.id)) {
        rows.push(table.columns.iter().map(|column| table.cell(card, column)).collect());
    }
    csv::write(rows.iter().map(Vec::as_slice))
}

/// What a table changes in the cards of a game.
///
/// # Errors
/// Everything that is wrong with the table; then nothing of it can be used.
pub fn import(packs: &OpenPacks, text: &str) -> Result<Import, Vec<TableError>> {
    if text.len() > MOST_BYTES {
        let message = format!("the table has more than {} MiB; import it in parts", MOST_BYTES >> 20);
        return Err(vec![TableError { line: 1, column: 1, message }]);
    }
    let rows = csv::read(text)
        .map_err(|cell| vec![at(&cell, "the quotes of this cell are not closed, or text follows them")])?;
    let Some((head, rows)) = rows.split_first() else {
        return Err(vec![TableError {
            line: 1,
            column: 1,
            message: "the table is empty; `principes print --format csv` writes one".to_owned(),
        }]);
    };
    let table = Table::of(packs);
    let mut reader = Reader { table, head, errors: Vec::new(), import: Import::default(), made: Vec::new() };
    reader.head();
    if reader.errors.is_empty() {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for row in rows {
            reader.row(row, &mut seen);
        }
    }
    if reader.errors.is_empty() { Ok(reader.import) } else { Err(reader.errors) }
}

fn at(cell: &Cell, message: impl Into<String>) -> TableError {
    TableError { line: cell.line, column: cell.column, message: message.into() }
}

/// A message of a card.
struct Message {
    document: usize,
    key: String,
    value: Json,
}

/// What the cards of a game have, by columns.
struct Table<'p> {
    packs: &'p OpenPacks,
    cards: Vec<&'p EntityInfo>,
    columns: Vec<String>,
    /// Messages by card, the rest of their key, and language.
    messages: BTreeMap<(String, String, String), Message>,
}

impl<'p> Table<'p> {
    fn of(packs: &'p OpenPacks) -> Table<'p> {
        let cards: Vec<&EntityInfo> = packs
            .loaded
            .entities
            .iter()
            .filter(|entity| entity.family.key() == "cards" && entity.json.is_object())
            .collect();
        let messages = messages(packs, &cards);
        let mut columns: Vec<String> = FIXED.iter().map(|name| (*name).to_owned()).collect();
        let mut add = |column: String| {
            if !columns.contains(&column) {
                columns.push(column);
            }
        };
        for map in MAPS {
            let members = cards.iter().filter_map(|card| card.json.get(map)?.as_object()).flatten();
            members.for_each(|(name, _)| add(format!("{map}.{name}")));
        }
        let mut texts: Vec<&(String, String, String)> = messages.keys().collect();
        texts.sort_by_key(|(_, rest, language)| (order(rest), rest.clone(), language.clone()));
        texts.into_iter().for_each(|(_, rest, language)| add(format!("{rest}.{language}")));
        Table { packs, cards, columns, messages }
    }

    /// What a cell says.
    fn cell(&self, card: &EntityInfo, column: &str) -> String {
        match column {
            "pack" => card.packs.first().cloned().unwrap_or_default(),
            "copies" => card.json.get(column).map_or_else(|| "1".to_owned(), shown),
            _ if is_field(column) => card.json.pointer(&pointer(column)).map_or_else(String::new, shown),
            _ => self.message(card, column).map_or_else(String::new, |message| shown(&message.value)),
        }
    }

    fn message(&self, card: &EntityInfo, column: &str) -> Option<&Message> {
        let (rest, language) = column.rsplit_once('.')?;
        self.messages.get(&(card.id.clone(), rest.to_owned(), language.to_owned()))
    }
}

/// Titles come first, then texts.
fn order(rest: &str) -> usize {
    ["title", "text", "flavor"].iter().position(|known| *known == rest).unwrap_or(3)
}

/// The messages of cards; of several for one key the last one is shown.
fn messages(packs: &OpenPacks, cards: &[&EntityInfo]) -> BTreeMap<(String, String, String), Message> {
    let mut all: BTreeMap<_, Message> = BTreeMap::new();
    let documents = &packs.loaded.origins.documents.0;
    let pack_of = |document: usize| documents[document].pack;
    let members: Vec<_> =
        cards.iter().filter_map(|card| documents.get(card.place.document)?.member(&card.place.pointer)).collect();
    for (document, file) in documents.iter().enumerate() {
        let FileRole::Messages(language) = FileRole::of(&file.path) else { continue };
        let messages = file.value.get("messages").and_then(Json::as_object).into_iter().flatten();
        for (key, value) in messages {
            let filled: Vec<String> = match key.contains('{') {
                true => members.iter().filter_map(|member| member.fill(key)).collect(),
                false => vec![key.clone()],
            };
            for filled in filled {
                let id_of = |rest: &str| rest.split_once('.').map(|(id, rest)| (id.to_owned(), rest.to_owned()));
                let Some((id, rest)) = filled.strip_prefix("card.").and_then(id_of) else { continue };
                let is_own = |known: &Message| !known.key.contains('{') && file.pack == pack_of(known.document);
                let known = all.get(&(id.clone(), rest.clone(), language.to_owned()));
                // A message of one card wins against one of its series.
                let wins = !key.contains('{') || !known.is_some_and(is_own);
                if wins && cards.iter().any(|card| card.id == id) {
                    let message = Message { document, key: key.clone(), value: value.clone() };
                    all.insert((id, rest, language.to_owned()), message);
                }
            }
        }
    }
    all
}

/// Whether a column is a field of a card, and not a text.
fn is_field(column: &str) -> bool {
    FIXED.contains(&column) || MAPS.iter().any(|map| column.strip_prefix(map).is_some_and(|rest| rest.starts_with('.')))
}

fn pointer(column: &str) -> String {
    match column.split_once('.') {
        Some((map, name)) => format!("/{map}/{}", principes_json::escape(name)),
        None => format!("/{column}"),
    }
}

/// A card with another value in a column; none takes the field away.
fn changed(card: &EntityInfo, column: &str, value: Option<&Json>) -> Json {
    let mut card = Json::clone(&card.json);
    let (holder, name) = match column.split_once('.') {
        Some((map, name)) => (&mut card[map], name),
        None => (&mut card, column),
    };
    match value {
        Some(value) => holder[name] = value.clone(),
        None => {
            holder.as_object_mut().map(|holder| holder.remove(name));
        }
    }
    card
}

fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => guarded(text),
        Json::Null => String::new(),
        other => other.to_string(),
    }
}

struct Reader<'r> {
    table: Table<'r>,
    head: &'r [Cell],
    errors: Vec<TableError>,
    import: Import,
    /// Objects that edits have made: document and pointer.
    made: Vec<(usize, String)>,
}

impl<'r> Reader<'r> {
    fn head(&mut self) {
        for (at_column, cell) in self.head.iter().enumerate() {
            let is_new = !self.head[..at_column].iter().any(|other| other.text == cell.text);
            let is_param = cell.text.strip_prefix("params.").is_some_and(|name| !name.is_empty());
            if !is_new {
                self.errors.push(at(cell, format!("duplicate column `{}`", cell.text)));
            } else if !self.table.columns.contains(&cell.text) && !is_param {
                let near = hint_for(&cell.text, self.table.columns.iter().map(String::as_str));
                self.errors.push(at(cell, format!("unknown column `{}`{near}", cell.text)));
            }
        }
        if !self.head.iter().any(|cell| cell.text == "id") {
            self.errors.push(at(&self.head[0], "the table has no column `id`, which names the card of each row"));
        }
    }

    fn row(&mut self, row: &'r [Cell], seen: &mut BTreeMap<&'r str, usize>) {
        if row.len() != self.head.len() {
            let message = format!("this row has {} cells, but the first has {}", row.len(), self.head.len());
            return self.errors.push(at(&row[0], message));
        }
        let Some(id) = self.head.iter().zip(row).find(|(column, _)| column.text == "id").map(|(_, cell)| cell) else {
            return;
        };
        let Some(card) = self.table.cards.iter().copied().find(|card| card.id == id.text) else {
            let near = hint_for(&id.text, self.table.cards.iter().map(|card| card.id.as_str()));
            return self
                .errors
                .push(at(id, format!("unknown card `{}`{near}; new cards are written in JSON", id.text)));
        };
        if let Some(line) = seen.insert(&id.text, id.line) {
            return self.errors.push(at(id, format!("`{}` already has a row, on line {line}", id.text)));
        }
        for (column, cell) in self.head.iter().zip(row) {
            let before = self.table.cell(card, &column.text);
            if cell.text != before
                && let Err(message) = self.change(card, &column.text, &cell.text)
            {
                self.errors.push(at(cell, format!("`{}` of `{}`: {message}", column.text, card.id)));
            } else if cell.text != before {
                let (card, column, after) = (card.id.clone(), column.text.clone(), cell.text.clone());
                self.import.changes.push(Change { card, column, before, after });
            }
        }
    }

    /// Notes the edit for a cell that says something else than the files do; an error says why there is none.
    fn change(&mut self, card: &EntityInfo, column: &str, text: &str) -> Result<(), String> {
        if column == "pack" {
            return Err("a table cannot move cards to other packs".to_owned());
        }
        if !is_field(column) {
            return self.change_text(card, column, text);
        }
        let path = pointer(column);
        let value = self.value(card, column, text)?;
        let wrong =
            principes_json::schema::check("cards", &json!({ "cards": [changed(card, column, value.as_ref())] }));
        if let Some(violation) = wrong.into_iter().next() {
            return Err(violation.help.into_iter().fold(violation.message, |all, help| format!("{all}; {help}")));
        }
        let loaded = &self.table.packs.loaded;
        if let Some(patch) = loaded.writers(card, &path).into_iter().find(|writer| writer.file != card.file) {
            return Err(format!("a patch sets it; change it in {}:{}", patch.file, patch.line));
        }
        let (document, home) = (card.place.document, card.place.pointer.clone());
        if loaded.origins.documents.0[document].member(&home).is_some() {
            return Err(format!("it is one card of a series; change the entry in {}:{}", card.file, card.line));
        }
        let map = MAPS.iter().find(|map| column.starts_with(&format!("{map}.")));
        if let Some(map) = map.filter(|map| card.json.get(**map).is_none()) {
            let made = (document, format!("{home}/{map}"));
            if !self.made.contains(&made) {
                self.edit(document, made.1.clone(), Some(json!({})));
                self.made.push(made);
            }
        }
        self.edit(document, format!("{home}{path}"), value);
        Ok(())
    }

    fn change_text(&mut self, card: &EntityInfo, column: &str, text: &str) -> Result<(), String> {
        let (rest, language) = column.rsplit_once('.').unwrap_or((column, ""));
        let known = self.table.message(card, column);
        let value = match known.map(|message| &message.value) {
            _ if text.is_empty() => None,
            Some(Json::Object(_)) => {
                let forms = serde_json::from_str(text).ok().filter(Json::is_object);
                Some(forms.ok_or("expected plural forms as JSON, such as `{\"one\": \"…\", \"other\": \"…\"}`")?)
            }
            _ => Some(json!(unguarded(text))),
        };
        if known.is_some_and(|message| message.key.contains('{')) {
            return Err("the text is that of a series; change it in its file, or write one for this card".to_owned());
        }
        // A new text goes where the card has others in the language.
        let beside = self.table.messages.iter().find(|((id, _, code), _)| *id == card.id && code == language);
        let home = known.or(beside.map(|(_, message)| message));
        let document = home.map(|message| message.document);
        let document = document
            .ok_or_else(|| format!("no file has texts of this card in `{language}`; write its title there first"))?;
        let key = known.map_or_else(|| format!("card.{}.{rest}", card.id), |message| message.key.clone());
        self.edit(document, format!("/messages/{}", principes_json::escape(&key)), value);
        Ok(())
    }

    /// The value that a cell means; none takes the field away.
    fn value(&self, card: &EntityInfo, column: &str, text: &str) -> Result<Option<Json>, String> {
        let catalog = &self.table.packs.catalog;
        let number = || text.parse::<i64>().map_err(|_| format!("expected a whole number, found `{text}`"));
        let known = |what: &str, ids: Vec<&str>| match ids.contains(&text) {
            true => Ok(Some(json!(text))),
            false => Err(format!("unknown {what} `{text}`{}", hint_for(text, ids.iter().copied()))),
        };
        match column {
            "copies" => Ok(Some(json!(number()?))),
            "type" if text.is_empty() => Err("a card needs a type".to_owned()),
            "zone" => known("zone", catalog.zones.iter().map(|zone| zone.id.as_str()).collect()),
            "faction" if !text.is_empty() => {
                known("faction", catalog.factions.iter().map(|faction| faction.id.as_str()).collect())
            }
            _ if text.is_empty() => Ok(None),
            _ if column.starts_with("params.") => Ok(Some(json!(number()?))),
            _ => match card.json.pointer(&pointer(column)) {
                Some(Json::Number(_)) => Ok(Some(json!(number()?))),
                Some(Json::Bool(_)) => {
                    let value = text.parse::<bool>();
                    Ok(Some(json!(value.map_err(|_| format!("expected `true` or `false`, found `{text}`"))?)))
                }
                Some(Json::Array(_) | Json::Object(_)) => {
                    let value: Option<Json> = serde_json::from_str(text).ok();
                    Ok(Some(value.ok_or_else(|| format!("expected a list or an object in JSON, found `{text}`"))?))
                }
                Some(_) => Ok(Some(json!(unguarded(text)))),
                // Nothing is there to compare with: what looks like a number is one.
                None => Ok(Some(serde_json::from_str(text).unwrap_or_else(|_| json!(unguarded(text))))),
            },
        }
    }

    fn edit(&mut self, document: usize, pointer: String, value: Option<Json>) {
        let loaded = &self.table.packs.loaded;
        let file = &loaded.origins.documents.0[document];
        let pack = loaded.packs[file.pack].manifest.id.to_string();
        self.import.edits.push(Edit { pack, path: file.path.clone(), digest: text_digest(&file.text), pointer, value });
    }
}
