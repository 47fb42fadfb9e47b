//! The live parts of rulebooks.

use principes_schemas::Family;
use serde_json::Value;

/// A number that the packs declare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberOf {
    /// A param of a card or rule: its id, and the name of the param.
    Param(String, String),
    /// A field of a counter: `min`, `max`, `start` or `supply`.
    Counter(String, String),
    /// A stat of a kind of pieces.
    Stat(String, String),
    /// A prop of an entity.
    Prop(Family, String, String),
    /// The number of a pin.
    Pin(String),
    /// How many entities of a family have these values; cards count with their copies.
    Count(Family, Vec<(String, String)>),
}

/// What explains itself in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelpOf {
    /// How the game is won: `pack.help`.
    Pack,
    /// What happens in a phase: `phase.<id>.help`.
    Phase(String),
    /// What a decision is about: `decision.<id>.help`.
    Decision(String),
}

impl HelpOf {
    /// The key of the message.
    pub fn key(&self) -> String {
        match self {
            HelpOf::Pack => "pack.help".to_owned(),
            HelpOf::Phase(id) => format!("phase.{id}.help"),
            HelpOf::Decision(id) => format!("decision.{id}.help"),
        }
    }
}

/// What stands between double braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LivePart {
    /// A number, within a line.
    Number(NumberOf),
    /// The title of a card, which opens the card.
    Card(String),
    /// The name of an entity.
    Name(Family, String),
    /// Drawn cards.
    Faces(Vec<String>),
    /// The text of a help.
    Help(HelpOf),
    /// A picture of the board: at the start of the game, or where a scenario begins.
    Board(Option<String>),
    /// A picture of the tracks.
    Tracks,
    /// What happens in a scenario.
    Example(String),
    /// All entities of a family with these values, as a table.
    Entities(Family, Vec<(String, String)>),
    /// The decisions and phases that the section explains, besides the one of its id.
    Explains(Vec<String>),
}

/// The live parts that stand within a line, as they are written.
pub const INLINE_PARTS: [&str; 8] = [
    "param ID NAME",
    "counter ID FIELD",
    "stat KIND NAME",
    "prop FAMILY ID NAME",
    "pin ID",
    "count FAMILY FIELD=VALUE …",
    "card ID",
    "name FAMILY ID",
];

/// The live parts that stand on lines of their own, as they are written.
pub const STANDALONE_PARTS: [&str; 9] = [
    "face ID …",
    "help pack",
    "help phase ID",
    "help decision ID",
    "board",
    "board SCENARIO",
    "tracks",
    "example SCENARIO",
    "table FAMILY FIELD=VALUE …",
];

/// The fields of counters that are numbers.
const COUNTER_FIELDS: [&str; 4] = ["min", "max", "start", "supply"];
/// The families that tables show.
const TABLES: [Family; 6] =
    [Family::Cards, Family::Rules, Family::Kinds, Family::Spaces, Family::Factions, Family::Counters];

/// The families whose names a text can show. Cards have a live part of their own; the message of a decision is a
/// question, and a prop is shown with its value.
fn named() -> Vec<Family> {
    let others = [Family::Cards, Family::Decisions, Family::Props];
    let has_name = |family: &Family| family.spec().texts.is_some() && !others.contains(family);
    Family::ALL.iter().copied().filter(has_name).collect()
}
/// The most cards in a row.
const MOST_FACES: usize = 6;

