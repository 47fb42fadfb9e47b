//! The families of content files and their schemas.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::*;

macro_rules! families {
    ($($(#[doc = $doc:literal])* $name:ident $file:ident $key:ident: $item:ty;)*) => {
        /// A family of content files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Family {
            $($(#[doc = $doc])* $name,)*
        }

        impl Family {
            /// All families, in the order in which they are listed for users.
            pub const ALL: &[Family] = &[$(Family::$name),*];

            /// The key that marks a file of this family.
            pub fn key(self) -> &'static str {
                match self { $(Family::$name => stringify!($key)),* }
            }

            /// The schema of a file of this family.
            pub fn schema(self) -> Value {
                match self { $(Family::$name => schema_of::<$file>(stringify!($key))),* }
            }

            /// Whether a file of this family can be read as its type.
            ///
            /// # Errors
            /// The error of the type. A value that fits the schema is never refused.
            pub fn fits(self, file: &Value) -> Result<(), serde_json::Error> {
                match self { $(Family::$name => $file::deserialize(file).map(drop)),* }
            }
        }

        $(
            $(#[doc = $doc])*
            #[derive(Clone, Debug, Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $file {
                /// The path of the schema, for editors.
                #[serde(rename = "$schema", default)]
                pub schema: Option<String>,
                /// The entities of the file.
                pub $key: $item,
            }
        )*
    };
}

families! {
    /// Factions: the powers of the game, playable ones in seat order.
    Factions FactionsFile factions: Vec<Faction>;
    /// Spaces of the board.
    Spaces SpacesFile spaces: Vec<Space>;
    /// Kinds of pieces and how many of each the box holds.
    Kinds KindsFile kinds: Vec<Kind>;
    /// Counters, tracks and setup options.
    Counters CountersFile counters: Vec<Counter>;
    /// Zones: places for cards.
    Zones ZonesFile zones: Vec<Zone>;
    /// Props: the properties that entities may have, and their keywords.
    Props PropsFile props: Vec<Prop>;
    /// Card designs.
    Cards CardsFile cards: Vec<CardEntry>;
    /// Rules: hooks that are live without a card.
    Rules RulesFile rules: Vec<Rule>;
    /// Hook points.
    Points PointsFile points: Vec<Point>;
    /// Decisions: what seats can be asked, and the keywords of their options.
    Decisions DecisionsFile decisions: Vec<Decision>;
    /// Phases: the flow of the game, in one file.
    Phases PhasesFile phases: Vec<Phase>;
    /// Settings of the kernel's procedures.
    Procedures ProceduresFile procedures: Vec<Procedure>;
    /// Variants: named sets of setup options.
    Variants VariantsFile variants: Vec<Variant>;
    /// Messages: every text that players see, a file for each language.
    Messages MessagesFile messages: MessageTexts;
    /// Looks: what the things of the game look like.
    Looks LooksFile looks: Vec<Look>;
    /// Promises: what the designer says about the balance of the game.
    Promises PromisesFile promises: Vec<Promises>;
    /// Bots: players that have learned the game.
    Bots BotsFile bots: Vec<Bot>;
    /// Pins: counts and sums that must be right.
    Pins PinsFile pins: Vec<Pin>;
    /// Patches: changes to entities of earlier packs.
    Patches PatchesFile patches: Vec<Patch>;
    /// Scenarios: given, when, then.
    Scenarios ScenariosFile scenarios: Vec<Scenario>;
}

impl Family {
    /// The family that has this key, if any.
    pub fn with_key(key: &str) -> Option<Family> {
        Family::ALL.iter().copied().find(|family| family.key() == key)
    }

    /// What message keys and command lines call one entity, such as `card`: the key without its last `s`.
    pub fn singular(self) -> &'static str {
        self.key().strip_suffix('s').unwrap_or(self.key())
    }
}

/// Every schema with its name: `pack`, `content` for files of several families, then one for each family. The file is `<name>.schema.json`.
pub fn all() -> Vec<(&'static str, Value)> {
    let families = Family::ALL.iter().map(|family| (family.key(), family.schema()));
    [("pack", pack_schema()), ("content", content_schema())].into_iter().chain(families).collect()
}

/// The schema of a file that may hold several families: all except messages and scenarios, which have separate files.
pub fn content_schema() -> Value {
    let mut all = Map::new();
    let shares = |family: &&Family| !matches!(family, Family::Messages | Family::Scenarios);
    for family in Family::ALL.iter().filter(shares) {
        let Value::Object(schema) = family.schema() else { continue };
        for (part, value) in schema {
            match (all.get_mut(&part), value) {
                (Some(Value::Object(known)), Value::Object(more)) => known.extend(more),
                (_, value) => drop(all.insert(part, value)),
            }
        }
    }
    all.remove("required");
    all.insert("$id".to_owned(), "content.schema.json".into());
    all.insert("title".to_owned(), "ContentFile".into());
    let description = "Entities of one family or several.";
    all.insert("description".to_owned(), description.into());
    all.insert("markdownDescription".to_owned(), description.into());
    // A file with only `$schema` is not a content file.
    all.insert(
        "anyOf".to_owned(),
        Family::ALL.iter().filter(shares).map(|f| json!({ "required": [f.key()] })).collect(),
    );
    sorted(Value::Object(all))
}

/// The schema of `pack.json`.
pub fn pack_schema() -> Value {
    schema_of::<Pack>("pack")
}

/// A schema as text, as it is written to a file.
pub fn print(schema: &Value) -> String {
    let mut text = serde_json::to_string_pretty(schema).unwrap_or_default();
    text.push('\n');
    text
}

fn schema_of<T: JsonSchema>(name: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(tidy));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), format!("{name}.schema.json").into());
    sorted(schema.to_value())
}

/// Adapts generated schemas to readers and editors: bounds instead of integer formats, no null where a field can
/// simply be omitted, descriptions that editors render.
fn tidy(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::String(format)) = object.get("format").cloned()
        && let Some((min, max)) = integer_bounds(&format)
    {
        object.remove("format");
        object.entry("minimum").or_insert_with(|| min.into());
        object.entry("maximum").or_insert_with(|| max.into());
    }
    let may_be_nobody = object.get("x-ref").is_some_and(|family| family != "scripts");
    if object.remove("x-null").is_none() && !may_be_nobody {
        drop_null(object);
    }
    // A default of null only repeats that the field may be omitted.
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(text) = object.get("description").cloned() {
        object.insert("markdownDescription".to_owned(), text);
    }
}

fn integer_bounds(format: &str) -> Option<(i64, i64)> {
    Some(match format {
        "uint8" => (0, i64::from(u8::MAX)),
        "uint16" => (0, i64::from(u16::MAX)),
        "uint32" => (0, i64::from(u32::MAX)),
        // Seeds must be exact as a double, because scripts and spreadsheets read them.
        "uint64" => (0, 1 << 53),
        "int16" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "int32" => (i64::from(LEAST_WHOLE), i64::from(i32::MAX)),
        _ => return None,
    })
}

fn drop_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    let is_null = |branch: &Value| branch.get("type").is_some_and(|name| name == "null");
    if let Some(Value::Array(branches)) = object.get_mut("anyOf")
        && branches.iter().any(is_null)
    {
        branches.retain(|branch| !is_null(branch));
        if branches.len() == 1
            && let Some(Value::Object(only)) = branches.pop()
        {
            object.remove("anyOf");
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
        }
    }
}

/// Sorts keys at every level, even if another crate enables `preserve_order` of serde_json.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.into_iter().collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(entries.into_iter().map(|(key, value)| (key, sorted(value))).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(sorted).collect()),
        other => other,
    }
}
