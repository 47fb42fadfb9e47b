//! What is shown when it is a person's turn, so that it fits the screen: news, table, question.

use anstyle::Style;
use anyhow::Result;
use principes_app::session::{OpenDecision, Session};
use principes_core::*;

use super::menu::{Entry, Menu, remarks};
use super::terminal::Terminal;
use crate::board::Drawing;
use crate::output;
use crate::style::{self, Line};

/// At least so many lines of news are shown.
const LEAST_NEWS: usize = 4;
/// The prompt, and a line to spare.
const RESERVED: usize = 2;

/// A decision with everything that is said about it.
pub struct Question {
    /// The decision.
    pub ask: Decision,
    /// The same in words.
    pub open: OpenDecision,
    /// What its seat sees.
    pub view: View,
}

impl Question {
    /// The question that a person is asked now.
    pub fn new(session: &Session, ask: Decision) -> Question {
        let view = session.view_for(Some(ask.seat));
        Question { open: session.open_decision(&ask), ask, view }
    }

    /// The keys of its options.
    pub fn keys(&self) -> Vec<String> {
        self.open.options.iter().map(|option| option.key.clone()).collect()
    }
}

impl Terminal {
    /// Shows the news, the table where it is the seat's new turn, and the question.
    pub fn present(&mut self, session: &mut Session, question: &Question, menu: &Menu) -> Result<()> {
        let rows = self.rows();
        let asking = question_lines(session, question, menu, rows.map(|rows| rows.saturating_sub(RESERVED)));
        let moment = (question.ask.seat, session.turns_of(question.ask.seat));
        let mut table = Vec::new();
        if self.shown_at != Some(moment) {
            self.shown_at = Some(moment);
            table = table_lines(session, &question.view, rows.map(|rows| rows.saturating_sub(asking.len() + RESERVED)));
        }
        let room = rows.map(|rows| rows.saturating_sub(asking.len() + table.len() + RESERVED).max(LEAST_NEWS));
        self.tell_news(session, Some(question.ask.seat), room)?;
        self.say_all(&table)?;
        self.say_all(&asking)
    }

    /// Shows a question again, with another menu.
    pub fn show_question(&mut self, session: &Session, question: &Question, menu: &Menu) -> Result<()> {
        let room = self.rows().map(|rows| rows.saturating_sub(RESERVED));
        self.say_all(&question_lines(session, question, menu, room))
    }

    /// What has happened since a viewer was told last; of much, the last lines.
    pub fn tell_news(&mut self, session: &mut Session, seat: Option<SeatId>, room: Option<usize>) -> Result<()> {
        let width = output::width().saturating_sub(2).max(20);
        let news = session.news(seat);
        let mut lines: Vec<Line> = Vec::new();
        for line in &news {
            for (at, row) in style::wrap(line, width.saturating_sub(2).max(20)).into_iter().enumerate() {
                let indent = if at == 0 { "" } else { "  " };
                lines.push(Line::styled(style::dim(), "│ ").with(Style::new(), format!("{indent}{row}")));
            }
        }
        let hidden = room.map_or(0, |room| if lines.len() > room { lines.len() + 1 - room } else { 0 });
        if hidden > 0 {
            self.hint(session.words().own("play.news-more", &[&hidden.to_string()]))?;
        }
        self.say_all(&lines[hidden..])
    }

    /// The end: who won and why, and how everybody stands.
    pub fn tell_end(&mut self, session: &Session, view: &View, outcome: Outcome) -> Result<()> {
        let words = session.words();
        let board = Drawing::new(session, view, output::width());
        let mut line = Line::styled(style::bold(), words.end(outcome.winner));
        if let Some(cause) = words.outcome(outcome.cause, outcome.winner) {
            line.push(Style::new(), format!(" {cause}"));
        }
        let map = board.map();
        if self.rows().is_none_or(|rows| map.len() + board.standings(outcome.winner).len() + 4 < rows) {
            self.say(&Line::new())?;
            self.say_all(&map)?;
        }
        self.say(&Line::new())?;
        self.say(&line)?;
        self.say_all(&board.standings(outcome.winner))
    }
}

/// The table: all of it where it fits, else a line for each seat.
fn table_lines(session: &Session, view: &View, room: Option<usize>) -> Vec<Line> {
    let board = Drawing::new(session, view, output::width());
    let mut whole = vec![Line::new()];
    whole.extend(board.map());
    whole.push(Line::new());
    whole.extend(board.middle());
    whole.extend(board.seats());
    match room {
        Some(room) if whole.len() > room => board.summary(),
        _ => whole,
    }
}

fn question_lines(session: &Session, question: &Question, menu: &Menu, room: Option<usize>) -> Vec<Line> {
    let (words, width) = (session.words(), output::width());
    let catalog = session.game().catalog();
    let Question { ask, open, view } = question;
    let style = style::color(&catalog.factions[ask.seat.index()].color).bold();
    let mut head = Line::styled(style, words.value(Value::Faction(ask.seat), None));
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
    // Texts of cards stand below their options where there is room for all of them.
    let are_shown =
        all > 0 && lines.len() + menu.entries.len() + all <= room.unwrap_or(super::menu::LONGEST + RESERVED);
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
    let detail = open.options.get(*at).and_then(|option| option.detail.as_deref()).unwrap_or_default();
    let rows = style::wrap(detail, width.saturating_sub(6).max(20)).into_iter().filter(|row| !row.is_empty());
    rows.map(|row| Line::styled(style::dim(), format!("      {row}"))).collect()
}

/// A numbered option.
pub fn option_line(number: usize, label: &str) -> Line {
    Line::styled(style::key(), format!("{number:>4}")).with(Style::new(), format!("  {label}"))
}
