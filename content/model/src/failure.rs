//! Failures of scripts as findings.

use std::sync::Arc;

use principes_core::scripts::{CallLine, ScriptCall, ScriptError, ScriptErrorKind};
use principes_findings::{Code, Finding, Label, Span, Suggestion};

use crate::game::Loaded;

/// How many callers are shown: the ones nearest to the failure.
const MOST_CALLERS: usize = 8;

impl Loaded {
    /// A script's failure as a finding at the line that failed, or else at the hook in the content.
    pub fn script_finding(&self, error: &ScriptError) -> Finding {
        let code = match error.kind {
            ScriptErrorKind::Runtime if error.line.is_some() => Code::UnloadableScript,
            ScriptErrorKind::Runtime => Code::UnknownFunction,
            ScriptErrorKind::Steps | ScriptErrorKind::Memory | ScriptErrorKind::Game => Code::LimitExceeded,
            ScriptErrorKind::Impure | ScriptErrorKind::Flow => Code::ForbiddenAct,
        };
        let hook = error.hook.and_then(|hook| self.origins.hooks.get(hook.index())?.as_ref());
        if let Some(here) = self.failed_line(error) {
            let finding = Finding::new(code, here.file, error.message.as_str()).at(&here.source, here.span);
            return self.callers(error).into_iter().fold(finding, Finding::label);
        }
        let script = error.file.as_ref().and_then(|file| Some((file, self.origins.texts.get(file)?)));
        match (script, hook) {
            (script, Some(place)) => {
                let fresh = Finding::new(code, &place.file, error.message.as_str());
                let finding = Finding { code, severity: fresh.severity, message: fresh.message, ..place.clone() };
                match script.filter(|_| code == Code::UnknownFunction) {
                    Some((file, text)) => missing_function(finding, error.suggestion.as_deref(), file, text),
                    None => finding,
                }
            }
            (Some((file, text)), None) => {
                Finding::new(code, file, error.message.as_str()).at(text, Span::of_line(text, 1))
            }
            _ => {
                // If no hook ran, the flow itself failed.
                let flow = self.origins.hooks.iter().flatten().find(|place| place.pointer.starts_with("/phases"));
                let file = error.file.as_deref().or(flow.map(|place| place.file.as_str()));
                let pack = self.packs.last().map_or("pack.json", |pack| pack.file.as_str());
                Finding::new(code, file.unwrap_or(pack), error.message.as_str())
            }
        }
    }

    /// The line of a script that failed, if the script belongs to these packs.
    pub fn failed_line(&self, error: &ScriptError) -> Option<Label> {
        self.line(error.file.as_deref()?, error.line?, "the script failed here".to_owned())
    }

    /// The calls that led to a failure, innermost first, without the line that failed.
    pub fn callers(&self, error: &ScriptError) -> Vec<Label> {
        let calls = error.trace.iter().zip(error.trace.iter().skip(1)).take(MOST_CALLERS);
        let label = |(callee, caller): (&ScriptCall, &ScriptCall)| {
            let (line, place) = match caller.line {
                CallLine::Exact(line) => (line, "here"),
                CallLine::Within(head) => (head, "in this function"),
            };
            let message = match &callee.function {
                Some(function) => format!("`{function}` was called {place}"),
                None => format!("called {place}"),
            };
            self.line(&caller.file, line, message)
        };
        calls.filter_map(label).collect()
    }

    fn line(&self, file: &str, line: u32, message: String) -> Option<Label> {
        let text = self.origins.texts.get(file)?;
        let span = Span::of_line(text, line as usize);
        Some(Label { file: file.to_owned(), span, message, source: Arc::clone(text) })
    }
}

/// Adds to a finding about a missing function the place where the module returns its functions, and the name that was
/// probably meant.
fn missing_function(finding: Finding, similar: Option<&str>, file: &str, text: &Arc<str>) -> Finding {
    let old = finding.source.as_deref().and_then(|source| source.get(finding.span.bytes.clone())).unwrap_or_default();
    let old = old.trim_matches('"').to_owned();
    let near = similar.and_then(|name| {
        let (module, _) = old.rsplit_once('.')?;
        Some(Suggestion { name: name.to_owned(), text: format!("{module}.{name}"), only: true, of_program: false })
    });
    let last =
        text.lines().count() - text.lines().rev().take_while(|line| !line.trim_start().starts_with("return")).count();
    let label = Label {
        file: file.to_owned(),
        span: Span::of_line(text, last.max(1)),
        message: "add it to the table that the module returns".to_owned(),
        source: Arc::clone(text),
    };
    match near {
        Some(near) => {
            // The help line says it.
            let advice = format!("; {}", near.help());
            let message = finding.message.strip_suffix(advice.as_str()).unwrap_or(&finding.message).to_owned();
            Finding { message, ..finding }.suggest(Some(near))
        }
        None => finding,
    }
    .label(label)
}
