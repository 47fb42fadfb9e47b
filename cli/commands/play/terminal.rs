//! The screen and the keyboard. Changed content is reloaded while the program waits for a line.

use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use principes_app::session::Session;
use principes_app::watch::Watch;
use principes_core::*;

use super::charset::Charset;
use super::input::{Input, Typed};
use crate::arguments::PackArgs;
use crate::output;
use crate::style::{self, Line};

/// How often files are checked for changes.
const WATCH_EVERY: Duration = Duration::from_millis(400);
/// Switches to the terminal's second screen, which disappears at the end of the game.
const OTHER_SCREEN: &str = "\x1b[?1049h";
const OWN_SCREEN: &str = "\x1b[?1049l";
/// Clears the screen and the lines above it.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// The screen and the keyboard of a game.
pub struct Terminal {
    out: output::Stdout,
    pub(super) charset: Charset,
    input: Option<Input>,
    /// A line that was typed while the content was reloaded. It answers the next prompt.
    pub(super) kept: Option<String>,
    watch: Option<Watch>,
    /// Whether a person uses a terminal, rather than a pipe.
    pub(super) interactive: bool,
    /// Whether several people share the screen, so that nothing may stay on it.
    is_shared: bool,
    /// When the board was last drawn: the seat, and the number of its turns.
    pub(super) shown_at: Option<(SeatId, usize)>,
    last_seat: Option<SeatId>,
    /// Where the units stand that will follow the one for which a destination is chosen.
    pub(super) marching: Option<SpaceId>,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.is_shared {
            // Restores the screen from before the game.
            let _ = self.out.command(OWN_SCREEN).and_then(|()| self.out.flush());
        }
    }
}

impl Terminal {
    /// A terminal on standard input and output. Watches the given folders for changes.
    pub fn new(watched: Option<&[PathBuf]>) -> Self {
        let interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        Terminal {
            watch: watched.map(Watch::begin),
            input: None,
            kept: None,
            interactive,
            is_shared: false,
            charset: if interactive { Charset::of_environment() } else { Charset::Unicode },
            shown_at: None,
            last_seat: None,
            marching: None,
            out: output::stdout(),
        }
    }

    /// Shows the name of the game and, if it is resumed, its file and what has changed since it was saved.
    pub fn greet(&mut self, session: &Session, is_resumed: bool, notes: &[String]) -> Result<()> {
        if self.interactive && session.humans().len() > 1 {
            self.is_shared = true;
            self.out.command(&format!("{OTHER_SCREEN}{CLEAR}"))?;
        }
        let words = session.words();
        if let (true, Some(file)) = (is_resumed, session.file()) {
            let answers = session.steps().to_string();
            self.hint(words.own("play.resumed", &[&file.display().to_string(), &answers]))?;
        }
        for note in notes {
            self.hint(note.clone())?;
        }
        let count = session.players().len().to_string();
        let seed = session.game().config().seed.to_string();
        let text = words.own("play.start", &[&session.title(), &count, &seed]);
        self.say(&Line::styled(style::bold(), text))
    }

    /// Whether more input can come.
    pub(super) fn is_open(&self) -> bool {
        self.input.is_some()
    }

    /// The height of the screen; `None` if the output is not a terminal.
    pub(super) fn rows(&self) -> Option<usize> {
        self.interactive.then(output::height)
    }

    /// Whether changed files are reloaded.
    pub(super) fn is_watching(&self) -> bool {
        self.watch.is_some()
    }

