//! The chances of a battle, counted over imagined games: one at a time, so that no page waits for all of them.

use principes_app::session::Session;
use principes_core::{SeatId, Value};
use serde_json::{Value as Json, json};

use crate::wish::Reply;

/// How many battles are imagined.
const BATTLES: u64 = 30;

/// Battles that are still to be imagined for a page.
pub struct Odds {
    /// Whose battle it is.
    pub seat: SeatId,
    key: String,
    /// The version of the table that they are about.
    pub version: u64,
    done: u64,
    won: u64,
    reply: Reply,
}

impl Odds {
    /// Battles to imagine for an option of a seat.
    pub fn new(seat: SeatId, key: String, version: u64, reply: Reply) -> Self {
        Odds { seat, key, version, done: 0, won: 0, reply }
    }

    /// Tells the page that there is nothing to count.
    pub fn drop_it(self) {
        // It does not matter if the page is gone.
        let _ = self.reply.send(Ok(Json::Null));
    }

    /// Imagines one more battle. None when that was the last and the page has its answer.
    pub fn go_on(mut self, session: &Session) -> Option<Odds> {
        if self.reply.is_closed() {
            return None;
        }
        let fought = match session.fight(self.seat, &self.key, self.done) {
            Ok(Some(fought)) => fought,
            Ok(None) => {
                self.drop_it();
                return None;
            }
            // The game has moved on.
            Err(_) => {
                self.drop_it();
                return None;
            }
        };
        self.done += 1;
        self.won += u64::from(fought.is_won);
        if self.done < BATTLES {
            return Some(self);
        }
        let space = session.words().value(Value::Space(fought.space), None);
        let _ = self.reply.send(Ok(json!({ "won": self.won, "of": self.done, "space": space })));
        None
    }
}
