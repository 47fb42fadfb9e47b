//! Shows a person's turn so that it fits on the screen: news, table, decision.

use anstyle::Style;
use anyhow::Result;
use principes_app::session::Session;
use principes_core::*;

use super::menu::Menu;
use super::pending::{PendingDecision, RESERVED, decision_lines};
use super::terminal::Terminal;
use crate::board::Drawing;
use crate::output;
use crate::style::{self, Line};

/// At least this many lines of news are shown.
const LEAST_NEWS: usize = 4;
impl Terminal {
    /// Shows the news, the decision and, at the start of a turn of the seat, the table.
    pub fn present(&mut self, session: &mut Session, pending: &PendingDecision, menu: &Menu) -> Result<()> {
        let rows = self.rows();
        let asking = decision_lines(session, pending, menu, rows.map(|rows| rows.saturating_sub(RESERVED)));
        let moment = (pending.decision.seat, session.turns_of(pending.decision.seat));
        let mut table = Vec::new();
        if self.shown_at != Some(moment) {
            self.shown_at = Some(moment);
            table = table_lines(session, &pending.view, rows.map(|rows| rows.saturating_sub(asking.len() + RESERVED)));
        }
        let room = rows.map(|rows| rows.saturating_sub(asking.len() + table.len() + RESERVED).max(LEAST_NEWS));
        self.tell_news(session, Some(pending.decision.seat), room)?;
        self.say_all(&table)?;
        self.say_all(&asking)
    }

    /// Shows a decision again, with another menu.
    pub fn show_decision(&mut self, session: &Session, pending: &PendingDecision, menu: &Menu) -> Result<()> {
        let room = self.rows().map(|rows| rows.saturating_sub(RESERVED));
        self.say_all(&decision_lines(session, pending, menu, room))
    }

    /// Shows the events since the viewer's last news. If there are too many, only the last lines are shown.
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

    /// Shows the end of the game: who won and why, and the standings.
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

/// The table in full if it fits, otherwise a line for each seat.
fn table_lines(session: &Session, view: &View, room: Option<usize>) -> Vec<Line> {
    let board = Drawing::new(session, view, output::width());
    let mut full = vec![Line::new()];
    full.extend(board.map());
    full.push(Line::new());
    full.extend(board.middle());
    full.extend(board.seats());
    match room {
        Some(room) if full.len() > room => board.summary(),
        _ => full,
    }
}
