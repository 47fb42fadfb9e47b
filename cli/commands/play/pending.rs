//! A decision that waits for a person, and the lines that show it: the seat, the prompt, the numbered options.

use anstyle::Style;
use principes_app::session::{OpenDecision, Session};
use principes_core::*;

use super::menu::{Entry, LONGEST, Menu, remarks};
use crate::output;
use crate::style::{self, Line};

/// Lines of the screen that stay free: the prompt and a spare line.
pub const RESERVED: usize = 2;

/// A decision with everything that is shown about it.
pub struct PendingDecision {
    /// The decision, as data.
    pub decision: Decision,
    /// The decision in words.
    pub open: OpenDecision,
    /// The view of its seat.
    pub view: View,
}

impl PendingDecision {
    /// A decision that a person must make.
    pub fn new(session: &Session, decision: Decision) -> PendingDecision {
        let view = session.view_for(Some(decision.seat));
        PendingDecision { open: session.open_decision(&decision), decision, view }
    }

    /// The keys of its options.
    pub fn keys(&self) -> Vec<String> {
        self.open.options.iter().map(|option| option.key.clone()).collect()
    }
}

/// The lines that show a decision: the seat, the prompt and the options of a menu. The texts of cards are included if
/// they fit the room.
pub fn decision_lines(session: &Session, pending: &PendingDecision, menu: &Menu, room: Option<usize>) -> Vec<Line> {
    let (words, width) = (session.words(), output::width());
    let catalog = session.game().catalog();
    let PendingDecision { decision, open, view } = pending;
    let style = style::color(&catalog.factions[decision.seat.index()].color).bold();
    let mut head = Line::styled(style, words.value(Value::Faction(decision.seat), None));
    if let Some(phase) = view.phase {
        head.push(style::dim(), format!(" · {}", words.named("phase", &catalog.phases[phase.index()].id)));
    }
    if let Some(source) = &open.source {
        head.push(style::dim(), format!(" · {}", source.name));
    }
    let mut lines = vec![Line::new(), head.cut(width)];
    lines.extend(style::wrap(&open.prompt, width).into_iter().map(|row| Line::styled(style::bold(), row)));
    let help = open.help.as_deref().unwrap_or_default();
    lines.extend(
        style::wrap(help, width).into_iter().filter(|row| !row.is_empty()).map(|row| Line::styled(style::dim(), row)),
    );
    let details: Vec<Vec<Line>> = menu.entries.iter().map(|entry| detail_lines(open, entry, width)).collect();
    let all: usize = details.iter().map(Vec::len).sum();
    // The texts of cards appear below their options if there is room for all of them.
    let are_shown = all > 0 && lines.len() + menu.entries.len() + all <= room.unwrap_or(LONGEST + RESERVED);
    for (at, (entry, detail)) in menu.entries.iter().zip(details).enumerate() {
        lines.push(entry_line(session, open, at + 1, entry).cut(width));
        if are_shown {
            lines.extend(detail);
        }
    }
    if menu.is_part {
        lines.push(Line::styled(style::key(), "   0").with(style::dim(), format!("  {}", words.own("play.back", &[]))));
    }
    if all > 0 && !are_shown {
        lines.push(Line::styled(style::dim(), words.own("play.texts", &[])));
    }
    lines
}

fn entry_line(session: &Session, open: &OpenDecision, number: usize, entry: &Entry) -> Line {
    let words = session.words();
    match entry {
        Entry::Option(at) => {
            let line = option_line(number, open.options.get(*at).map_or("", |option| &option.text));
            match remarks(open, *at) {
                none if none.is_empty() => line,
                remarks => line.with(style::dim(), format!("  ({remarks})")),
            }
        }
        Entry::Part { label, members } => {
            let count = members.len().to_string();
            option_line(number, &words.own("play.part", &[label, &count]))
        }
        Entry::Group(group) => {
            let unit = |(kind, count): &(KindId, usize)| {
                let name = words.value(Value::Kind(*kind), None);
                if *count > 1 { format!("{name} ×{count}") } else { name }
            };
            let units = group.units.iter().map(unit).collect::<Vec<_>>().join(", ");
            let from = words.value(Value::Space(group.from), None);
            option_line(number, &words.own("play.group", &[&from, &units]))
        }
    }
}

fn detail_lines(open: &OpenDecision, entry: &Entry, width: usize) -> Vec<Line> {
    let Entry::Option(at) = entry else { return Vec::new() };
    let option = open.options.get(*at);
    let detail = option.and_then(|option| option.help.as_deref().or(option.detail.as_deref())).unwrap_or_default();
    let rows = style::wrap(detail, width.saturating_sub(6).max(20)).into_iter().filter(|row| !row.is_empty());
    rows.map(|row| Line::styled(style::dim(), format!("      {row}"))).collect()
}

/// A numbered option.
pub fn option_line(number: usize, label: &str) -> Line {
    Line::styled(style::key(), format!("{number:>4}")).with(Style::new(), format!("  {label}"))
}
