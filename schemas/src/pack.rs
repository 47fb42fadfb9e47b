//! The manifest of a pack.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::basics::*;
use crate::flow::Seats;

/// `pack.json`: what a pack is and what it needs.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    /// The path of the schema, for editors.
    #[serde(rename = "$schema", default)]
    pub schema: Option<String>,
    /// Version of the content formats: 1.
    pub format: u32,
    /// Unique among packs.
    pub id: PackId,
    /// Version of the pack: `1.2.3`.
    pub version: Version,
    /// Version of the script interface: 1.
    pub api: u32,
    /// The title, in the language of its authors.
    pub title: String,
    /// What the pack is, in one or two sentences.
    #[serde(default)]
    pub description: Option<String>,
    /// The people who made it.
    #[serde(default)]
    pub authors: Vec<String>,
    /// The SPDX expression of its license, e.g. `MIT`.
    #[serde(default)]
    pub license: Option<String>,
    /// Whether it is a game or an extension of one.
    pub kind: PackKind,
    /// Packs that must be loaded before this one, with the versions it accepts.
    #[serde(default)]
    pub requires: Requirements,
    /// Packs that this one works with but does not need. If one of them is loaded, it comes first, and its version must
    /// fit.
    #[serde(default)]
    pub optional: Requirements,
    /// Packs that cannot be loaded together with this one.
    #[serde(default)]
    pub conflicts: Requirements,
    /// The languages of its messages. Every message is expected in each of them. An empty list means that the pack has no
    /// texts: players see ids.
    #[serde(default = "english")]
    #[schemars(inner(regex(pattern = r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")))]
    pub languages: Vec<String>,
    /// The smallest and largest number of seats. Required for a game.
    #[serde(default)]
    pub seats: Option<Seats>,
    /// Where it comes from: a URL or a citation.
    #[serde(default)]
    pub source: Option<String>,
    /// Warnings to allow in places that have no `allow` of their own.
    #[serde(default)]
    pub allow: Vec<AllowedWarning>,
    /// A remark for other designers; the game ignores it.
    #[serde(default)]
    pub notes: Option<String>,
}

/// A warning to allow, where it is reported, and why.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowedWarning {
    /// What `check` prints in brackets, such as `P0602`.
    #[schemars(regex(pattern = CODE_PATTERN))]
    pub code: String,
    /// Where it is reported: a file of the pack, or a family with an id, such as `cards/my-card` or `messages/word.harbor`.
    #[schemars(length(min = 1))]
    pub at: String,
    /// Why it is allowed.
    pub reason: AllowReason,
}

/// What a pack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PackKind {
    /// It can be played on its own.
    Game,
    /// It changes or adds to another pack.
    Extension,
}

fn english() -> Vec<String> {
    vec!["en".to_owned()]
}
