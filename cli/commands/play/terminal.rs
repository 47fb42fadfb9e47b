//! The player's side of the table: what typed lines do.

use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use principes_app::session::{Session, Undo};
use principes_app::setup::STUCK;
use principes_app::watch::Watch;
use principes_core::*;

use super::charset::Charset;
use super::commands::Command;
use super::input::{Input, Typed};
use super::menu::Menu;
use super::screen::Question;
use crate::arguments::PackArgs;
use crate::output;
use crate::style::{self, Line};

/// How often changed files are looked for.
const WATCH_EVERY: Duration = Duration::from_millis(400);
/// The screen on which nothing stays.
const OTHER_SCREEN: &str = "\x1b[?1049h";
const OWN_SCREEN: &str = "\x1b[?1049l";
/// Nothing on the screen, and nothing above it.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// The player's side of the table.
pub struct Terminal {
    out: output::Stdout,
    charset: Charset,
    input: Option<Input>,
    /// What was typed at a prompt during which the content was reloaded: it answers the prompt that follows.
    pub(super) kept: Option<String>,
    watch: Option<Watch>,
    interactive: bool,
    /// Whether several people share the screen, so that nothing may stay on it.
    is_shared: bool,
    /// The moment of the game at which the board was drawn last.
    pub(super) shown_at: Option<(SeatId, usize)>,
    last_seat: Option<SeatId>,
    /// Where the units stand that are to follow the one for which a destination is chosen.
    marching: Option<SpaceId>,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.is_shared {
            // Who has left the game sees what was there before it.
            let _ = self.out.command(OWN_SCREEN).and_then(|()| self.out.flush());
        }
    }
}

impl Terminal {
    /// A terminal at standard input and output. With folders it looks for changes in them.
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

    /// Says what is played.
    pub fn greet(&mut self, session: &Session, is_resumed: bool) -> Result<()> {
        if self.interactive && session.humans().len() > 1 {
            self.is_shared = true;
            self.out.command(&format!("{OTHER_SCREEN}{CLEAR}"))?;
        }
        let words = session.words();
        if let (true, Some(file)) = (is_resumed, session.file()) {
            let answers = session.steps().to_string();
            self.hint(words.own("play.resumed", &[&file.display().to_string(), &answers]))?;
        }
        let count = session.players().len().to_string();
        let seed = session.game().config().seed.to_string();
        let text = words.own("play.start", &[&session.title(), &count, &seed]);
        self.say(&Line::styled(style::bold(), text))
    }

    /// Whether there can be more input.
    pub(super) fn is_open(&self) -> bool {
        self.input.is_some()
    }

