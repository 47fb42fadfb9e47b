//! Answers to open decisions, and asides.

use std::sync::Arc;

use super::game::Game;
use crate::ids::*;
use crate::scripts::{ScriptError, Scripts};
use crate::state::{Answer, DecisionOption, Event, Frame, LiveHook, Reply};

/// Why an answer was refused. The game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// No open decision or aside of the seat offers this.
    #[error("this is not an option now")]
    NotOffered,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// A script failed.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

impl<S: Scripts> Game<S> {
    /// Answers an open decision of a seat and continues to the next decision. On an error, nothing changes.
    pub fn answer(&mut self, seat: SeatId, option: DecisionOption) -> Result<(), AnswerError> {
        if self.outcome().is_some() {
            return Err(AnswerError::Over);
        }
        let Some(decision) = self.table.offered(seat, &option) else {
            return Err(AnswerError::NotOffered);
        };
        self.play(Answer { seat, option, aside: false }, |game, answer| game.apply_offered(answer, decision))
    }

    /// The asides that a seat may play. Empty unless the game waits for a seat.
    pub fn asides(&mut self, seat: SeatId) -> Result<Vec<DecisionOption>, ScriptError> {
        if self.outcome().is_some() || !self.table.world.is_led(seat) || self.table.decisions().next().is_none() {
            return Ok(Vec::new());
        }
        if let Some((_, options)) = self.asides.as_ref().filter(|(of, _)| *of == seat) {
            return Ok(options.clone());
        }
        let mut options = Vec::new();
        if let Some(rule) = &self.table.catalog.asides {
            options = self.listed(rule.options, seat)?;
        }
        if let Some(Frame::Movement(movement)) = self.table.world.flow.last()
            && movement.may_withdraw(seat)
        {
            options.push(DecisionOption::verb(self.table.catalog.words.withdraw_consent, &[]));
        }
        self.asides = Some((seat, options.clone()));
        Ok(options)
    }

    /// Carries out one of [`Game::asides`]. On an error, nothing changes.
    pub fn play_aside(&mut self, seat: SeatId, option: DecisionOption) -> Result<(), AnswerError> {
        if self.outcome().is_some() {
            return Err(AnswerError::Over);
        }
        if !self.asides(seat)?.contains(&option) {
            return Err(AnswerError::NotOffered);
        }
        self.play(Answer { seat, option, aside: true }, Game::apply_aside)
    }

    fn play(
        &mut self,
        answer: Answer,
        apply: impl FnOnce(&mut Self, &Answer) -> Result<(), ScriptError>,
    ) -> Result<(), AnswerError> {
        self.asides = None;
        if self.dormant {
            self.rebuild()?;
        }
        self.check_answers()?;
        let events = self.table.events.len();
        self.count_steps();
        let result = apply(self, &answer).and_then(|()| self.advance());
        let result = self.or_alone(result, |game| {
            game.table.events.truncate(events);
            game.replay_since_base()?;
            game.count_steps();
            game.apply(&answer)?;
            game.advance()
        });
        self.stop_counting(result.is_ok());
        match result {
            Ok(()) => {
                self.advance_base(Some(answer));
                Arc::make_mut(&mut self.record).push(answer);
                Ok(())
            }
            Err(error) => {
                // Restores the state by replaying the answers since the base, without events.
                self.table.events.truncate(events);
                self.rebuild_quietly()?;
                Err(error.into())
            }
        }
    }

    /// Passes an answer to the frame that waits for it.
    pub(super) fn apply(&mut self, answer: &Answer) -> Result<(), ScriptError> {
        if answer.aside {
            return self.apply_aside(answer);
        }
        let offered = self.table.offered(answer.seat, &answer.option);
        let Some(decision) = offered else {
            return Err(ScriptError::flow("a recorded answer is not an option"));
        };
        self.apply_offered(answer, decision)
    }

    fn apply_offered(&mut self, answer: &Answer, decision: DecisionId) -> Result<(), ScriptError> {
        self.table.emit(Event::Chosen { seat: answer.seat, decision, option: answer.option });
        let waiting = match self.table.world.flow.last_mut() {
            Some(Frame::Script(script)) => Some(script),
            Some(Frame::Simultaneous(scripts)) => {
                scripts.iter_mut().find(|script| script.decision().is_some_and(|decision| decision.seat == answer.seat))
            }
            _ => None,
        };
        if let Some(script) = waiting {
            script.choose(Some(answer.option));
            return Ok(());
        }
        // A movement changes the table, so it must be taken off the stack meanwhile.
        let mut frame = self.pop();
        if let Some(Frame::Movement(movement)) = &mut frame
            && let Some(result) = movement.answer(&mut self.table, &answer.option)
        {
            self.give_result(Reply::Moved(result));
            return Ok(());
        }
        self.table.world.flow.extend(frame);
        Ok(())
    }

    fn apply_aside(&mut self, answer: &Answer) -> Result<(), ScriptError> {
        let words = &self.table.catalog.words;
        if answer.option.verb == Some(words.withdraw_consent)
            && let Some(Frame::Movement(movement)) = self.table.world.flow.last_mut()
        {
            movement.withdraw(answer.seat);
            return Ok(());
        }
        let Some(rule) = &self.table.catalog.asides else {
            return Err(ScriptError::flow("the game has no asides"));
        };
        let (play, decision) = (rule.play, rule.decision);
        self.table.emit(Event::Chosen { seat: answer.seat, decision, option: answer.option });
        let mut args = vec![Value::Faction(answer.seat)];
        args.push(answer.option.verb.map_or(Value::Nil, Value::Symbol));
        args.extend_from_slice(&answer.option.args);
        let live = LiveHook { owner: Some(answer.seat), ..LiveHook::of_flow(play) };
        let script = self.table.script_frame(live, Args::new(&args));
        self.table.world.flow.push(Frame::Script(script));
        Ok(())
    }
}