impl LivePart {
    /// Reads what stands between the braces.
    ///
    /// # Errors
    /// What is wrong, and how to fix it.
    pub fn parse(text: &str) -> Result<LivePart, (String, String)> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let own = |word: &&str| (*word).to_owned();
        let part = match words[..] {
            ["param", id, name] => LivePart::Number(NumberOf::Param(id.to_owned(), name.to_owned())),
            ["counter", id, field] if COUNTER_FIELDS.contains(&field) => {
                LivePart::Number(NumberOf::Counter(id.to_owned(), field.to_owned()))
            }
            ["counter", _, field] => {
                let help = format!("write one of: {}", COUNTER_FIELDS.join(", "));
                return Err((format!("counters have no number `{field}`"), help));
            }
            ["stat", kind, name] => LivePart::Number(NumberOf::Stat(kind.to_owned(), name.to_owned())),
            ["prop", of, id, name] => {
                LivePart::Number(NumberOf::Prop(family(of, Family::ALL)?, id.to_owned(), name.to_owned()))
            }
            ["pin", id] => LivePart::Number(NumberOf::Pin(id.to_owned())),
            ["count", of, ref filters @ ..] => {
                LivePart::Number(NumberOf::Count(family(of, &TABLES)?, all_filters(filters)?))
            }
            ["card", id] => LivePart::Card(id.to_owned()),
            ["name", of, id] => LivePart::Name(family(of, &named())?, id.to_owned()),
            ["face", ref ids @ ..] if (1..=MOST_FACES).contains(&ids.len()) => {
                LivePart::Faces(ids.iter().map(own).collect())
            }
            ["face", ..] => return Err((format!("a row has 1 to {MOST_FACES} cards"), "write another row".to_owned())),
            ["help", "pack"] => LivePart::Help(HelpOf::Pack),
            ["help", "phase", id] => LivePart::Help(HelpOf::Phase(id.to_owned())),
            ["help", "decision", id] => LivePart::Help(HelpOf::Decision(id.to_owned())),
            ["board"] => LivePart::Board(None),
            ["board", id] => LivePart::Board(Some(id.to_owned())),
            ["tracks"] => LivePart::Tracks,
            ["example", id] => LivePart::Example(id.to_owned()),
            ["table", of, ref filters @ ..] => LivePart::Entities(family(of, &TABLES)?, all_filters(filters)?),
            ["explains", ref ids @ ..] if !ids.is_empty() => LivePart::Explains(ids.iter().map(own).collect()),
            _ => return Err(unknown(&words)),
        };
        Ok(part)
    }

    /// Whether it stands on a line of its own.
    pub fn stands_alone(&self) -> bool {
        !matches!(self, LivePart::Number(_) | LivePart::Card(_) | LivePart::Name(..))
    }
}

fn unknown(words: &[&str]) -> (String, String) {
    let first = words.first().copied().unwrap_or_default();
    let all = INLINE_PARTS.iter().chain(&STANDALONE_PARTS).chain(&["explains ID …"]);
    let same: Vec<&str> = all.clone().filter(|form| form.split(' ').next() == Some(first)).copied().collect();
    let list = |forms: &[&str]| forms.iter().map(|form| format!("`{{{{{form}}}}}`")).collect::<Vec<_>>().join(", ");
    match same.is_empty() {
        false => (format!("this is not how `{first}` is written"), format!("write {}", list(&same))),
        true => (
            format!("unknown live part `{first}`"),
            format!("the live parts are: {}", list(&all.copied().collect::<Vec<_>>())),
        ),
    }
}

fn family(name: &str, allowed: &[Family]) -> Result<Family, (String, String)> {
    allowed.iter().copied().find(|family| [family.key(), family.singular()].contains(&name)).ok_or_else(|| {
        let keys: Vec<&str> = allowed.iter().map(|family| family.key()).collect();
        (format!("`{name}` is not a family that can be shown here"), format!("write one of: {}", keys.join(", ")))
    })
}

fn all_filters(filters: &[&str]) -> Result<Vec<(String, String)>, (String, String)> {
    filters.iter().map(|filter| filter_of(filter)).collect()
}

fn filter_of(filter: &str) -> Result<(String, String), (String, String)> {
    let (field, value) = filter
        .split_once('=')
        .ok_or_else(|| (format!("`{filter}` does not select anything"), "write FIELD=VALUE".to_owned()))?;
    Ok((field.to_owned(), value.to_owned()))
}

impl NumberOf {
    /// The entity that has the number, by family and id. Params belong to cards or rules.
    pub fn owner(&self) -> (&'static [Family], &str) {
        match self {
            NumberOf::Param(id, _) => (&[Family::Cards, Family::Rules], id),
            NumberOf::Counter(id, _) => (&[Family::Counters], id),
            NumberOf::Stat(id, _) => (&[Family::Kinds], id),
            NumberOf::Prop(family, id, _) => {
                let at = Family::ALL.iter().position(|known| known == family).unwrap_or_default();
                (&Family::ALL[at..=at], id)
            }
            NumberOf::Pin(id) => (&[Family::Pins], id),
            NumberOf::Count(..) => (&[], ""),
        }
    }

