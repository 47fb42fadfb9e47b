//! Parses the lines that a player types.

use std::path::PathBuf;

use anstyle::Style;
use anyhow::Result;
use principes_app::session::{Existing, Session, rules};
use principes_app::words::plain;
use principes_author::scenario_from_save::{ScenarioRequest, make};
use principes_content::Stage;
use principes_core::*;

use super::menu::{Entry, Menu};
use super::pending::{PendingDecision, option_line};
use super::terminal::{Terminal, as_key};
use super::why::why;
use crate::arguments::PackArgs;
use crate::board::Drawing;
use crate::output;
use crate::packs;
use crate::style::{self, Line};

/// The command that a typed line stands for.
pub enum Command {
    /// Takes an option.
    Take(String),
    /// Takes an option for the first unit of a space; the other units follow.
    Lead(SpaceId, String),
    /// Plays an aside.
    Aside(String),
    /// Takes back the last answer.
    Undo,
    /// Shows another menu; `None` is the menu of the whole decision.
    Open(Option<Menu>),
    /// Leaves the game.
    Quit,
    /// Shows something, then prompts again.
    Shown,
    /// Shows the decision again, because it may have changed.
    AskAgain,
}

impl Terminal {
    /// Parses a line that was typed at a decision, and shows what the line requests.
    pub(super) fn understand(
        &mut self,
        line: &str,
        session: &mut Session,
        pending: &PendingDecision,
        menu: &Menu,
        only_match: &mut Option<String>,
        packs: &PackArgs,
    ) -> Result<Command> {
        let matched = only_match.take();
        if line.is_empty() {
            return Ok(match matched {
                Some(key) => Command::Take(key),
                None => {
                    self.show_decision(session, pending, menu)?;
                    Command::Shown
                }
            });
        }
        if let Ok(number) = line.parse::<usize>() {
            return self.number(number, session, pending, menu);
        }
        // The key of an option wins over a command with the same name.
        if pending.open.options.iter().any(|option| option.key == line) {
            return Ok(Command::Take(line.to_owned()));
        }
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "q" | "quit" | "exit" => return Ok(Command::Quit),
            "u" | "undo" => return Ok(Command::Undo),
            "a" | "aside" | "asides" => return self.choose_aside(session, pending.decision.seat, rest, packs),
            "all" => return Ok(Command::Open(Some(Menu::flat(&pending.decision)))),
            _ => {}
        }
        let Some(lines) = self.lines_for(word, rest, session, pending, menu)? else {
            self.filter(session, pending, line.trim_start_matches('/'), only_match)?;
            return Ok(Command::Shown);
        };
        self.say_all(&lines)?;
        Ok(Command::Shown)
    }

    fn number(&mut self, number: usize, session: &Session, pending: &PendingDecision, menu: &Menu) -> Result<Command> {
        let words = session.words();
        Ok(match menu.entry(number) {
            None if number == 0 && menu.is_part => Command::Open(None),
            None => {
                let (number, count) = (number.to_string(), menu.entries.len().to_string());
                self.error(words.own("play.not-number", &[&number, &count]))?;
                Command::Shown
            }
            Some(Entry::Option(at)) => Command::Take(pending.open.options[*at].key.clone()),
            Some(Entry::Part { members, .. }) => Command::Open(Some(Menu::part(words, &pending.decision, members))),
            Some(Entry::Group(group)) => {
                let catalog = session.game().catalog();
                let first = |option: &&DecisionOption| {
                    option.verb == Some(catalog.words.r#move) && option.args.last() == Some(&Value::Space(group.from))
                };
                match pending.decision.options.iter().find(first) {
                    Some(option) => Command::Lead(group.from, option.key(catalog)),
                    None => Command::AskAgain,
                }
            }
        })
    }

    /// The lines that a command shows; `None` if the command is unknown.
    fn lines_for(
        &mut self,
        word: &str,
        rest: &str,
        session: &mut Session,
        pending: &PendingDecision,
        menu: &Menu,
    ) -> Result<Option<Vec<Line>>> {
        let width = output::width();
        let drawing = || Drawing::new(session, &pending.view, width);
        Ok(Some(match word {
            "?" | "help" => session.words().own("play.help", &[]).lines().map(Line::plain).collect(),
            "b" | "board" | "map" => drawing().map(),
            "t" | "tracks" | "table" => {
                let board = drawing();
                board.middle().into_iter().chain(board.seats()).collect()
            }
            "h" | "hand" => drawing().hand(),
            "l" | "log" => self.log_lines(session, pending.decision.seat, rest),
            "r" | "read" => read_lines(session, pending, menu, rest, width),
            "rules" => rule_lines(session, pending.decision.seat, width),
            "w" | "why" => why(session, &pending.decision, width),
            "s" | "save" => vec![self.save(session, rest)?],
            "scenario" => vec![make_scenario(session, rest)],
            _ => return Ok(None),
        }))
    }

    /// The end of the log, or the whole log with `all`.
    fn log_lines(&self, session: &Session, seat: SeatId, rest: &str) -> Vec<Line> {
        let words = session.words();
        let log = session.log(Some(seat));
        if log.is_empty() {
            return vec![Line::plain(format!("  {}", words.own("play.log-empty", &[])))];
        }
        let width = output::width().saturating_sub(4).max(20);
        let row = |(at, row): (usize, String)| Line::plain(format!("{}{row}", if at == 0 { "  " } else { "    " }));
        let rows = log.iter().flat_map(|line| style::wrap(line, width).into_iter().enumerate().map(row));
        let mut lines: Vec<Line> = rows.collect();
        let room = self.rows().filter(|_| rest != "all").map_or(usize::MAX, |rows| rows.saturating_sub(3));
        if lines.len() > room {
            lines.drain(..lines.len() - room);
            lines.insert(0, Line::styled(style::dim(), words.own("play.log-all", &[])));
        }
        lines
    }

    /// Shows the options that contain a text. If there is only one, Enter takes it.
    fn filter(
        &mut self,
        session: &Session,
        pending: &PendingDecision,
        text: &str,
        only_match: &mut Option<String>,
    ) -> Result<()> {
        let wanted = plain(text);
        let options = &pending.open.options;
        let found: Vec<usize> = (0..options.len()).filter(|at| plain(&options[*at].text).contains(&wanted)).collect();
        match found.as_slice() {
            [] => self.error(session.words().own("play.no-match", &[text])),
            [only] => {
                *only_match = Some(options[*only].key.clone());
                self.say(&Line::plain(format!("      {}", options[*only].text)))?;
                self.hint(session.words().own("play.one-match", &[]))
            }
            several => {
                // Keys are accepted in every menu.
                for at in several {
                    let key = Line::styled(style::key(), format!("      {}", options[*at].key));
                    self.say(&key.with(Style::new(), format!("  {}", options[*at].text)))?;
                }
                self.hint(session.words().own("play.several-match", &[]))
            }
        }
    }

    fn save(&mut self, session: &mut Session, file: &str) -> Result<Line> {
        let target = match (file, session.file()) {
            ("", None) => return Ok(Line::styled(style::dim(), session.words().own("play.save-where", &[]))),
            ("", Some(known)) => known.to_path_buf(),
            (file, _) => PathBuf::from(file),
        };
        let shown = target.display().to_string();
        Ok(match session.save_to(&target, Existing::Keep) {
            Ok(()) => Line::styled(style::dim(), session.words().own("play.saved", &[&shown])),
            Err(error) => Line::styled(style::bad(), error.to_string()),
        })
    }

    fn choose_aside(&mut self, session: &mut Session, seat: SeatId, wanted: &str, packs: &PackArgs) -> Result<Command> {
        let options = match session.asides(seat) {
            Ok(options) => options,
            Err(error) => {
                self.error(session.words().own("play.refused", &[&error.to_string()]))?;
                return Ok(Command::Shown);
            }
        };
        if options.is_empty() {
            self.hint(session.words().own("play.aside-none", &[]))?;
            return Ok(Command::Shown);
        }
        let keys: Vec<String> = options.iter().map(|option| option.key.clone()).collect();
        let mut wanted = wanted.to_owned();
        let mut is_listed = false;
        loop {
            let by_number = wanted.parse::<usize>().ok();
            let by_key = keys.iter().position(|key| *key == wanted);
            let by_text: Vec<usize> =
                (0..keys.len()).filter(|at| plain(&options[*at].text).contains(&plain(&wanted))).collect();
            match (by_key, by_number, by_text.as_slice()) {
                (Some(at), ..) => return Ok(Command::Aside(keys[at].clone())),
                (_, Some(0), _) => return Ok(Command::AskAgain),
                (_, Some(n), _) if n <= options.len() => return Ok(Command::Aside(keys[n - 1].clone())),
                (_, Some(n), _) => {
                    let count = options.len().to_string();
                    self.error(session.words().own("play.not-number", &[&n.to_string(), &count]))?;
                }
                (.., [only]) if !wanted.is_empty() => return Ok(Command::Aside(keys[*only].clone())),
                // Every other line is a command, as at the decision.
                (.., []) if is_listed => {
                    self.kept = Some(wanted);
                    return Ok(Command::Shown);
                }
                (.., []) => self.error(session.words().own("play.no-match", &[&wanted]))?,
                _ => {}
            }
            is_listed = true;
            let title = Line::styled(style::bold(), session.words().own("play.aside-title", &[]))
                .with(style::dim(), format!("  ({})", session.words().own("play.aside-back", &[])));
            self.say(&title)?;
            for (at, option) in options.iter().enumerate() {
                self.say(&option_line(at + 1, &option.text))?;
            }
            let prompt = format!("{} [0-{}] ", session.words().own("play.prompt", &[]), options.len());
            match self.read(&prompt, session, packs)? {
                Some(line) => wanted = line,
                None => {
                    // Empty or 0 returns to the decision, which is shown again anyway.
                    let back = |line: &String| line.is_empty() || line == "0";
                    let kept = self.kept.take().filter(|line| !back(line));
                    self.kept = kept.map(|line| format!("a {}", as_key(line, &keys)));
                    return Ok(if self.is_open() { Command::AskAgain } else { Command::Quit });
                }
            }
            if wanted.is_empty() {
                return Ok(Command::AskAgain);
            }
        }
    }
}