    /// The height of the screen; none if nobody looks at one.
    pub(super) fn rows(&self) -> Option<usize> {
        self.interactive.then(output::height)
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
    pub(super) fn complain(&mut self, text: String) -> Result<()> {
        self.say(&Line::styled(style::bad(), text))
    }

    /// Plays until the game is over, the player leaves, or the input ends.
    pub fn play(&mut self, session: &mut Session, packs: &PackArgs) -> Result<()> {
        loop {
            if let Err(error) = self.let_bots_play(session) {
                if self.watch.is_none() {
                    return Err(error);
                }
                // A designer at work: the file is fixed, the game continues.
                self.complain(format!("{error:#}"))?;
                self.wait_for_change(session, packs)?;
                continue;
            }
            let asked = session.question();
            if let Some(ask) = &asked {
                self.pass_screen(session, ask.seat)?;
            }
            if let Some(outcome) = session.game().outcome() {
                self.end(session, outcome)?;
                return Ok(());
            }
            let Some(ask) = asked else { bail!(STUCK) };
            let question = Question::new(session, ask);
            let menu = Menu::new(session.words(), &question.ask, &question.view);
            self.present(session, &question, &menu)?;
            if !self.let_choose(session, &question, menu, packs)? {
                return Ok(());
            }
        }
    }

    /// The game is over: everybody may see it, on the screen that stays.
    fn end(&mut self, session: &mut Session, outcome: Outcome) -> Result<()> {
        let viewer = match session.humans()[..] {
            [only] => Some(only),
            _ => None,
        };
        if std::mem::take(&mut self.is_shared) {
            self.out.command(&format!("{CLEAR}{OWN_SCREEN}"))?;
        }
        let room = self.rows().map(|rows| rows / 2);
        self.tell_news(session, viewer, room)?;
        self.tell_end(session, &session.view_for(viewer), outcome)?;
        self.out.flush()?;
        Ok(())
    }

    /// Bots play; on a terminal one sees that they do.
    fn let_bots_play(&mut self, session: &mut Session) -> Result<()> {
        if !self.interactive {
            return Ok(session.run_bots()?);
        }
        self.out.flush()?;
        let spinner = indicatif::ProgressBar::new_spinner();
        let mut result = Ok(true);
        while let Ok(true) = result {
            let waiting: Vec<String> = session
                .game()
                .pending()
                .iter()
                .map(|ask| session.words().value(Value::Faction(ask.seat), None))
                .collect();
            let thinking = session.words().own("play.thinking", &[&waiting.join(", ")]);
            spinner.set_message(self.charset.fit(&thinking).into_owned());
            spinner.tick();
            result = session.bot_step();
        }
        spinner.finish_and_clear();
        Ok(result.map(|_| ())?)
    }

    /// Reads lines until the decision is answered or gone. False if the player leaves.
    fn let_choose(&mut self, session: &mut Session, question: &Question, menu: Menu, packs: &PackArgs) -> Result<bool> {
        // Where there is one option, Enter takes it. It is asked all the same: others must not learn that it is the
        // only one.
        let only = |question: &Question| match &question.open.options[..] {
            [only] => Some(only.key.clone()),
            _ => None,
        };
        let mut only_match = only(question);
        let (whole, mut menu) = (menu.clone(), menu);
        let seat = question.ask.seat;
        loop {
            let least = if menu.is_part { 0 } else { 1 };
            let prompt = format!("{} [{least}-{}, ?] ", session.words().own("play.prompt", &[]), menu.entries.len());
            let Some(line) = self.read(&prompt, session, packs)? else {
                // The content was reloaded under the question, or the input has ended.
                self.kept = self.kept.take().map(|line| as_key(line, &question.keys()));
                return Ok(self.is_open());
            };
            let done = match self.understand(&line, session, question, &menu, &mut only_match, packs)? {
                Command::Take(key) => self.take(session, question, &key),
                Command::Lead(from, key) => {
                    self.marching = Some(from);
                    session.answer(seat, &key).map_err(Into::into)
                }
                Command::Aside(key) => session.play_aside(seat, &key).map_err(Into::into),
                Command::Undo => match self.undo(session, seat)? {
                    true => Ok(()),
                    false => continue,
                },
                Command::Open(part) => {
                    menu = part.unwrap_or_else(|| whole.clone());
                    self.show_question(session, question, &menu)?;
                    continue;
                }
                Command::Quit => return Ok(false),
                Command::Shown => continue,
                Command::AskAgain => return Ok(true),
            };
            match done {
                Ok(()) => return Ok(true),
                Err(error) => self.complain(session.words().own("play.refused", &[&format!("{error:#}")]))?,
            }
        }
    }

    /// Takes an option; where a group marches, the others follow the first unit.
    fn take(&mut self, session: &mut Session, question: &Question, key: &str) -> Result<()> {
        let seat = question.ask.seat;
        session.answer(seat, key)?;
        let catalog = session.game().catalog().clone();
        let taken = question.ask.options.iter().find(|option| option.key(&catalog) == key);
        let Some(from) = self.marching.take() else { return Ok(()) };
        if let Some(option) = taken
            && let [Value::Space(to)] = option.args[..]
            && option.verb == Some(catalog.words.to)
        {
            let marched = session.follow(seat, from, to)?;
            if marched.followed > 0 {
                self.hint(session.words().own("play.followed", &[&marched.followed.to_string()]))?;
            }
            if marched.stayed > 0 {
                self.hint(session.words().own("play.stayed", &[]))?;
            }
        }
        Ok(())
    }

    /// Takes the seat's own last answer back. False if nothing is taken back.
    fn undo(&mut self, session: &mut Session, seat: SeatId) -> Result<bool> {
        let (text, is_done) = match session.undo(&[seat])? {
            Undo::Done => ("play.undone", true),
            Undo::Nothing => ("play.nothing-to-undo", false),
            Undo::TooLate => ("play.too-late-to-undo", false),
        };
        self.marching = None;
        self.hint(session.words().own(text, &[]))?;
        Ok(is_done)
    }

    /// A line; `None` if the prompt must be repeated or the input has ended (then it is closed).
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
                        // A transcript shows what was typed.
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

    /// Loads the content again and replays the game on it. Returns false if the game continues with the old content.
    fn reload(&mut self, session: &mut Session, packs: &PackArgs) -> Result<bool> {
        let ready = match crate::packs::load(packs) {
            Ok(ready) => ready,
            Err(error) => {
                self.complain(format!("{error:#}"))?;
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

    fn wait_for_change(&mut self, session: &mut Session, packs: &PackArgs) -> Result<()> {
        loop {
            std::thread::sleep(WATCH_EVERY);
            if self.watch.as_mut().is_some_and(Watch::changed) && self.reload(session, packs)? {
                return Ok(());
            }
        }
    }

    /// Where several people share the screen, nobody sees what is meant for another.
    fn pass_screen(&mut self, session: &Session, seat: SeatId) -> Result<()> {
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

/// What was typed, with a number as the key of its option: the number may mean another one after a reload.
pub(super) fn as_key(line: String, keys: &[String]) -> String {
    let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    number.and_then(|at| keys.get(at)).map_or(line, String::clone)
}
