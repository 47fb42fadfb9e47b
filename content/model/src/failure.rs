//! Failures of scripts, as findings at their places.

use std::sync::Arc;

use principes_core::scripts::{ScriptError, ScriptErrorKind};
use principes_findings::{Diagnostic, Label, Span, Suggestion};

use crate::game::Loaded;

impl Loaded {
    /// A script's failure as a finding: at its line where it has one, else at the hook that names it.
    pub fn script_finding(&self, error: &ScriptError) -> Diagnostic {
        let code = match error.kind {
            ScriptErrorKind::Runtime if error.line.is_some() => "P0304",
            ScriptErrorKind::Runtime => "P0302",
            ScriptErrorKind::Steps | ScriptErrorKind::Memory => "P0308",
            ScriptErrorKind::Impure | ScriptErrorKind::Flow => "P0309",
        };
        let hook = error.hook.and_then(|hook| self.origins.hooks.get(hook.index())?.as_ref());
        let script = error.file.as_ref().and_then(|file| Some((file, self.origins.texts.get(file)?)));
        match (script, error.line, hook) {
            (Some((file, text)), Some(line), _) => {
                Diagnostic::new(code, file, error.message.as_str()).at(text, Span::of_line(text, line as usize))
            }
            (script, _, Some(place)) => {
                let fresh = Diagnostic::new(code, &place.file, error.message.as_str());
                let finding = Diagnostic { code, severity: fresh.severity, message: fresh.message, ..place.clone() };
                match script.filter(|_| code == "P0302") {
                    Some((file, text)) => missing_function(finding, file, text),
                    None => finding,
                }
            }
            (Some((file, text)), ..) => {
                Diagnostic::new(code, file, error.message.as_str()).at(text, Span::of_line(text, 1))
            }
            _ => {
                // Where no hook ran, the flow itself failed.
                let flow = self.origins.hooks.iter().flatten().find(|place| place.pointer.starts_with("/phases"));
                let file = error.file.as_deref().or(flow.map(|place| place.file.as_str()));
                let pack = self.packs.last().map_or("pack.json", |pack| pack.file.as_str());
                Diagnostic::new(code, file.unwrap_or(pack), error.message.as_str())
            }
        }
    }
}

/// A finding about a function that a module lacks: where the module says what it has, and what was probably meant.
fn missing_function(finding: Diagnostic, file: &str, text: &Arc<str>) -> Diagnostic {
    let old = finding.source.as_deref().and_then(|source| source.get(finding.span.bytes.clone())).unwrap_or_default();
    let old = old.trim_matches('"').to_owned();
    let near = finding.message.split_once("; did you mean `").and_then(|(message, near)| {
        let near = near.split('`').next()?;
        let module = old.rsplit_once('.')?.0;
        let text = format!("{module}.{near}");
        Some((message.to_owned(), Suggestion { name: near.to_owned(), text, only: true }))
    });
    let last =
        text.lines().count() - text.lines().rev().take_while(|line| !line.trim_start().starts_with("return")).count();
    let label = Label {
        file: file.to_owned(),
        span: Span::of_line(text, last.max(1)),
        message: "it is not in what the module returns".to_owned(),
        source: Arc::clone(text),
    };
    match near {
        Some((message, near)) => Diagnostic { message, ..finding }.suggest(Some(near)),
        None => finding,
    }
    .label(label)
}
