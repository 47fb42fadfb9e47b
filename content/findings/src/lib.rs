//! Findings: what a check says about a pack. A finding has a code, a place, a message, often advice and a fix.
//!
//! # What this crate must not know
//!
//! Packs, JSON documents and scripts. It receives texts and spans, and never decides what is wrong.
//!
//! # Map
//!
//! - `code`: **the table of all codes**, each with severity, stage and title. Nothing else in the program writes a
//!   code. `codes.txt` beside `src/` lists every code that there ever was, so that none gets another meaning.
//! - `budget`: what one check may use. `escape`: hidden characters in text that people read.
//! - `subject`, `cause`: what findings depend on, so that consequences are held back.
//! - `answer`: warnings that are right as they are.
//! - `severity`, `span`, `suggestion`, `wording`: how bad, where, which name was probably meant, shared phrases.
//! - `merge`: the markers of an unfinished merge. `finding`: one finding with labels and a fix. `report`: many
//!   findings, sorted and printed.
//! - `explain`: the page of each code, which is in `explain/` beside `src/`.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//!
//! use principes_findings::{Code, Finding, Span, suggestion};
//!
//! let text: Arc<str> = "{\"zone\": \"dekc\"}".into();
//! let finding = Finding::new(Code::UnknownReference, "cards.json", "unknown zone `dekc`")
//!     .at(&text, Span::new(&text, 9..15))
//!     .suggest(suggestion("dekc", ["deck", "hand"]));
//! assert_eq!(finding.code.as_str(), "P0202");
//! assert_eq!(finding.help.as_deref(), Some("did you mean `deck`?"));
//! assert_eq!(finding.fix.map(|fix| fix.edits[0].text.clone()).as_deref(), Some("\"deck\""));
//! ```

mod answer;
pub mod budget;
mod cause;
mod code;
pub mod escape;
mod explain;
mod finding;
mod merge;
mod report;
mod severity;
mod span;
mod subject;
mod suggestion;
mod wording;

pub use answer::{AnsweredPlace, Answers, WarningAnswer};
pub use cause::MOST_CONSEQUENCES;
pub use code::{Code, Meaning, RETIRED, Stage};
pub use explain::{EXPLANATIONS, EXTENSIONS, Explanation, base_file, explain};
pub use finding::{Finding, Fix, Label, Misspelling, TextEdit};
pub use report::{print_human, print_json, sort};
pub use severity::Severity;
pub use span::{LineIndex, Span, floor_char};
pub use subject::Subject;
pub use suggestion::{Suggestion, did_you_mean, hint, hint_for, nearest, suggestion};
pub use wording::{listing, with_article};
