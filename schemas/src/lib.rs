//! The formats of content files: one type for every family of content files, and the JSON Schemas generated from them.
//!
//! A content file is a JSON object with an optional `$schema` and family keys that hold arrays. The types here are the
//! only description of the formats: readers deserialize into them, and editors and `check` use the schemas of [`all`].
//! References carry the keyword `x-ref`, whose value is the family they refer to.
//!
//! # What this crate must not know
//!
//! It must not use our other crates, read files, or know other packs. The checks of `content` resolve references.
//!
//! # Map
//!
//! - `family`: **the table of families**, from which follows all that is said about each of them. `files`: the
//!   types of their files. `schema`: the schemas.
//!   `reference`: what references may name. `order`: the order of fields in a file.
//! - `pack`, `patch`, `text`, `scenario`: manifests, patches, messages with pins, scenarios.
//! - `board`, `cards`, `flow`, `props`, `tiles`: the families of a game; `look`: what it looks like; `promises`: what its
//!   designer says about its balance; `bot`: trained players. `basics`: ids, references and other shared shapes; `keyed`:
//!   enums told apart by a field.
//!
//! # Example
//!
//! ```
//! use principes_schemas::{Family, field_order};
//!
//! let family = Family::with_key("cards").ok_or("there is no such family")?;
//! assert_eq!(family.schema()["properties"]["cards"]["type"], "array");
//! assert!(field_order("Card").is_some_and(|fields| fields.contains(&"zone")));
//! # Ok::<(), &str>(())
//! ```

#[macro_use]
mod keyed;

mod basics;
mod board;
mod bot;
mod cards;
mod family;
mod files;
mod flow;
mod look;
mod order;
mod pack;
mod patch;
mod promises;
mod props;
mod reference;
mod scenario;
mod schema;
mod text;
mod tiles;

pub use basics::*;
pub use board::*;
pub use bot::*;
pub use cards::*;
pub use family::*;
pub use files::*;
pub use flow::*;
pub use look::*;
pub use order::field_order;
pub use pack::*;
pub use patch::*;
pub use promises::*;
pub use props::*;
pub use reference::*;
pub use scenario::*;
pub use schema::*;
pub use text::*;
pub use tiles::*;