    /// The name of the number, for messages.
    pub fn name(&self) -> &str {
        match self {
            NumberOf::Param(_, name)
            | NumberOf::Counter(_, name)
            | NumberOf::Stat(_, name)
            | NumberOf::Prop(_, _, name) => name,
            NumberOf::Pin(_) | NumberOf::Count(..) => "is",
        }
    }

    /// The number in the JSON of its entity.
    pub fn find(&self, json: &Value) -> Option<i64> {
        let found = match self {
            NumberOf::Param(_, name) => json.get("params")?.get(name),
            NumberOf::Counter(_, field) => json.get(field),
            NumberOf::Stat(_, name) => json.get("stats")?.get(name),
            NumberOf::Prop(_, _, name) => {
                json.get("props").and_then(|props| props.get(name)).or_else(|| json.get(name))
            }
            NumberOf::Pin(_) => json.get("count").or_else(|| json.get("is")),
            NumberOf::Count(..) => None,
        };
        found?.as_i64()
    }

    /// The names of the numbers of an entity.
    pub fn names<'j>(&self, json: &'j Value) -> Vec<&'j str> {
        let of = match self {
            NumberOf::Param(..) => json.get("params"),
            NumberOf::Stat(..) => json.get("stats"),
            NumberOf::Prop(..) => json.get("props"),
            NumberOf::Counter(..) | NumberOf::Pin(_) | NumberOf::Count(..) => None,
        };
        of.and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_form_of_the_lists_is_read() {
        let filled = |form: &str| {
            form.replace("FIELD=VALUE …", "type=court")
                .replace(" …", " b c")
                .replace("FAMILY", "kinds")
                .replace("FIELD", "max")
                .replace("SCENARIO", "a-duel")
                .replace("KIND", "knight")
                .replace("NAME", "gold")
                .replace("ID", "levy")
        };
        for form in INLINE_PARTS {
            assert!(LivePart::parse(&filled(form)).is_ok_and(|live| !live.stands_alone()), "{form}");
        }
        for form in STANDALONE_PARTS {
            assert!(LivePart::parse(&filled(form)).is_ok_and(|live| live.stands_alone()), "{form}");
        }
        assert_eq!(LivePart::parse("explains a b"), Ok(LivePart::Explains(vec!["a".into(), "b".into()])));
    }

    #[test]
    fn what_is_no_live_part_says_what_would_be() {
        for (text, message) in [
            ("", "unknown live part ``"),
            ("gold", "unknown live part `gold`"),
            ("param levy", "this is not how `param` is written"),
            ("counter gold height", "counters have no number `height`"),
            ("name bots x", "`bots` is not a family that can be shown here"),
            ("table cards court", "`court` does not select anything"),
            ("face", "a row has 1 to 6 cards"),
            ("face a b c d e f g", "a row has 1 to 6 cards"),
            ("help me", "this is not how `help` is written"),
        ] {
            assert_eq!(LivePart::parse(text).unwrap_err().0, message, "{text}");
        }
    }

    #[test]
    fn numbers_are_found_where_they_are_declared() {
        let card = json!({ "params": { "gold": 3 }, "props": { "might": 2, "symbol": "sword" } });
        assert_eq!(NumberOf::Param("levy".into(), "gold".into()).find(&card), Some(3));
        assert_eq!(NumberOf::Param("levy".into(), "men".into()).find(&card), None);
        assert_eq!(NumberOf::Prop(Family::Cards, "levy".into(), "might".into()).find(&card), Some(2));
        assert_eq!(NumberOf::Prop(Family::Cards, "levy".into(), "symbol".into()).find(&card), None);
        assert_eq!(NumberOf::Pin("all".into()).find(&json!({ "count": 32 })), Some(32));
        assert_eq!(NumberOf::Pin("all".into()).find(&json!({ "sum": "might", "is": 4 })), Some(4));
    }
}
