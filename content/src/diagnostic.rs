//! Diagnostics: what is wrong in a pack, where, and what would be right.

use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde::Serialize;
use serde_json::{Map, Value, json};

pub use crate::text_position::Span;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The pack cannot be played.
    Error,
    /// The pack can be played, but something is probably not meant so.
    Warning,
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, see [`explain`](crate::explain::explain).
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The file as users name it.
    pub file: String,
    /// Where in the file.
    pub span: Option<Span>,
    /// JSON pointer to the place in the file; empty where there is none.
    pub pointer: String,
    /// What would be right.
    pub help: Option<String>,
    /// The whole text of the file, for printing the line.
    pub source: Option<Arc<str>>,
}

impl Diagnostic {
    /// A finding about a file as a whole.
    pub fn new(code: &'static str, file: impl Into<String>, message: impl Into<String>) -> Self {
        let severity = match crate::explain::explain(code) {
            Some(entry) => entry.severity,
            None => Severity::Error,
        };
        Diagnostic {
            code,
            severity,
            message: message.into(),
            file: file.into(),
            span: None,
            pointer: String::new(),
            help: None,
            source: None,
        }
    }

    /// The finding with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The finding with advice, where there is some.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// The finding at a place of a text.
    #[must_use]
    pub fn at(mut self, text: &Arc<str>, span: Span) -> Self {
        self.span = Some(span);
        self.source = Some(Arc::clone(text));
        self
    }

    /// Whether it keeps the pack from being played.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The finding as the object that `--format json` prints.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("code".into(), self.code.into());
        object.insert("severity".into(), self.severity.name().into());
        object.insert("message".into(), self.message.clone().into());
        object.insert("file".into(), self.file.clone().into());
        let place = self.span.as_ref().map(|s| [s.line, s.column, s.end_line, s.end_column]);
        for (at, key) in ["line", "column", "end_line", "end_column"].into_iter().enumerate() {
            object.insert(key.into(), place.map_or(Value::Null, |place| place[at].into()));
        }
        object.insert("pointer".into(), self.pointer.clone().into());
        object.insert("help".into(), json!(self.help));
        Value::Object(object)
    }

    fn group(&self) -> Group<'_> {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let group = level.primary_title(self.message.as_str()).id(self.code);
        let group = match (&self.source, &self.span) {
            (Some(text), Some(span)) => group.element(
                Snippet::source(&**text)
                    .path(self.file.as_str())
                    .annotation(AnnotationKind::Primary.span(span.bytes.clone())),
            ),
            _ => group.element(Origin::path(self.file.as_str())),
        };
        match &self.help {
            Some(help) => group.element(Level::HELP.message(help.as_str())),
            None => group,
        }
    }
}

/// Sorts findings by file and place, so that reports do not depend on the order of the checks.
pub fn sort(findings: &mut Vec<Diagnostic>) {
    let key = |d: &Diagnostic| (d.file.clone(), d.span.as_ref().map_or((0, 0), |s| (s.line, s.column)), d.code);
    findings.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message)));
    findings.dedup();
}

/// Findings for people: the message, the source line, carets, advice.
pub fn print_human(findings: &[Diagnostic], colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for finding in findings {
        text.push_str(&renderer.render(&[finding.group()]));
        text.push_str("\n\n");
    }
    text
}

/// Findings as a JSON array.
pub fn print_json(findings: &[Diagnostic]) -> Value {
    Value::Array(findings.iter().map(Diagnostic::to_json).collect())
}

/// The candidate nearest to `wrong`, where one is near enough to be meant.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wrong.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(wrong, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *candidate != wrong)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Advice in the usual words.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(wrong, candidates).map(|near| format!("did you mean `{near}`?"))
}

/// Edit distance in which two neighbours that changed places count once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 8 {
        return usize::MAX;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        assert_eq!(nearest("plocuim", ["plocium", "cracovia"]), Some("plocium"));
        assert_eq!(nearest("x", ["plocium", "cracovia"]), None);
        assert_eq!(did_you_mean("cards", ["card", "kind"]).as_deref(), Some("did you mean `card`?"));
    }

    #[test]
    fn json_has_the_fields_of_the_contract() {
        let text: Arc<str> = "{\n  \"a\": 1\n}".into();
        let finding = Diagnostic::new("P0101", "p/a.json", "wrong").at(&text, Span::new(&text, 9..10)).help("b");
        assert_eq!(
            finding.to_json(),
            json!({"code": "P0101", "severity": "error", "message": "wrong", "file": "p/a.json", "line": 2, "column": 8,
                "end_line": 2, "end_column": 9, "pointer": "", "help": "b"})
        );
    }
}
