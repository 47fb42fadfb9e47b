//! Many findings: their order, and how they are printed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde_json::Value;

use crate::cause::hold_back;
use crate::code::{Code, Stage};
use crate::escape;
use crate::finding::{Finding, Label};
use crate::severity::Severity;
use crate::span::{Span, floor_char};

/// Sorts findings, so that reports do not depend on the order of the checks: a cause before its consequences.
///
/// Static findings come before those from running scripts, errors before warnings, earlier stages before later ones;
/// then the order is by file and position. Consequences are held back (`hold_back`).
pub fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.message.cmp(&b.message)));
    // Packs that build on the same pack repeat its findings. Only one of the copies may know what it holds back.
    findings.dedup_by(|later, first| {
        let (later_held, first_held) = (later.held_back.take(), first.held_back.take());
        let is_same = later == first;
        (later.held_back, first.held_back) = match is_same {
            true => (None, first_held.or(later_held)),
            false => (later_held, first_held),
        };
        is_same
    });
    join_shared(findings);
    hold_back(findings);
    thin(findings);
}

/// Keeps one of the findings that several cards of a series have at the same place.
fn join_shared(findings: &mut Vec<Finding>) {
    let mut first: BTreeMap<(String, usize, usize, Code), usize> = BTreeMap::new();
    let mut more = vec![0; findings.len()];
    let mut kept = vec![true; findings.len()];
    for (at, finding) in findings.iter().enumerate().filter(|(_, finding)| finding.is_shared) {
        let place = (finding.file.clone(), finding.span.bytes.start, finding.span.bytes.end, finding.code);
        let first = *first.entry(place).or_insert(at);
        kept[at] = first == at;
        more[first] += usize::from(first != at && findings[first].message != finding.message);
    }
    for (finding, more) in findings.iter_mut().zip(more).filter(|(finding, _)| finding.is_shared) {
        if more > 0 {
            finding.message = format!("{} (and {more} more like it from this entry)", finding.message);
        }
        // The right text for one card would be wrong for the others.
        let written = finding.source.as_deref().and_then(|text| text.get(finding.span.bytes.clone()));
        if written.is_some_and(|text| text.contains('{')) {
            finding.fix = None;
        }
    }
    let mut kept = kept.into_iter();
    findings.retain(|_| kept.next().unwrap_or(true));
}

/// The order of findings.
fn rank(finding: &Finding) -> impl Ord + '_ {
    let stage = finding.code.stage();
    (
        stage >= Stage::Scenarios,
        !finding.is_error(),
        // All other errors of files may explain a wrong pin, so they come first.
        finding.code == Code::WrongPin,
        stage,
        &finding.file,
        finding.span.line,
        finding.span.column,
        finding.code,
    )
}

/// How many findings of one code in one file are reported.
const MOST_ALIKE: usize = 200;

/// Leaves out repetitions: a file with thousands of similar mistakes is wrong as a whole.
fn thin(findings: &mut Vec<Finding>) {
    let mut seen: BTreeMap<(String, Code), usize> = BTreeMap::new();
    for finding in findings.iter() {
        *seen.entry((finding.file.clone(), finding.code)).or_default() += 1;
    }
    seen.retain(|_, count| *count > MOST_ALIKE);
    if seen.is_empty() {
        return;
    }
    let mut kept: BTreeMap<(String, Code), usize> = BTreeMap::new();
    findings.retain_mut(|finding| {
        let key = (finding.file.clone(), finding.code);
        let Some(all) = seen.get(&key) else { return true };
        let count = kept.entry(key).or_default();
        *count += 1;
        if *count == MOST_ALIKE {
            finding.message = format!("{} (and {} more like it in the file)", finding.message, all - MOST_ALIKE);
        }
        *count <= MOST_ALIKE
    });
}

/// Findings for people, with the source line, carets and advice.
pub fn print_human(findings: &[Finding], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for finding in findings {
        let shown = ShownFinding::new(finding);
        text.push_str(&renderer.render(&[group(&shown)]));
        text.push_str("\n\n");
    }
    text
}

/// A finding as it is printed: each of its texts on one line, with excerpts of the files around its spans.
struct ShownFinding<'f> {
    finding: &'f Finding,
    message: Cow<'f, str>,
    help: Option<Cow<'f, str>>,
    note: Option<String>,
    source: Option<Excerpt<'f>>,
    labels: Vec<(Cow<'f, str>, Excerpt<'f>)>,
}

impl<'f> ShownFinding<'f> {
    fn new(finding: &'f Finding) -> Self {
        let here = finding.labels.iter().filter(|label| label.file == finding.file).map(|label| &label.span);
        let source = finding.source.as_deref().map(|text| Excerpt::new(text, &finding.span, here));
        let label = |label: &'f Label| (escape::line(&label.message), Excerpt::new(&label.source, &label.span, []));
        ShownFinding {
            finding,
            message: escape::line(&finding.message),
            help: finding.help.as_deref().map(escape::line),
            note: finding.note(),
            source,
            labels: finding.labels.iter().map(label).collect(),
        }
    }
}

