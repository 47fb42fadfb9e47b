//! Enums whose variants are told apart by a field that only one of them has.

/// Reads such an enum: `keyed!(Run { "hook" => Hook, "phase" => Phase });`. serde's `untagged` would try one variant
/// after the other, and make a message for each that does not fit.
macro_rules! keyed {
    ($enum:ident { $($key:literal => $variant:ident),+ $(,)? }) => {
        impl<'de> serde::Deserialize<'de> for $enum {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error as _;
                let fields = serde_json::Map::deserialize(deserializer)?;
                $(if fields.contains_key($key) {
                    let value = serde_json::Value::Object(fields);
                    return serde_json::from_value(value).map($enum::$variant).map_err(D::Error::custom);
                })+
                Err(D::Error::custom(concat!("none of the fields that tell what it is:", $(" `", $key, "`"),+)))
            }
        }
    };
}