    /// Leaves the shared screen and returns to the terminal's normal one.
    pub(super) fn leave_shared_screen(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_shared) {
            self.out.command(&format!("{CLEAR}{OWN_SCREEN}"))?;
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
    pub(super) fn say(&mut self, line: &Line) -> Result<()> {
        let text = line.to_string();
        writeln!(self.out, "{}", self.charset.fit(&text))?;
        Ok(())
    }
    pub(super) fn say_all(&mut self, lines: &[Line]) -> Result<()> {
        lines.iter().try_for_each(|line| self.say(line))
    }
    pub(super) fn hint(&mut self, text: String) -> Result<()> {
        self.say(&Line::styled(style::dim(), text))
    }
    pub(super) fn error(&mut self, text: String) -> Result<()> {
        self.say(&Line::styled(style::bad(), text))
    }

    /// Reads a line. `None` if the prompt must be repeated or the input has ended, in which case it is closed.
    pub(super) fn read(&mut self, prompt: &str, session: &mut Session, packs: &PackArgs) -> Result<Option<String>> {
        let key = style::key();
        write!(self.out, "{key}{}{key:#}", self.charset.fit(prompt))?;
        self.out.flush()?;
        if let Some(line) = self.kept.take() {
            writeln!(self.out, "{line}")?;
            return Ok(Some(line));
        }
        let limit = self.watch.as_ref().map(|_| WATCH_EVERY);
        loop {
            let typed = self.input.get_or_insert_with(Input::begin).next(limit);
            if self.watch.as_mut().is_some_and(Watch::changed) {
                writeln!(self.out)?;
                let reloaded = self.reload(session, packs)?;
                if reloaded {
                    if let Typed::Line(line) = typed {
                        self.kept = Some(line);
                    }
                    return Ok(None);
                }
                write!(self.out, "{key}{}{key:#}", self.charset.fit(prompt))?;
                self.out.flush()?;
            }
            match typed {
                Typed::Line(line) => {
                    if !self.interactive {
                        // Echoes the line, so that a transcript shows it.
                        writeln!(self.out, "{line}")?;
                    }
                    return Ok(Some(line));
                }
                Typed::Nothing => {}
                Typed::End => {
                    writeln!(self.out)?;
                    self.input = None;
                    self.hint(session.words().own("play.ended", &[]))?;
                    return Ok(None);
                }
            }
        }
    }

    /// Reloads the content and replays the game on it. Returns false if the game continues with the old content.
    fn reload(&mut self, session: &mut Session, packs: &PackArgs) -> Result<bool> {
        let ready = match crate::packs::load(packs) {
            Ok(ready) => ready,
            Err(error) => {
                self.error(format!("{error:#}"))?;
                self.hint(session.words().own("play.reload-broken", &[]))?;
                return Ok(false);
            }
        };
        match session.reload(ready) {
            Ok(answers) => {
                self.shown_at = None;
                self.hint(session.words().own("play.reloaded", &[&answers.to_string()]))?;
                Ok(true)
            }
            Err(error) => {
                self.hint(session.words().own("play.reload-misfit", &[&error.to_string()]))?;
                Ok(false)
            }
        }
    }

    /// Waits until the content has changed and can be played.
    pub(super) fn wait_for_change(&mut self, session: &mut Session, packs: &PackArgs) -> Result<()> {
        loop {
            std::thread::sleep(WATCH_EVERY);
            if self.watch.as_mut().is_some_and(Watch::changed) && self.reload(session, packs)? {
                return Ok(());
            }
        }
    }

    /// Clears the shared screen between players, so that nobody sees another player's information.
    pub(super) fn pass_screen(&mut self, session: &Session, seat: SeatId) -> Result<()> {
        let changed = self.last_seat.replace(seat).is_some_and(|last| last != seat);
        if !(changed && self.interactive) {
            return Ok(());
        }
        let name = session.words().value(Value::Faction(seat), None);
        self.out.command(CLEAR)?;
        self.hint(session.words().own("play.pass-screen", &[&name]))?;
        if let Typed::End = self.input.get_or_insert_with(Input::begin).next(None) {
            self.input = None;
        }
        self.out.command(CLEAR)?;
        self.shown_at = None;
        Ok(())
    }
}

/// Replaces the number of an option with its key, because the number may mean another option after a reload.
pub(super) fn as_key(line: String, keys: &[String]) -> String {
    let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    number.and_then(|at| keys.get(at)).map_or(line, String::clone)
}