/// The text of a card or rule: an option by its number, or any by its name.
fn read_lines(session: &Session, pending: &PendingDecision, menu: &Menu, wanted: &str, width: usize) -> Vec<Line> {
    let words = session.words();
    let catalog = session.game().catalog();
    let numbered = match wanted.parse().ok().and_then(|number| menu.entry(number)) {
        Some(Entry::Option(at)) => pending.decision.options.get(*at),
        _ => None,
    };
    let found: Vec<Value> = match numbered {
        Some(option) => option.args.iter().copied().filter(|value| words.text_of(*value).is_some()).collect(),
        None if wanted.is_empty() => Vec::new(),
        None => {
            let designs = (0..catalog.designs.len()).map(|at| Value::Design(DesignId::at(at)));
            let rules = (0..catalog.rules.len()).map(|at| Value::Rule(RuleId::at(at)));
            let text = plain(wanted);
            designs.chain(rules).filter(|value| plain(&words.value(*value, None)).contains(&text)).collect()
        }
    };
    let mut lines = Vec::new();
    for value in found {
        if let Some(text) = words.text_of(value) {
            lines.extend(text_lines(&words.value(value, None), &text, width));
        }
    }
    if lines.is_empty() {
        lines.push(Line::styled(style::dim(), words.own("play.read-how", &[wanted])));
    }
    lines
}

