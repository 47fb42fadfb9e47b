//! Counts the chances of a battle over imagined games. It imagines one battle at a time, so that other requests do not
//! wait for all of them.

use principes_app::session::Session;
use principes_core::{SeatId, Value};
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::Reply;

/// The number of imagined battles.
const BATTLES: u64 = 30;

/// The chances of a seat in a battle.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Chances {
    /// The number of imagined battles that it won.
    pub won: u64,
    /// The number of imagined battles.
    pub of: u64,
    /// The name of the space.
    pub space: String,
}

/// Battles that remain to be imagined for a page.
pub struct Odds {
    /// Who asked; the copies are as this seat may imagine them.
    pub seat: SeatId,
    key: String,
    /// The version of the table that the battles belong to.
    pub version: u64,
    done: u64,
    won: u64,
    reply: Reply<Option<Chances>>,
}

impl Odds {
    /// Starts to count for an option of a seat.
    pub fn new(seat: SeatId, key: String, version: u64, reply: Reply<Option<Chances>>) -> Self {
        Odds { seat, key, version, done: 0, won: 0, reply }
    }

    /// Responds with null: there is nothing to count.
    pub fn cancel(self) {
        // The page may be gone.
        let _ = self.reply.send(Ok(None));
    }

    /// Imagines one more battle. Returns `None` after the last one, when the page has its response.
    pub fn imagine_next(mut self, session: &Session) -> Option<Odds> {
        if self.reply.is_closed() {
            return None;
        }
        let fought = match session.fight(self.seat, &self.key, self.done) {
            Ok(Some(fought)) => fought,
            Ok(None) => {
                self.cancel();
                return None;
            }
            // The game has moved on.
            Err(_) => {
                self.cancel();
                return None;
            }
        };
        self.done += 1;
        self.won += u64::from(fought.is_won);
        if self.done < BATTLES {
            return Some(self);
        }
        let space = session.words().value(Value::Space(fought.space), None);
        let _ = self.reply.send(Ok(Some(Chances { won: self.won, of: self.done, space })));
        None
    }
}
