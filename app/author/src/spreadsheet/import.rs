//! Reads a table, and finds what it changes.

use std::collections::{BTreeMap, BTreeSet};

use principes_app::packs::OpenPacks;
use principes_findings::hint_for;
use principes_model::EntityInfo;
use serde_json::{Value as Json, json};

use super::cell::unguarded;
use super::csv::{SheetRow, TableError, read};
use super::table::{MAPS, Table, default, is_field, pointer};
use crate::edit::{Edit, text_digest};

/// A value that a table changes.
#[derive(Clone, Debug)]
pub struct Change {
    /// The id of the card.
    pub card: String,
    /// The name of the column.
    pub column: String,
    /// The row and the column of the cell.
    pub(super) place: (usize, usize),
    /// The cell as it would be written now.
    pub before: String,
    /// The cell for the new value.
    pub after: String,
    /// The edits that make the change.
    pub edits: Vec<Edit>,
}

/// What a table changes.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// The values.
    pub changes: Vec<Change>,
    /// The names of columns that are none of the table's, and are left out.
    pub own_columns: Vec<String>,
}

impl Import {
    /// The edits that make all changes.
    pub fn edits(&self) -> Vec<Edit> {
        self.changes.iter().flat_map(|change| change.edits.iter().cloned()).collect()
    }
}

/// What a table changes in the cards of a game. It may be in any form in which spreadsheets save it.
///
/// # Errors
/// Everything that is wrong with the table; then nothing of it can be used.
pub fn import(packs: &OpenPacks, bytes: &[u8]) -> Result<Import, Vec<TableError>> {
    let rows = read(bytes).map_err(|error| vec![error])?;
    let Some((head, rows)) = rows.split_first() else {
        let message = "the table is empty; `principes print --format csv` writes one";
        return Err(vec![TableError::at((1, 0), message)]);
    };
    let mut reader = Reader {
        table: Table::of(packs),
        columns: Vec::new(),
        errors: Vec::new(),
        import: Import::default(),
        digests: BTreeMap::new(),
        made: BTreeSet::new(),
    };
    let columns = reader.head(head);
    reader.columns = columns;
    if reader.errors.is_empty() {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for row in rows {
            reader.row(row, &mut seen);
        }
    }
    if reader.errors.is_empty() { Ok(reader.import) } else { Err(reader.errors) }
}

struct Reader<'p> {
    table: Table<'p>,
    /// The columns of the table in the sheet; none for those that are left out.
    columns: Vec<Option<String>>,
    errors: Vec<TableError>,
    import: Import,
    /// The digests of the files that change.
    digests: BTreeMap<usize, String>,
    /// Objects that edits have made: document and pointer.
    made: BTreeSet<(usize, String)>,
}

impl<'p> Reader<'p> {
    fn head(&mut self, head: &SheetRow) -> Vec<Option<String>> {
        let mut columns: Vec<Option<String>> = Vec::new();
        for (at, cell) in head.cells.iter().enumerate() {
            let name = unguarded(cell.trim());
            let known = self.column(name).unwrap_or_else(|message| {
                self.errors.push(TableError::at((head.number, at), message));
                None
            });
            if known.is_some() && columns.contains(&known) {
                self.errors.push(TableError::at((head.number, at), format!("duplicate column `{name}`")));
            } else if known.is_none() && !name.is_empty() {
                self.import.own_columns.push(name.to_owned());
            }
            columns.push(known);
        }
        if self.errors.is_empty() && !columns.iter().flatten().any(|column| column == "id") {
            let message = "the table has no column `id`, which names the card of each row";
            self.errors.push(TableError::at((head.number, 0), message));
        }
        columns
    }

    /// The column with a name; none if it is a column of the author's own.
    fn column(&self, name: &str) -> Result<Option<String>, String> {
        let known = &self.table.columns;
        let is_param = name.strip_prefix("params.").is_some_and(|name| !name.is_empty());
        if is_param || known.iter().any(|column| column == name) {
            return Ok(Some(name.to_owned()));
        }
        let near = hint_for(name, known.iter().map(String::as_str));
        match (near.is_empty(), name.contains('.')) {
            (true, false) => Ok(None),
            (true, true) => Err(format!("unknown column `{name}`; name your own columns without a dot")),
            _ => Err(format!("unknown column `{name}`{near}")),
        }
    }

    fn row(&mut self, row: &SheetRow, seen: &mut BTreeMap<String, usize>) {
        // Spreadsheets leave out empty cells at the end of a row.
        let cells = row.cells.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
        if let Some((at, cell)) = cells.clone().find(|(at, _)| *at >= self.columns.len()) {
            let message = format!("`{}` is in a column without a name; is the text before it in quotes?", cell.trim());
            return self.errors.push(TableError::at((row.number, at), message));
        }
        let is_used = |at: &usize| self.columns[*at].is_some();
        if !cells.clone().any(|(at, _)| is_used(&at)) {
            return;
        }
        let id_column = self.columns.iter().position(|column| column.as_deref() == Some("id")).unwrap_or_default();
        let place = (row.number, id_column);
        let id = unguarded(row.cells.get(id_column).map_or("", |cell| cell.trim()));
        let Some(card) = self.table.cards.get(id).copied() else {
            let near = hint_for(id, self.table.cards.keys().copied());
            let message = match id {
                "" => "this row has no id; every row must name its card".to_owned(),
                id => format!("unknown card `{id}`{near}; new cards are written in JSON"),
            };
            return self.errors.push(TableError::at(place, message));
        };
        if let Some(number) = seen.insert(id.to_owned(), row.number) {
            return self.errors.push(TableError::at(place, format!("`{id}` already has a row, row {number}")));
        }
        for (at, cell) in row.cells.iter().enumerate() {
            let Some(column) = self.columns[at].clone() else { continue };
            match self.change(card, &column, cell) {
                Ok(None) => {}
                Ok(Some((value, edits))) => self.import.changes.push(Change {
                    card: card.id.clone(),
                    place: (row.number, at),
                    before: self.table.cell(card, &column),
                    after: self.table.shown(card, &column, value.as_ref()),
                    column,
                    edits,
                }),
                Err(message) => {
                    let message = format!("`{column}` of `{}`: {message}", card.id);
                    self.errors.push(TableError::at((row.number, at), message));
                }
            }
        }
    }

