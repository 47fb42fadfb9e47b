//! Diagnostics: what is wrong in a pack, where, and what would be right.

use std::collections::BTreeMap;
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

/// Another place that a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The file as users name it.
    pub file: String,
    /// Where in the file.
    pub span: Span,
    /// What is there.
    pub message: String,
    /// The whole text of the file.
    pub source: Arc<str>,
}

/// A change of one file: these bytes of its text, a byte order mark not counted, become that text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file as users name it.
    pub file: String,
    /// What is taken away.
    pub span: Span,
    /// What is put there.
    pub text: String,
}

/// What a program can do about a finding without asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an order: "write `north`".
    pub message: String,
    /// The changes; all of them or none.
    pub edits: Vec<Edit>,
}

/// A name that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The name.
    pub name: String,
    /// What to write in the place of the wrong text.
    pub text: String,
    /// Whether no other name is as near.
    pub only: bool,
}

impl Suggestion {
    /// The suggestion with another text, for names that stand inside a longer one.
    #[must_use]
    pub fn write(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// Advice in the usual words.
    pub fn help(&self) -> String {
        format!("did you mean `{}`?", self.name)
    }
}

/// Characters of a message that are shown; ids of packs may be of any length.
const LONGEST_MESSAGE: usize = 2000;

/// A message of a length that can be read.
fn bearable(message: String) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((at, _)) => format!("{}…", &message[..at]),
        None => message,
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
    /// Where in the file; its beginning where the finding is about the file as a whole.
    pub span: Span,
    /// JSON pointer to the place in the file; empty where there is none.
    pub pointer: String,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// What would be right.
    pub help: Option<String>,
    /// How a program can mend it, where that is beyond doubt.
    pub fix: Option<Fix>,
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
            message: bearable(message.into()),
            file: file.into(),
            span: Span::default(),
            pointer: String::new(),
            labels: Vec::new(),
            help: None,
            fix: None,
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

    /// The finding with the name that was probably meant, as advice and, where no other is as near, as a fix of the
    /// place that the finding points at. A text in quotes stays in its quotes.
    #[must_use]
    pub fn suggest(mut self, suggestion: Option<Suggestion>) -> Self {
        let Some(suggestion) = suggestion else { return self };
        self.help = Some(suggestion.help());
        let old = self.source.as_deref().and_then(|text| text.get(self.span.bytes.clone())).unwrap_or_default();
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
        let edit = Edit { file: self.file.clone(), span, text: text.into() };
        self.fix = Some(Fix { message: message.into(), edits: vec![edit] });
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
        object.extend(place_json(&self.span));
        object.insert("pointer".into(), self.pointer.clone().into());
        object.insert("help".into(), json!(self.help));
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

    fn group(&self) -> Group<'_> {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let group = level.primary_title(self.message.as_str()).id(self.code);
        let mut group = match &self.source {
            Some(text) => {
                let here =
                    self.labels.iter().filter(|label| label.file == self.file).map(|label| {
                        AnnotationKind::Context.span(label.span.bytes.clone()).label(label.message.as_str())
                    });
                group.element(
                    Snippet::source(&**text)
                        .path(self.file.as_str())
                        .annotation(AnnotationKind::Primary.span(self.span.bytes.clone()))
                        .annotations(here),
                )
            }
            None => group.element(Origin::path(self.file.as_str())),
        };
        for label in self.labels.iter().filter(|label| label.file != self.file) {
            group = group.element(
                Snippet::source(&*label.source)
                    .path(label.file.as_str())
                    .annotation(AnnotationKind::Context.span(label.span.bytes.clone()).label(label.message.as_str())),
            );
        }
        match &self.help {
            Some(help) => group.element(Level::HELP.message(help.as_str())),
            None => group,
        }
    }
}

fn place_json(span: &Span) -> [(String, Value); 4] {
    let place =
        [("line", span.line), ("column", span.column), ("end_line", span.end_line), ("end_column", span.end_column)];
    place.map(|(key, number)| (key.to_owned(), number.into()))
}

/// Sorts findings by file and place, so that reports do not depend on the order of the checks.
pub fn sort(findings: &mut Vec<Diagnostic>) {
    let place = |d: &Diagnostic| (d.span.line, d.span.column, d.code);
    findings.sort_by(|a, b| {
        a.file.cmp(&b.file).then_with(|| place(a).cmp(&place(b))).then_with(|| a.message.cmp(&b.message))
    });
    findings.dedup();
    thin(findings);
}

/// Findings of one code in one file that are told.
const MOST_ALIKE: usize = 200;

/// Leaves out what nobody would read: a file that is wrong in thousands of places is wrong as a whole.
fn thin(findings: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
    for finding in findings.iter() {
        *seen.entry((finding.file.clone(), finding.code)).or_default() += 1;
    }
    seen.retain(|_, count| *count > MOST_ALIKE);
    if seen.is_empty() {
        return;
    }
    let mut kept: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
    findings.retain_mut(|finding| {
        let key = (finding.file.clone(), finding.code);
        let Some(all) = seen.get(&key) else { return true };
        let told = kept.entry(key).or_default();
        *told += 1;
        if *told == MOST_ALIKE {
            finding.message = format!("{} (and {} more like this in the file)", finding.message, all - MOST_ALIKE);
        }
        *told <= MOST_ALIKE
    });
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
pub fn suggestion<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Suggestion> {
    let length = wrong.chars().count();
    // Of a single letter nothing would be left.
    let limit = (length / 3).max(1).min(length.saturating_sub(1));
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|candidate| (distance(wrong, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *candidate != wrong)
        .collect();
    near.sort_unstable();
    near.dedup();
    let (distance, name) = *near.first()?;
    let only = near.get(1).is_none_or(|(next, _)| *next > distance);
    Some(Suggestion { name: name.to_owned(), text: name.to_owned(), only })
}

/// The name nearest to `wrong`, where one is near enough to be meant.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggestion(wrong, candidates).map(|near| near.name)
}

/// Advice in the usual words.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggestion(wrong, candidates).map(|near| near.help())
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
        assert_eq!(nearest("plocuim", ["plocium", "cracovia"]), Some("plocium".to_owned()));
        assert_eq!(nearest("x", ["plocium", "cracovia"]), None);
        assert_eq!([nearest("y", ["n", "x"]), nearest("ny", ["n", "xyz"])], [None, Some("n".to_owned())]);
        let near = |wrong| suggestion(wrong, ["ford", "fort"]).map(|near| near.only);
        assert_eq!((near("fordd"), near("forx")), (Some(true), Some(false)));
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

    #[test]
    fn a_suggestion_is_a_fix_where_no_other_name_is_as_near() {
        let text: Arc<str> = "[\"harbuor\"]".into();
        let finding = |names: &[&'static str]| {
            let near = suggestion("harbuor", names.iter().copied());
            Diagnostic::new("P0202", "a.json", "wrong").at(&text, Span::new(&text, 1..10)).suggest(near)
        };
        let fix = finding(&["harbour", "ford"]).fix.expect("only one is near");
        assert_eq!((fix.edits[0].span.bytes.clone(), fix.edits[0].text.as_str()), (1..10, "\"harbour\""));
        let doubtful = finding(&["harbuo", "harbuors"]);
        assert_eq!((doubtful.help.is_some(), doubtful.fix), (true, None));
    }
}
