//! What the cards of a game have, by the columns of a table.

use std::collections::BTreeMap;

use principes_app::packs::OpenPacks;
use principes_model::{EntityInfo, Prop, PropOwner, PropType};
use principes_source::FileRole;
use serde_json::{Value as Json, json};

use super::cell::{FLAGS, flag, guarded, is_failure, unguarded, whole};

/// The columns that every table has. The first two say which card a row is.
const FIXED: [&str; 6] = ["pack", "id", "type", "zone", "faction", "copies"];
/// The fields whose members have columns of their own.
pub const MAPS: [&str; 2] = ["params", "props"];

/// Where a text of a card is, and what it says.
pub struct CardMessage {
    /// Position of its file.
    pub document: usize,
    /// As the file writes it.
    pub key: String,
    /// The text, or its plural forms.
    pub value: Json,
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// A whole number.
    Number,
    /// True or false.
    Flag,
    /// A name: an id or a keyword.
    Word,
    /// A text for players.
    Text,
    /// Plural forms.
    Forms,
}

impl CellKind {
    /// What a cell says; none if it is empty.
    ///
    /// # Errors
    /// Why it says nothing of this kind.
    pub fn value(self, cell: &str) -> Result<Option<Json>, String> {
        let trimmed = cell.trim();
        if trimmed.is_empty() {
            return Ok(None);
        }
        if is_failure(trimmed) {
            let help = "write the text; a `'` before it keeps the spreadsheet from calculating";
            return Err(format!("`{trimmed}` is an error of the spreadsheet; {help}"));
        }
        let value = match self {
            CellKind::Number => json!(whole(trimmed)?),
            CellKind::Flag => json!(flag(trimmed).ok_or_else(|| format!("expected `yes` or `no`, found `{trimmed}`"))?),
            CellKind::Word => json!(unguarded(trimmed)),
            CellKind::Text => json!(unguarded(&trimmed.replace("\r\n", "\n").replace('\r', "\n"))),
            CellKind::Forms => {
                let forms: Option<Json> = serde_json::from_str(trimmed).ok().filter(Json::is_object);
                forms.ok_or("expected plural forms as JSON, such as `{\"one\": \"…\", \"other\": \"…\"}`")?
            }
        };
        Ok(Some(value))
    }
}

/// The table of a game.
pub struct Table<'p> {
    /// The game.
    pub packs: &'p OpenPacks,
    /// The cards by id, with their order.
    pub cards: BTreeMap<&'p str, &'p EntityInfo>,
    /// The cards in the order of their files.
    pub in_order: Vec<&'p EntityInfo>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// Messages by card, language, and the rest of their key.
    messages: BTreeMap<(String, String, String), CardMessage>,
    /// The types of declared props: by name, with the types of cards that have them.
    props: BTreeMap<&'p str, Vec<&'p Prop>>,
}