/// A part of a text: whole lines, or a part of a long line.
struct Excerpt<'t> {
    text: &'t str,
    /// Where it begins in the text.
    begin: usize,
    /// The line it begins in, from 1.
    line: usize,
    /// Line and column of the position, if the excerpt does not begin with a whole line.
    cut: Option<(usize, usize)>,
}

impl<'t> Excerpt<'t> {
    /// Bytes of a line that are shown on each side of a span.
    const AROUND: usize = 160;
    /// Other spans are shown in the same excerpt if they fit into this number of bytes.
    const MOST: usize = 20_000;

    /// The excerpt of a text around a span and others that are close enough.
    fn new<'s>(text: &'t str, place: &Span, others: impl IntoIterator<Item = &'s Span>) -> Self {
        let (mut first, mut last) = (place.bytes.start.min(text.len()), place.bytes.end.min(text.len()));
        for other in others {
            let (start, end) = (first.min(other.bytes.start), last.max(other.bytes.end));
            if end <= text.len() && end - start <= Self::MOST {
                (first, last) = (start, end);
            }
        }
        let last = last.min(first + Self::MOST);
        let begin = text[..floor_char(text, first)].rfind('\n').map_or(0, |at| at + 1);
        let end = text[floor_char(text, last)..].find('\n').map_or(text.len(), |at| floor_char(text, last) + at);
        if end - begin <= Self::MOST + 2 * Self::AROUND {
            let line = text[..begin].bytes().filter(|byte| *byte == b'\n').count() + 1;
            return Excerpt { text: &text[begin..end], begin, line, cut: None };
        }
        let begin = begin.max(floor_char(text, first.saturating_sub(Self::AROUND)));
        let end = end.min(floor_char(text, (last + Self::AROUND).min(text.len())));
        Excerpt { text: &text[begin..end], begin, line: place.line, cut: Some((place.line, place.column)) }
    }

    /// A span of the text as a range of the excerpt, if the excerpt holds it.
    fn place(&self, span: &Span) -> Option<Range<usize>> {
        let start = span.bytes.start.checked_sub(self.begin).filter(|start| *start <= self.text.len())?;
        let end = (span.bytes.end - self.begin).min(self.text.len());
        Some(floor_char(self.text, start)..floor_char(self.text, end).max(start))
    }

    fn snippet<'s>(&'s self, file: &'s str) -> Snippet<'s, annotate_snippets::Annotation<'s>> {
        let snippet = Snippet::source(self.text).line_start(self.line);
        if self.cut.is_none() { snippet.path(file) } else { snippet }
    }
}

/// Findings as a JSON array.
pub fn print_json(findings: &[Finding]) -> Value {
    Value::Array(findings.iter().map(Finding::to_json).collect())
}

fn group<'s>(shown: &'s ShownFinding<'_>) -> Group<'s> {
    let finding = shown.finding;
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let file = finding.file.as_str();
    let mut group = Group::with_title(level.primary_title(&*shown.message).id(finding.code.as_str()));
    let labels = || finding.labels.iter().zip(&shown.labels);
    group = match &shown.source {
        Some(excerpt) => {
            let here = labels().filter(|(label, _)| label.file == finding.file).filter_map(|(label, (message, _))| {
                Some(AnnotationKind::Context.span(excerpt.place(&label.span)?).label(&**message))
            });
            let primary = excerpt.place(&finding.span).map(|place| AnnotationKind::Primary.span(place));
            origin(group, file, excerpt).element(excerpt.snippet(file).annotations(primary).annotations(here))
        }
        None => group.element(Origin::path(file)),
    };
    // Labels in the same file may be too far away for the excerpt.
    let is_shown = |label: &Label| {
        label.file == finding.file && shown.source.as_ref().is_some_and(|here| here.place(&label.span).is_some())
    };
    for (label, (message, excerpt)) in labels().filter(|(label, _)| !is_shown(label)) {
        let place = excerpt.place(&label.span).map(|place| AnnotationKind::Context.span(place).label(&**message));
        let file = label.file.as_str();
        group = origin(group, file, excerpt).element(excerpt.snippet(file).annotations(place));
    }
    if let Some(help) = &shown.help {
        group = group.element(Level::HELP.message(&**help));
    }
    match &shown.note {
        Some(note) => group.element(Level::NOTE.message(note.as_str())),
        None => group,
    }
}

/// Adds the position of an excerpt that does not show it.
fn origin<'s>(group: Group<'s>, file: &'s str, excerpt: &Excerpt<'_>) -> Group<'s> {
    match excerpt.cut {
        Some((line, column)) => group.element(Origin::path(file).line(line).char_column(column)),
        None => group,
    }
}
