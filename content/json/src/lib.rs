//! The JSON files of packs: values with their positions, validation by schemas, and recovery after mistakes.
//!
//! # What this crate must not know
//!
//! Other files. Its results for a file depend only on that file and on the ids that references may name, so they can be
//! cached until the file changes.
//!
//! # Map
//!
//! - `pointer`, `value_spans`, `digest`, `template`, `words`, `message`: parts that report no findings.
//! - `document`: one file, its text and value, and the span of each value. `valid`: a file that fits its schema, and can
//!   therefore be read as its type. `syntax`: mistakes in JSON syntax.
//!   `documents`: the files of all packs, in which patched values point to their patches.
//! - `ids`, `violation`, `unresolved`: what references may name, and what is wrong with a value, without a file.
//! - `schema`: validation. `translate`, `branches`, `reading`, `form`, `narrow`: the validator's errors in helpful words.
//! - `series`: entries that stand for several cards. `brackets`: the open brackets at a position.
//! - `broken`, `fix`: what could not be read, and what was probably meant. `file`: a file with all these results.
//!   `shape`: the canonical shape that `fmt` writes.
//!
//! # Example
//!
//! ```
//! use principes_json::{MemberPart, parse, schema};
//!
//! let mut findings = Vec::new();
//! let text = br#"{"zones": [{"id": "deck", "scop": "game"}]}"#;
//! let document = parse(0, "zones.json", "demo/zones.json", text, &mut findings).map_err(|_| "not JSON")?;
//! let violations = schema::check("zones", &document.value);
//! assert_eq!(violations[0].pointer, "/zones/0/scop");
//! assert_eq!(document.span("/zones/0/scop", MemberPart::Key).column, 27);
//! # Ok::<(), &str>(())
//! ```

mod brackets;
mod branches;
mod broken;
mod digest;
mod document;
mod documents;
mod file;
pub mod fix;
mod form;
mod ids;
mod message;
mod narrow;
mod pointer;
mod reading;
pub mod schema;
mod series;
pub mod shape;
mod syntax;
pub mod template;
mod translate;
mod unresolved;
mod valid;
mod value_spans;
mod violation;
mod words;

pub use broken::{Broken, Lost};
pub use digest::Digest;
pub use document::{Document, PatchPlace, decode, member_with_comma, parse};
pub use documents::Documents;
pub use file::{JsonFile, ReadFile};
pub use ids::Ids;
pub use message::Message;
pub use pointer::{MemberPart, escape, overlap, unescape};
pub use series::{Member, expanded};
pub use valid::ValidDocument;
pub use violation::{ValueFix, Violation};
pub use words::WordSet;