impl<'p> Table<'p> {
    /// The table of a game.
    pub fn of(packs: &'p OpenPacks) -> Table<'p> {
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
        let mut texts: Vec<(&String, &String)> = messages.keys().map(|(_, language, rest)| (rest, language)).collect();
        texts.sort_by_key(|(rest, language)| (order(rest), *rest, *language));
        texts.dedup();
        texts.into_iter().for_each(|(rest, language)| add(format!("{rest}.{language}")));
        let mut props: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for prop in packs.loaded.props.iter().filter(|prop| prop.of == PropOwner::Cards) {
            props.entry(prop.key()).or_default().push(&**prop);
        }
        let by_id = cards.iter().map(|card| (card.id.as_str(), *card)).collect();
        Table { packs, cards: by_id, in_order: cards, columns, messages, props }
    }

    /// What a cell holds.
    pub fn kind(&self, card: &EntityInfo, column: &str) -> CellKind {
        if !is_field(column) {
            let is_forms = self.message(card, column).is_some_and(|message| message.value.is_object());
            return if is_forms { CellKind::Forms } else { CellKind::Text };
        }
        let Some(key) = column.strip_prefix("props.") else {
            return if column == "copies" || column.starts_with("params.") { CellKind::Number } else { CellKind::Word };
        };
        let group = card.json["type"].as_str().unwrap_or_default();
        let named = self.props.get(key).map_or(&[][..], Vec::as_slice);
        // If cards of this type may not have the prop, the check of the result says so.
        let prop = named.iter().find(|prop| prop.is_for(group)).or(named.first());
        match prop.map(|prop| prop.value) {
            Some(PropType::Number) => CellKind::Number,
            Some(PropType::Flag) => CellKind::Flag,
            _ => CellKind::Word,
        }
    }

    /// The value in the files, or its default.
    pub fn value(&self, card: &EntityInfo, column: &str) -> Option<Json> {
        let own = match column {
            "pack" => card.packs.first().map(|pack| json!(pack)),
            _ if is_field(column) => card.json.pointer(&pointer(column)).filter(|value| !value.is_null()).cloned(),
            _ => self.message(card, column).map(|message| message.value.clone()),
        };
        own.or_else(|| default(self.kind(card, column), column))
    }

    /// What a cell says of a value.
    pub fn shown(&self, card: &EntityInfo, column: &str, value: Option<&Json>) -> String {
        match value {
            Some(Json::String(text)) => guarded(text),
            Some(Json::Bool(false)) if card.json.pointer(&pointer(column)).is_none() => String::new(),
            Some(Json::Bool(flag)) => FLAGS[usize::from(*flag)].to_owned(),
            None | Some(Json::Null) => String::new(),
            Some(other) => other.to_string(),
        }
    }

    /// What a cell of the table says.
    pub fn cell(&self, card: &EntityInfo, column: &str) -> String {
        self.shown(card, column, self.value(card, column).as_ref())
    }

    /// The text in a column.
    pub fn message(&self, card: &EntityInfo, column: &str) -> Option<&CardMessage> {
        let (rest, language) = column.rsplit_once('.')?;
        self.messages.get(&(card.id.clone(), language.to_owned(), rest.to_owned()))
    }

    /// Any text of a card in a language.
    pub fn any_message(&self, card: &EntityInfo, language: &str) -> Option<&CardMessage> {
        let first = (card.id.clone(), language.to_owned(), String::new());
        let found = self.messages.range(first..).next();
        found.filter(|((id, code, _), _)| *id == card.id && code == language).map(|(_, message)| message)
    }
}

/// What leaving a field out means.
pub fn default(kind: CellKind, column: &str) -> Option<Json> {
    match kind {
        CellKind::Flag => Some(json!(false)),
        _ if column == "copies" => Some(json!(1)),
        _ => None,
    }
}

/// Titles come first, then texts.
fn order(rest: &str) -> usize {
    ["title", "text", "flavor"].iter().position(|known| *known == rest).unwrap_or(3)
}

/// The messages of cards; of several for one key the last one is shown.
fn messages(packs: &OpenPacks, cards: &[&EntityInfo]) -> BTreeMap<(String, String, String), CardMessage> {
    let mut all: BTreeMap<_, CardMessage> = BTreeMap::new();
    let documents = &packs.loaded.origins.documents.0;
    let pack_of = |document: usize| documents[document].pack;
    let ids: std::collections::BTreeSet<&str> = cards.iter().map(|card| card.id.as_str()).collect();
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
                let is_own = |known: &CardMessage| !known.key.contains('{') && file.pack == pack_of(known.document);
                let known = all.get(&(id.clone(), language.to_owned(), rest.clone()));
                // A message of one card wins against one of its series.
                let wins = !key.contains('{') || !known.is_some_and(is_own);
                if wins && ids.contains(id.as_str()) {
                    let message = CardMessage { document, key: key.clone(), value: value.clone() };
                    all.insert((id, language.to_owned(), rest), message);
                }
            }
        }
    }
    all
}

/// Whether a column is a field of a card, and not a text.
pub fn is_field(column: &str) -> bool {
    FIXED.contains(&column) || MAPS.iter().any(|map| column.strip_prefix(map).is_some_and(|rest| rest.starts_with('.')))
}

/// The pointer to a field inside of a card.
pub fn pointer(column: &str) -> String {
    match column.split_once('.') {
        Some((map, name)) => format!("/{map}/{}", principes_json::escape(name)),
        None => format!("/{column}"),
    }
}