/// The standing rules: those of the seat first, then those of others and of all seats.
fn rule_lines(session: &Session, seat: SeatId, width: usize) -> Vec<Line> {
    let words = session.words();
    let mut lines = Vec::new();
    for rule in rules(words, Some(seat)) {
        let title = match &rule.faction {
            Some(faction) => format!("{} ({faction})", rule.title),
            None => rule.title,
        };
        lines.extend(text_lines(&title, &rule.text, width));
    }
    if lines.is_empty() {
        lines.push(Line::styled(style::dim(), words.own("play.no-rules", &[])));
    }
    lines
}

fn text_lines(title: &str, text: &str, width: usize) -> Vec<Line> {
    let rows = style::wrap(text, width.saturating_sub(4).max(20)).into_iter();
    let rows = rows.filter(|row| !row.is_empty()).map(|row| Line::plain(format!("    {row}")));
    std::iter::once(Line::styled(style::bold(), format!("  {title}"))).chain(rows).collect()
}

/// Turns the game so far, or its last answers, into a scenario. `rest` is `ID [ANSWERS]`.
fn make_scenario(session: &Session, rest: &str) -> Line {
    let words = session.words();
    let (id, last) = rest.split_once(' ').map_or((rest, None), |(id, last)| (id, Some(last.trim().parse::<usize>())));
    let until = session.record().answers.len();
    let from = match last {
        None => 0,
        Some(Ok(last)) => until.saturating_sub(last),
        Some(Err(_)) => return Line::styled(style::dim(), words.own("play.scenario-how", &[])),
    };
    if id.is_empty() {
        return Line::styled(style::dim(), words.own("play.scenario-how", &[]));
    }
    let request = ScenarioRequest { id, title: None, from, until };
    match make(session.packs(), session.record(), &request, &packs::options(None, Stage::Scripts)) {
        Ok(file) => Line::styled(style::dim(), words.own("play.scenario-made", &[&file.display().to_string()])),
        Err(error) => Line::styled(style::bad(), packs::explained(error.into()).to_string()),
    }
}
