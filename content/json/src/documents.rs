//! The files of all packs.

use principes_findings::{Code, Finding, Label};
use serde_json::Value;

use crate::document::Document;
use crate::pointer::MemberPart;

/// All documents of all packs, in load order.
#[derive(Debug, Default)]
pub struct Documents(pub Vec<Document>);

impl Documents {
    /// A finding about a value. If a patch set the value, the finding points into the patch.
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

    /// The document and pointer of a value. If a patch set it, those of the patch.
    pub fn home(&self, document: usize, pointer: &str) -> (&Document, String) {
        let home = &self.0[document];
        // Items of a list that patches have changed have other positions than in the file.
        let moved = |list: &&String| pointer.strip_prefix(list.as_str()).is_some_and(|rest| rest.starts_with('/'));
        let list = home.moved.iter().find(moved);
        let item = list.and_then(|_| home.value.pointer(pointer));
        let pointer = list.map_or(pointer, String::as_str);
        for (entity, place) in home.patched.iter().rev() {
            let rest = pointer.strip_prefix(entity.as_str());
            let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) else { continue };
            let patch = &self.0[place.document];
            let first = rest.split('/').nth(1).unwrap_or_default();
            let set = patch.value.pointer(&place.pointer).and_then(|fields| fields.get(first));
            match (item, set) {
                // The patch that has brought this item, and no other of the list.
                (Some(item), Some(Value::Array(items))) => {
                    if let Some(at) = items.iter().position(|other| other == item) {
                        return (patch, format!("{}{rest}/{at}", place.pointer));
                    }
                }
                (_, set) if rest.is_empty() || set.is_some() => return (patch, format!("{}{rest}", place.pointer)),
                _ => {}
            }
        }
        (home, pointer.to_owned())
    }
}
