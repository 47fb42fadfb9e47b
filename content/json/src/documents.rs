//! The files of all packs.

use principes_findings::{Code, Finding, Label};

use crate::document::Document;
use crate::pointer::MemberPart;

/// All documents of all packs, in load order.
#[derive(Debug, Default)]
pub struct Documents(pub Vec<Document>);

impl Documents {
    /// A finding about a value, which points into the patch that set it if there is one.
    pub fn finding(
        &self,
        document: usize,
        pointer: &str,
        part: MemberPart,
        code: Code,
        message: impl Into<String>,
    ) -> Finding {
        let (document, pointer) = self.home(document, pointer);
        document.finding(code, &pointer, part, message)
    }

    /// A label at a value, or at the patch that set it.
    pub fn label(&self, document: usize, pointer: &str, part: MemberPart, message: impl Into<String>) -> Label {
        let (document, pointer) = self.home(document, pointer);
        document.label(&pointer, part, message)
    }

    /// The document and pointer of a value: those of the patch that set it if there is one.
    pub fn home(&self, document: usize, pointer: &str) -> (&Document, String) {
        let home = &self.0[document];
        // Items of a list that patches have changed have other positions than in the file.
        let moved = |list: &&String| pointer.strip_prefix(list.as_str()).is_some_and(|rest| rest.starts_with('/'));
        let pointer = home.moved.iter().find(moved).map_or(pointer, String::as_str);
        for (entity, place) in home.patched.iter().rev() {
            let rest = pointer.strip_prefix(entity.as_str());
            let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) else { continue };
            let patch = &self.0[place.document];
            let first = rest.split('/').nth(1).unwrap_or_default();
            let set = patch.value.pointer(&place.pointer).and_then(|fields| fields.get(first)).is_some();
            if rest.is_empty() || set {
                return (patch, format!("{}{rest}", place.pointer));
            }
        }
        (home, pointer.to_owned())
    }
}
