//! Runs a game in the terminal: bots play and people decide until the game is over.

use anyhow::{Result, bail};
use principes_app::session::{Session, Undo};
use principes_app::setup::STUCK;
use principes_core::*;

use super::commands::Command;
use super::menu::Menu;
use super::pending::PendingDecision;
use super::terminal::{Terminal, as_key};
use crate::arguments::PackArgs;

impl Terminal {
    /// Plays until the game is over, the player leaves, or the input ends.
    pub fn play(&mut self, session: &mut Session, packs: &PackArgs) -> Result<()> {
        loop {
            if let Err(error) = self.let_bots_play(session) {
                if !self.is_watching() {
                    return Err(error);
                }
                // A designer at work can fix the file, and the game continues.
                self.error(format!("{error:#}"))?;
                self.wait_for_change(session, packs)?;
                continue;
            }
            let asked = session.next_decision();
            if let Some(decision) = &asked {
                self.pass_screen(session, decision.seat)?;
            }
            if let Some(outcome) = session.game().outcome() {
                self.end(session, outcome)?;
                return Ok(());
            }
            let Some(decision) = asked else { bail!(STUCK) };
            let pending = PendingDecision::new(session, decision);
            let menu = Menu::new(session.words(), &pending.decision, &pending.view);
            self.present(session, &pending, &menu)?;
            if !self.let_choose(session, &pending, menu, packs)? {
                return Ok(());
            }
        }
    }

    /// Shows the end of the game on the normal screen, where everybody may see it.
    fn end(&mut self, session: &mut Session, outcome: Outcome) -> Result<()> {
        let viewer = match session.humans()[..] {
            [only] => Some(only),
            _ => None,
        };
        self.leave_shared_screen()?;
        let room = self.rows().map(|rows| rows / 2);
        self.tell_news(session, viewer, room)?;
        self.tell_end(session, &session.view_for(viewer), outcome)?;
        self.flush()
    }

    /// Lets the bots play. A terminal shows which seat is thinking.
    fn let_bots_play(&mut self, session: &mut Session) -> Result<()> {
        if !self.interactive {
            return Ok(session.run_bots()?);
        }
        self.flush()?;
        let spinner = indicatif::ProgressBar::new_spinner();
        let mut result = Ok(true);
        while let Ok(true) = result {
            let waiting: Vec<String> = session
                .game()
                .pending()
                .iter()
                .map(|decision| session.words().value(Value::Faction(decision.seat), None))
                .collect();
            let thinking = session.words().own("play.thinking", &[&waiting.join(", ")]);
            spinner.set_message(self.charset.fit(&thinking).into_owned());
            spinner.tick();
            result = session.bot_step();
        }
        spinner.finish_and_clear();
        Ok(result.map(|_| ())?)
    }

    /// Reads lines until the decision is answered or gone. Returns false if the player leaves.
    fn let_choose(
        &mut self,
        session: &mut Session,
        pending: &PendingDecision,
        menu: Menu,
        packs: &PackArgs,
    ) -> Result<bool> {
        // If there is one option, Enter takes it. The seat still has to answer: others must not learn that it had only
        // one option.
        let only = |pending: &PendingDecision| match &pending.open.options[..] {
            [only] => Some(only.key.clone()),
            _ => None,
        };
        let mut only_match = only(pending);
        let (full_menu, mut menu) = (menu.clone(), menu);
        let seat = pending.decision.seat;
        loop {
            let least = if menu.is_part { 0 } else { 1 };
            let prompt = format!("{} [{least}-{}, ?] ", session.words().own("play.prompt", &[]), menu.entries.len());
            let Some(line) = self.read(&prompt, session, packs)? else {
                // The content was reloaded during the decision, or the input has ended.
                self.kept = self.kept.take().map(|line| as_key(line, &pending.keys()));
                return Ok(self.is_open());
            };
            let done = match self.understand(&line, session, pending, &menu, &mut only_match, packs)? {
                Command::Take(key) => self.take(session, pending, &key),
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
                    menu = part.unwrap_or_else(|| full_menu.clone());
                    self.show_decision(session, pending, &menu)?;
                    continue;
                }
                Command::Quit => return Ok(false),
                Command::Shown => continue,
                Command::AskAgain => return Ok(true),
            };
            match done {
                Ok(()) => return Ok(true),
                Err(error) => self.error(session.words().own("play.refused", &[&format!("{error:#}")]))?,
            }
        }
    }

    /// Takes an option. If a group marches, its other units follow the first one.
    fn take(&mut self, session: &mut Session, pending: &PendingDecision, key: &str) -> Result<()> {
        let seat = pending.decision.seat;
        session.answer(seat, key)?;
        let catalog = session.game().catalog().clone();
        let taken = pending.decision.options.iter().find(|option| option.key(&catalog) == key);
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

    /// Takes back the seat's last answer. Returns false if nothing was taken back.
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
}
