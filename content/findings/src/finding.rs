//! One finding: what is wrong, where, and how to fix it.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::code::Code;
use crate::severity::Severity;
use crate::span::Span;
use crate::subject::Subject;
use crate::suggestion::Suggestion;

/// Another place that a finding points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The file as users name it.
    pub file: String,
    /// Where in the file.
    pub span: Span,
    /// What to see there.
    pub message: String,
    /// The whole text of the file.
    pub source: Arc<str>,
}

/// A change of one file: a range of bytes of its text, without a byte order mark, and the new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The file as users name it.
    pub file: String,
    /// What is removed.
    pub span: Span,
    /// The text that replaces it.
    pub text: String,
}

/// A change that `check --fix` can make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an instruction: "write `north`".
    pub message: String,
    /// The changes; all of them or none.
    pub edits: Vec<TextEdit>,
}

/// A name that nothing declares, and the declared name that is most similar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelling {
    /// The name as it is written.
    pub written: String,
    /// The declared name.
    pub near: String,
    /// How many places agree on the written name: this one, and those that would be wrong with the declared name.
    pub agree: usize,
}

/// The characters of a message that are shown. Ids in packs may have any length.
const LONGEST_MESSAGE: usize = 2000;

/// A message of readable length.
fn bearable(message: String) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((at, _)) => format!("{}…", &message[..at]),
        None => message,
    }
}

/// What a check says about one place of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong: its row in the table of codes.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The file as users name it.
    pub file: String,
    /// Where in the file; its beginning if the finding is about the whole file.
    pub span: Span,
    /// JSON pointer to the place in the file; empty if there is none.
    pub pointer: String,
    /// Whether the place stands for several cards, so that others may have the same finding.
    pub is_shared: bool,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// How to fix it.
    pub help: Option<String>,
    /// How a program can fix it, if there is only one way.
    pub fix: Option<Fix>,
    /// A change that is right if the author meant what was found. Only the author can know, so `check --fix` does not
    /// make it.
    pub offer: Option<Fix>,
    /// The whole text of the file, for printing the line.
    pub source: Option<Arc<str>>,
    /// What it depends on. If there is an error in it, this finding is a consequence.
    pub rests_on: Vec<Subject>,
    /// The name that is written here and the declared one that is like it, if a pack declares it.
    pub misspelling: Option<Misspelling>,
    /// Other parts that the same mistake breaks.
    pub breaks: Vec<Subject>,
    /// What is held back until it is fixed: "12 more findings".
    pub held_back: Option<String>,
}

impl Finding {
    /// A finding about a file as a whole.
    pub fn new(code: Code, file: impl Into<String>, message: impl Into<String>) -> Self {
        Finding {
            code,
            severity: code.severity(),
            message: bearable(message.into()),
            file: file.into(),
            span: Span::default(),
            pointer: String::new(),
            is_shared: false,
            labels: Vec::new(),
            help: None,
            fix: None,
            offer: None,
            source: None,
            rests_on: Vec::new(),
            misspelling: None,
            breaks: Vec::new(),
            held_back: None,
        }
    }

    /// The finding, as one that depends on these subjects.
    #[must_use]
    pub fn rests_on(mut self, subjects: impl IntoIterator<Item = Subject>) -> Self {
        self.rests_on.extend(subjects);
        self
    }

    /// What is held back until it is fixed, as a sentence.
    pub fn note(&self) -> Option<String> {
        self.held_back.as_ref().map(|what| format!("and {what}, held back until this is fixed"))
    }

