//! Answers that wait for the bots. A game depends on its seed and on the answers of people, but not on time: bots make
//! all their steps before an answer counts, however fast a page is.

use std::collections::VecDeque;

use principes_app::session::{Session, SessionError};
use principes_core::{Args, DecisionId, SeatId};

use crate::command::{AnswerRequest, Play, Reply, RequestError};
use crate::messages::TableVersion;

/// Commands that change the game, in the order in which they arrived.
#[derive(Default)]
pub struct Queue(VecDeque<Waiting>);

/// A command that waits.
struct Waiting {
    seat: SeatId,
    /// The decision that it answers, if it answers one.
    asked: Option<Asked>,
    play: Play,
    reply: Reply<TableVersion>,
}

/// What a seat was asked: the kind of the decision, and the values of its prompt.
type Asked = (DecisionId, Args);

impl Queue {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lets an answer wait. An answer to nothing, and a second answer of a seat, are refused at once: they could hit the
    /// next decision.
    pub fn answer(&mut self, session: &Session, seat: SeatId, given: AnswerRequest, reply: Reply<TableVersion>) {
        let asked = asked(session, seat, &given.key);
        if self.0.iter().any(|waiting| waiting.seat == seat) {
            let error = RequestError(409, "an earlier answer of this seat waits for the bots".to_owned());
            drop(reply.send(Err(error)));
        } else if asked.is_none() && !given.aside {
            drop(reply.send(Err(not_offered(&given.key))));
        } else {
            let asked = asked.filter(|_| !given.aside);
            self.0.push_back(Waiting { seat, asked, play: Play::Answer(given), reply });
        }
    }

    /// Lets the wish to take back an answer wait.
    pub fn undo(&mut self, seat: SeatId, id: String, reply: Reply<TableVersion>) {
        self.0.push_back(Waiting { seat, asked: None, play: Play::Undo(id), reply });
    }

    /// The next command to carry out. Answers to decisions that are gone are refused.
    pub fn next(&mut self, session: &Session) -> Option<(Play, Reply<TableVersion>)> {
        while let Some(Waiting { seat, asked: wanted, play, reply }) = self.0.pop_front() {
            match (&wanted, &play) {
                (Some(_), Play::Answer(given)) if asked(session, seat, &given.key) != wanted => {
                    drop(reply.send(Err(not_offered(&given.key))));
                }
                _ => return Some((play, reply)),
            }
        }
        None
    }

    /// Refuses everything, because another game has begun.
    pub fn clear(&mut self) {
        for waiting in self.0.drain(..) {
            drop(waiting.reply.send(Err(RequestError(409, "another game has begun".to_owned()))));
        }
    }
}

/// The decision in which a seat has an option now.
fn asked(session: &Session, seat: SeatId, key: &str) -> Option<Asked> {
    let game = session.game();
    let mut open = game.pending().into_iter().filter(|decision| decision.seat == seat);
    let offered = open.find(|decision| decision.options.iter().any(|option| option.key(game.catalog()) == key))?;
    Some((offered.kind, offered.about))
}

fn not_offered(key: &str) -> RequestError {
    RequestError(409, SessionError::NotOffered(key.to_owned()).to_string())
}
