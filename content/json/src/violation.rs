//! What a schema finds in a value, before it is tied to a file.

use principes_findings::{Code, Finding, Subject, Suggestion};
use serde_json::Value;

use crate::document::Document;
use crate::documents::Documents;
use crate::pointer::MemberPart;

/// A finding that is not yet tied to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Finding code.
    pub code: Code,
    /// Where in the value.
    pub pointer: String,
    /// The part of the member.
    pub part: MemberPart,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// The field that is unknown or missing, if the violation is about one.
    pub field: Option<String>,
    /// The undeclared thing that it names.
    pub missing: Option<Subject>,
    /// What to write instead, if that is clear.
    pub fix: Option<ValueFix>,
}

/// What to write instead of a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueFix {
    /// A name, in quotes.
    Name(Suggestion),
    /// This value instead of the present one.
    Value(Value),
    /// Nothing; the member or item is removed.
    Nothing,
}

impl Violation {
    /// A violation without advice.
    pub fn new(code: Code, pointer: impl Into<String>, part: MemberPart, message: String) -> Self {
        Violation { code, pointer: pointer.into(), part, message, help: None, field: None, missing: None, fix: None }
    }

    pub(crate) fn about(self, field: &str) -> Self {
        Violation { field: Some(field.to_owned()), ..self }
    }

    /// The violation, as one about something undeclared.
    pub(crate) fn lacking(self, family: &str, id: &str) -> Self {
        Violation { missing: Some(Subject::missing(family, id)), ..self }
    }

    /// The violation with this advice.
    pub fn maybe_help(self, help: Option<String>) -> Self {
        Violation { help, ..self }
    }

    /// The violation with the name that was probably meant, or else with `help`.
    pub fn suggest(mut self, near: Option<Suggestion>, help: impl FnOnce() -> Option<String>) -> Self {
        self.help = near.as_ref().map(Suggestion::help).or_else(help);
        self.fix = near.map(ValueFix::Name);
        self
    }

    /// The violation as a finding about a value of a document, or about the patch that set it.
    pub fn finding(self, documents: &Documents, document: usize) -> Finding {
        let (home, pointer) = documents.home(document, &self.pointer);
        self.finding_in(home, &pointer)
    }

    /// The violation as a finding about a value of one document.
    pub fn finding_in(self, document: &Document, pointer: &str) -> Finding {
        let of = if self.code == Code::MissingField { of_entity(document, pointer) } else { None };
        let message = of.map_or(self.message.clone(), |of| format!("{} in the {of}", self.message));
        let finding = document.finding(self.code, pointer, self.part, message).maybe_help(self.help);
        let finding = finding.rests_on(self.missing);
        match self.fix {
            None => finding,
            Some(ValueFix::Name(near)) => finding.suggest(Some(near)),
            Some(ValueFix::Value(value)) => {
                let span = finding.span.clone();
                finding.fix(format!("write {value}"), span, value.to_string())
            }
            Some(ValueFix::Nothing) => match document.removal(pointer) {
                Some(span) => finding.fix("remove it", span, ""),
                None => finding,
            },
        }
    }
}

/// The entity that a pointer leads into, in words, if it has an id.
fn of_entity(document: &Document, pointer: &str) -> Option<String> {
    let family = document.family?;
    let rest = pointer.strip_prefix(&format!("/{}/", family.key()))?;
    let at = rest.split('/').next()?;
    let id = document.value.pointer(&format!("/{}/{at}/id", family.key()))?.as_str()?;
    Some(format!("{} `{id}`", family.noun()))
}
