//! The packs that take part.

use std::path::PathBuf;
use std::sync::Arc;

use principes_findings::{Code, Finding, Label};
use principes_json::{Document, MemberPart};
use principes_schemas::{self as schemas, Pack};
use principes_source::PackSource;
use semver::Version;

/// A pack with its manifest.
pub struct PackEntry {
    /// Where its files are.
    pub source: Arc<dyn PackSource>,
    /// What `pack.json` says.
    pub manifest: Pack,
    /// The manifest's file.
    pub document: Document,
    /// Why it is at this position among the loaded packs.
    pub reason: OrderReason,
}

/// Why a pack is at its position in the load order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderReason {
    /// The loaded packs that its manifest puts before it.
    pub after: Vec<After>,
    /// Packs that could have come here too, but come later because of their ids.
    pub before: Vec<String>,
}

/// A pack that a manifest puts before its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// The id that the manifest names.
    pub id: String,
    /// Versions that fit.
    pub range: String,
    /// Whether it is optional.
    pub optional: bool,
    /// The line of the manifest with the reason.
    pub line: usize,
}

impl PackEntry {
    /// As the manifest declares it.
    pub fn id(&self) -> &str {
        self.manifest.id.as_str()
    }

    /// Its version, if it is valid.
    pub fn version(&self) -> Option<Version> {
        Version::parse(self.manifest.version.as_str()).ok()
    }

    /// Whether the manifest puts another pack before this one.
    pub fn names(&self, other: &str) -> bool {
        self.manifest.requires.contains_key(other) || self.manifest.optional.contains_key(other)
    }

    /// The packs that must come before this one: key of the manifest and id.
    pub fn earlier(&self) -> impl Iterator<Item = (&'static str, &String)> {
        self.manifest
            .requires
            .keys()
            .map(|id| ("requires", id))
            .chain(self.manifest.optional.keys().map(|id| ("optional", id)))
    }

    /// A label at a value of the manifest.
    pub fn label(&self, pointer: &str, part: MemberPart, message: String) -> Label {
        self.document.label(pointer, part, message)
    }

    /// A finding about a value of the manifest.
    pub fn finding(&self, code: Code, pointer: &str, part: MemberPart, message: String) -> Finding {
        self.document.finding(code, pointer, part, message)
    }
}

/// A pack that takes part.
#[derive(Clone, Debug)]
pub struct PackInfo {
    /// What `pack.json` says.
    pub manifest: schemas::Pack,
    /// The manifest's file as users name it.
    pub file: String,
    /// Its folder, if it has one.
    pub folder: Option<PathBuf>,
    /// Where its files are.
    pub source: Arc<dyn PackSource>,
    /// Why it is at this position among the packs.
    pub reason: OrderReason,
}
