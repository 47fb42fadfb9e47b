//! `why`: explains where a decision comes from.

use principes_app::session::Session;
use principes_core::Decision;

use crate::style::{self, Line};

/// The number of options whose keys are shown.
const OPTIONS_SHOWN: usize = 24;

/// The source of a decision: the card or rule with its text, the phase, the script, the keys of the options.
pub fn why(session: &Session, decision: &Decision, width: usize) -> Vec<Line> {
    let words = session.words();
    let catalog = session.game().catalog();
    let why = session.why(decision);
    let mut lines = Vec::new();
    if let Some(source) = &why.source {
        lines.push(Line::styled(style::bold(), words.own("play.why-asks", &[source])));
        let wrapped = why.text.map(|text| style::wrap(&text, width.saturating_sub(4).max(20))).unwrap_or_default();
        lines.extend(wrapped.into_iter().map(|line| Line::plain(format!("    {line}"))));
    }
    if let Some(phase) = &why.phase {
        lines.push(Line::plain(words.own("play.why-phase", &[phase])));
    }
    lines.push(Line::plain(words.own("play.why-decision", &[&why.decision])));
    if !why.scripts.is_empty() {
        lines.push(Line::styled(style::dim(), words.own("play.why-script", &[&why.scripts.join(" › ")])));
    }
    lines.push(Line::styled(style::dim(), words.own("play.why-key", &[])));
    for (at, option) in decision.options.iter().enumerate().take(OPTIONS_SHOWN) {
        lines.push(Line::styled(style::dim(), format!("{:>4}  {}", at + 1, option.key(catalog))));
    }
    lines
}
