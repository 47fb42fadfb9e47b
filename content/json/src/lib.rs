//! The JSON files of packs: values with their places, schemas at work, reading on after a mistake.

mod branches;
mod broken;
mod digest;
mod document;
mod documents;
mod file;
mod ids;
mod issue;
pub mod mend;
mod message;
mod places;
mod pointer;
mod reading;
pub mod schema;
mod slips;
pub mod template;
mod translate;
mod unresolved;
mod words;

pub use broken::Broken;
pub use digest::Digest;
pub use document::{Document, PatchPlace, decode, member_with_comma, parse};
pub use documents::Documents;
pub use file::{JsonFile, ReadFile};
pub use ids::{Ids, prop_family};
pub use issue::{Issue, Mend};
pub use message::Message;
pub use pointer::{MemberPart, escape, overlap, unescape};
pub use words::WordSet;