    /// The finding with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(bearable(help.into()));
        self
    }

    /// The finding with advice, if there is any.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.map(bearable).or(self.help);
        self
    }

    /// The finding at a place of a text.
    #[must_use]
    pub fn at(mut self, text: &Arc<str>, span: Span) -> Self {
        self.span = span;
        self.source = Some(Arc::clone(text));
        self
    }

    /// The finding with another place that matters.
    #[must_use]
    pub fn label(mut self, label: Label) -> Self {
        self.labels.push(label);
        self
    }

    /// The finding with the name that was probably meant as advice and, if no other name is as close, as a fix. A text
    /// in quotes keeps its quotes.
    #[must_use]
    pub fn suggest(mut self, suggestion: Option<Suggestion>) -> Self {
        let Some(suggestion) = suggestion else { return self };
        self.help = Some(suggestion.help());
        let old = self.source.as_deref().and_then(|text| text.get(self.span.bytes.clone())).unwrap_or_default();
        self.misspelling = suggestion.instead_of(old);
        if suggestion.only && !old.is_empty() {
            let text = match old.chars().next() {
                Some('"') => Value::from(suggestion.text.as_str()).to_string(),
                Some('\'') => format!("'{}'", suggestion.text),
                _ => suggestion.text,
            };
            let span = self.span.clone();
            self = self.fix(format!("write `{}`", suggestion.name), span, text);
        }
        self
    }

    /// The finding with a fix of its file.
    #[must_use]
    pub fn fix(mut self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        let edit = TextEdit { file: self.file.clone(), span, text: text.into() };
        self.fix = Some(Fix { message: message.into(), edits: vec![edit] });
        self
    }

    /// The finding with a change of the place itself that is right if the author meant what was found.
    #[must_use]
    pub fn offer(mut self, message: impl Into<String>, text: impl Into<String>) -> Self {
        let edit = TextEdit { file: self.file.clone(), span: self.span.clone(), text: text.into() };
        self.offer = Some(Fix { message: message.into(), edits: vec![edit] });
        self
    }

    /// Whether it keeps the pack from being played.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The finding as the object that `--format json` prints.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("code".into(), self.code.as_str().into());
        object.insert("severity".into(), self.severity.name().into());
        object.insert("message".into(), self.message.clone().into());
        object.insert("file".into(), self.file.clone().into());
        object.extend(place_json(&self.span));
        object.insert("pointer".into(), self.pointer.clone().into());
        object.insert("help".into(), json!(self.help));
        if let Some(held_back) = &self.held_back {
            object.insert("held_back".into(), held_back.clone().into());
        }
        if !self.labels.is_empty() {
            let labels = self.labels.iter().map(|label| {
                let mut object = Map::new();
                object.insert("message".into(), label.message.clone().into());
                object.insert("file".into(), label.file.clone().into());
                object.extend(place_json(&label.span));
                Value::Object(object)
            });
            object.insert("labels".into(), labels.collect());
        }
        if let Some(fix) = &self.fix {
            let edits = fix.edits.iter().map(|edit| {
                let mut object = Map::new();
                object.insert("file".into(), edit.file.clone().into());
                object.extend(place_json(&edit.span));
                object.insert("text".into(), edit.text.clone().into());
                Value::Object(object)
            });
            object.insert("fix".into(), json!({ "message": fix.message, "edits": edits.collect::<Vec<_>>() }));
        }
        Value::Object(object)
    }
}

fn place_json(span: &Span) -> [(String, Value); 4] {
    let place =
        [("line", span.line), ("column", span.column), ("end_line", span.end_line), ("end_column", span.end_column)];
    place.map(|(key, number)| (key.to_owned(), number.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suggestion::suggestion;

    #[test]
    fn json_has_the_fields_of_the_contract() {
        let text: Arc<str> = "{\n  \"a\": 1\n}".into();
        let finding = Finding::new(Code::WrongType, "p/a.json", "wrong").at(&text, Span::new(&text, 9..10)).help("b");
        assert_eq!(
            finding.to_json(),
            json!({"code": "P0101", "severity": "error", "message": "wrong", "file": "p/a.json", "line": 2, "column": 8,
                "end_line": 2, "end_column": 9, "pointer": "", "help": "b"})
        );
    }

    #[test]
    fn a_suggestion_is_a_fix_where_no_other_name_is_as_near() {
        let text: Arc<str> = "[\"harbuor\"]".into();
        let finding = |names: &[&'static str]| {
            let near = suggestion("harbuor", names.iter().copied());
            Finding::new(Code::UnknownReference, "a.json", "wrong").at(&text, Span::new(&text, 1..10)).suggest(near)
        };
        let fix = finding(&["harbor", "ford"]).fix.expect("only one is near");
        assert_eq!((fix.edits[0].span.bytes.clone(), fix.edits[0].text.as_str()), (1..10, "\"harbor\""));
        let doubtful = finding(&["harbuo", "harbuors"]);
        assert_eq!((doubtful.help.is_some(), doubtful.fix), (true, None));
    }
}
