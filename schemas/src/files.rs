//! The types of content files: one for each family.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::basics::MessageTexts;
use crate::board::*;
use crate::bot::Bot;
use crate::cards::*;
use crate::family::{Family, family_table};
use crate::flow::*;
use crate::look::Look;
use crate::order::{FieldOrder, HasOrder};
use crate::patch::Patch;
use crate::promises::Promises;
use crate::props::Prop;
use crate::scenario::Scenario;
use crate::schema::schema_of;
use crate::text::Pin;

macro_rules! files {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident $file:ident $key:ident: $item:ty { $($fact:tt)* }
    )*) => {
        impl Family {
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

            /// The shape of its entities with the order of the fields.
            pub(crate) fn order(self) -> Option<(String, FieldOrder)> {
                match self { $(Family::$name => <$item>::order()),* }
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

family_table!(files);
