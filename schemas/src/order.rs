//! The order in which people write the fields of an object: as its type declares them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, Error, IntoDeserializer as _};

use crate::*;

/// The names of fields in order.
pub type FieldOrder = &'static [&'static str];

/// The fields of a shape in order. A shape is a definition by its name, a file by its title, or a variant such as
/// `Procedure/battle`. `None` if the shape is not declared.
pub fn field_order(shape: &str) -> Option<FieldOrder> {
    static ORDERS: LazyLock<BTreeMap<String, FieldOrder>> = LazyLock::new(orders);
    ORDERS.get(shape).copied()
}

macro_rules! orders {
    ($($shape:ty),* $(,)?) => {
        [$((<$shape>::schema_name().into_owned(), fields::<$shape>(None))),*]
    };
}

fn orders() -> BTreeMap<String, FieldOrder> {
    let mut orders: BTreeMap<_, _> = orders![
        AllowedWarning,
        BattleStep,
        Card,
        ControlScore,
        Derived,
        Edge,
        EditCard,
        EditClear,
        EditCounter,
        EditPlace,
        EditRemove,
        ExpectCard,
        ExpectControl,
        ExpectCounter,
        ExpectError,
        ExpectHides,
        ExpectLogged,
        ExpectOffered,
        ExpectOutcome,
        ExpectPending,
        ExpectPieces,
        ExpectRefused,
        ExpectSees,
        ExpectZone,
        Grid,
        HookChange,
        Pack,
        PendingFilter,
        PieceFilter,
        PromiseRange,
        PluralText,
        Provenance,
        PhaseDecision,
        RankedHook,
        RunHook,
        RunPerform,
        RunPhase,
        Seats,
        SightOfCard,
        SightOfCounter,
        SightOfSpace,
        SightOfZone,
        SpaceFilter,
        StartPieces,
        StepAside,
        StepCall,
        StepChoose,
        StepEdit,
        StepExpect,
        StepUndo,
        Supply,
        Tile,
    ]
    .into();
    orders.extend(Family::ALL.iter().filter_map(|family| family.order()));
    orders.extend(looks());
    orders.extend(orders![CardSeries, SeriesPart, Training]);
    // The type of a face accepts any other field as a value, so its error lists no fields.
    orders.insert(Face::schema_name().into_owned(), &["id", "opposite"]);
    for variant in ["control", "movement", "battle", "fog", "tiles", "asides"] {
        orders.insert(format!("{}/{variant}", Procedure::schema_name()), fields::<Procedure>(Some(variant)));
    }
    orders
}

/// What a file of one family holds.
pub(crate) trait HasOrder {
    /// The shape of the entities with its fields in order; `None` if they have several shapes or none.
    fn order() -> Option<(String, FieldOrder)>;
}

impl<T: JsonSchema + DeserializeOwned> HasOrder for Vec<T> {
    fn order() -> Option<(String, FieldOrder)> {
        Some((T::schema_name().into_owned(), fields::<T>(None))).filter(|(_, fields)| !fields.is_empty())
    }
}

impl HasOrder for MessageTexts {
    fn order() -> Option<(String, FieldOrder)> {
        None
    }
}

/// The shapes of looks.
fn looks() -> [(String, FieldOrder); 10] {
    orders![CardLook, Emblem, FactionLook, Font, Fonts, KeywordLook, PropLook, Shade, SpaceLook, TypeLook]
}

/// The fields of a type, or of its variant with this `id`, as listed in the error about an unknown field.
fn fields<T: DeserializeOwned>(variant: Option<&'static str>) -> FieldOrder {
    let members = variant.map(|id| ("id", id)).into_iter().chain([("", "")]);
    let members: MapDeserializer<'_, _, Expected> =
        MapDeserializer::new(members.map(|(key, value)| (key, value.into_deserializer())));
    T::deserialize(members).err().map_or(&[], |expected| expected.0)
}

/// An error about an unknown field, reduced to the known fields.
#[derive(Debug)]
struct Expected(FieldOrder);

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected one of {:?}", self.0)
    }
}

impl std::error::Error for Expected {}

impl Error for Expected {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Expected(&[])
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        Expected(expected)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_object_of_the_schemas_has_an_order() {
        let mut seen = BTreeSet::new();
        for (_, schema) in all() {
            let root = schema["title"].as_str().unwrap_or_default().to_owned();
            let shapes = schema["$defs"].as_object().into_iter().flatten().map(|(name, shape)| (name.clone(), shape));
            for (name, shape) in shapes.chain([(root, &schema)]) {
                let branches = shape["oneOf"].as_array().into_iter().flatten().filter_map(|branch| {
                    Some((format!("{name}/{}", branch["properties"]["id"]["const"].as_str()?), branch))
                });
                for (name, shape) in branches.chain([(name.clone(), shape)]) {
                    let Some(fields) = shape["properties"].as_object() else { continue };
                    if name.ends_with("File") {
                        continue;
                    }
                    let order = field_order(&name).unwrap_or_else(|| panic!("`{name}` has no order"));
                    let tag = name.contains('/').then_some("id");
                    let known: BTreeSet<&str> = order.iter().copied().chain(tag).collect();
                    let declared: BTreeSet<&str> = fields.keys().map(String::as_str).collect();
                    assert_eq!(known, declared, "{name}");
                    seen.insert(name);
                }
            }
        }
        assert!(seen.contains("Card") && seen.contains("Pack") && seen.contains("Procedure/battle"), "{seen:?}");
    }

    #[test]
    fn fields_have_the_order_of_their_declaration() {
        assert_eq!(field_order("Seats"), Some(&["min", "max"][..]));
        assert_eq!(field_order("Procedure/fog"), Some(&["counter", "allow", "notes", "provenance"][..]));
        assert_eq!(field_order("Nothing"), None);
    }
}