    /// The new value and the edits for a cell that says something else than the files do; an error says why there are
    /// none.
    fn change(&mut self, card: &EntityInfo, column: &str, cell: &str) -> Result<Option<Changed>, String> {
        let kind = self.table.kind(card, column);
        let before = self.table.value(card, column);
        if cell == self.table.cell(card, column) || is_same(before.as_ref(), cell) {
            return Ok(None);
        }
        let value = kind.value(cell)?;
        if value.clone().or_else(|| default(kind, column)) == before {
            return Ok(None);
        }
        if column == "pack" {
            return Err("a table cannot move cards to other packs".to_owned());
        }
        let edits = match is_field(column) {
            true => self.field(card, column, value.as_ref())?,
            false => self.text(card, column, value.as_ref())?,
        };
        Ok(Some((value, edits)))
    }

    fn field(&mut self, card: &EntityInfo, column: &str, value: Option<&Json>) -> Result<Vec<Edit>, String> {
        self.known(column, value)?;
        let wrong = principes_json::schema::check("cards", &json!({ "cards": [changed(card, column, value)] }));
        if let Some(violation) = wrong.into_iter().next() {
            return Err(violation.help.into_iter().fold(violation.message, |all, help| format!("{all}; {help}")));
        }
        let path = pointer(column);
        let loaded = &self.table.packs.loaded;
        if let Some(patch) = loaded.writers(card, &path).into_iter().find(|writer| writer.file != card.file) {
            return Err(format!("a patch sets it; change it in {}:{}", patch.file, patch.line));
        }
        let (document, home) = (card.place.document, card.place.pointer.clone());
        if loaded.origins.documents.0[document].member(&home).is_some() {
            return Err(format!("it is one card of a series; change the entry in {}:{}", card.file, card.line));
        }
        let mut edits = Vec::new();
        let map = MAPS.iter().find(|map| column.starts_with(&format!("{map}.")));
        if let Some(map) = map.filter(|map| card.json.get(**map).is_none())
            && self.made.insert((document, format!("{home}/{map}")))
        {
            edits.push(self.edit(document, format!("{home}/{map}"), Some(json!({}))));
        }
        edits.push(self.edit(document, format!("{home}{path}"), value.cloned()));
        Ok(edits)
    }

    /// Whether the zone or the faction of a card exists.
    fn known(&self, column: &str, value: Option<&Json>) -> Result<(), String> {
        let catalog = &self.table.packs.catalog;
        let ids: Vec<&str> = match column {
            "zone" => catalog.zones.iter().map(|zone| zone.id.as_str()).collect(),
            "faction" => catalog.factions.iter().map(|faction| faction.id.as_str()).collect(),
            _ => return Ok(()),
        };
        match value.and_then(Json::as_str).filter(|id| !ids.contains(id)) {
            Some(id) => Err(format!("unknown {column} `{id}`{}", hint_for(id, ids.iter().copied()))),
            None => Ok(()),
        }
    }

    fn text(&mut self, card: &EntityInfo, column: &str, value: Option<&Json>) -> Result<Vec<Edit>, String> {
        let (rest, language) = column.rsplit_once('.').unwrap_or((column, ""));
        let known = self.table.message(card, column);
        if known.is_some_and(|message| message.key.contains('{')) {
            return Err("the text is that of a series; change it in its file, or write one for this card".to_owned());
        }
        // A new text goes where the card has others in the language.
        let home = known.or_else(|| self.table.any_message(card, language)).map(|message| message.document);
        let document =
            home.ok_or_else(|| format!("no file has texts of this card in `{language}`; write its title there first"))?;
        let key = known.map_or_else(|| format!("card.{}.{rest}", card.id), |message| message.key.clone());
        Ok(vec![self.edit(document, format!("/messages/{}", principes_json::escape(&key)), value.cloned())])
    }

    fn edit(&mut self, document: usize, pointer: String, value: Option<Json>) -> Edit {
        let loaded = &self.table.packs.loaded;
        let file = &loaded.origins.documents.0[document];
        let pack = loaded.packs[file.pack].manifest.id.to_string();
        let digest = self.digests.entry(document).or_insert_with(|| text_digest(&file.text)).clone();
        Edit { pack, path: file.path.clone(), digest, pointer, value }
    }
}

/// A new value, and the edits that write it.
type Changed = (Option<Json>, Vec<Edit>);

/// Whether a cell has exactly the text of a value, with or without the sign before it. Spreadsheets change the ends of
/// lines.
fn is_same(value: Option<&Json>, cell: &str) -> bool {
    let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    let cell = plain(cell);
    match value.and_then(Json::as_str).map(plain) {
        Some(text) => cell == text || unguarded(&cell) == text,
        None => false,
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
