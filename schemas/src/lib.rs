//! What a content file may say: one type for every family of content files, and the JSON Schemas generated from them.
//!
//! A content file is a JSON object with an optional `$schema` and exactly one family key that holds an array. The
//! types here are the only description of the formats: readers deserialize into them, and editors and `check` use the
//! schemas of [`all`]. References carry the keyword `x-ref`, whose value is the family they refer to.

mod basics;
mod board;
mod cards;
mod family;
mod flow;
mod order;
mod pack;
mod patch;
mod props;
mod scenario;
mod text;
mod tiles;

pub use basics::*;
pub use board::*;
pub use cards::*;
pub use family::*;
pub use flow::*;
pub use order::field_order;
pub use pack::*;
pub use patch::*;
pub use props::*;
pub use scenario::*;
pub use text::*;
pub use tiles::*;
