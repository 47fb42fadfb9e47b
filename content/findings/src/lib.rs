//! What a check says about a pack: a code, a place, advice, and often a fix.

mod code;
mod explain;
mod finding;
mod report;
mod severity;
mod span;
mod suggestion;
mod wording;

pub use code::{Code, Meaning, Stage};
pub use explain::{EXPLANATIONS, EXTENSIONS, Explanation, base_file, explain};
pub use finding::{Edit, Finding, Fix, Label};
pub use report::{print_human, print_json, sort};
pub use severity::Severity;
pub use span::{Span, floor_char};
pub use suggestion::{Suggestion, did_you_mean, nearest, suggestion};
pub use wording::{listing, singular, visible};
