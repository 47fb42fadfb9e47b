//! Keys: random texts that identify the owner of a page.

use std::fmt::Write as _;

use crate::request::StudioError;

/// The holder of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person who runs the studio, who sees and answers for every seat that people play.
    Host,
    /// One seat, by the id of its faction.
    Seat(String),
    /// A person who only watches.
    Spectator,
}

/// All keys of a studio.
pub struct Keys {
    list: Vec<(String, Role)>,
}

impl Keys {
    /// Makes new keys: one for the host, one for spectators, one for each seat.
    ///
    /// # Errors
    /// [`StudioError::System`]: the system cannot provide random numbers.
    pub fn new(seats: impl Iterator<Item = String>) -> Result<Self, StudioError> {
        let roles = [Role::Host, Role::Spectator].into_iter().chain(seats.map(Role::Seat));
        let list = roles.map(|role| Ok((fresh()?, role))).collect::<Result<_, StudioError>>()?;
        Ok(Keys { list })
    }

    /// The same keys for the host, spectators, and seats that are played again, and new ones for other seats.
    ///
    /// # Errors
    /// [`StudioError::System`]: the system cannot provide random numbers.
    pub fn with_seats(&self, seats: impl Iterator<Item = String>) -> Result<Self, StudioError> {
        let mut keys = self.without_seats();
        for seat in seats {
            let known = self.of_seat(&seat).map(str::to_owned);
            keys.list.push((known.map_or_else(fresh, Ok)?, Role::Seat(seat)));
        }
        Ok(keys)
    }

    /// The keys of the host and of spectators.
    pub fn without_seats(&self) -> Self {
        let is_seat = |role: &Role| matches!(role, Role::Seat(_));
        Keys { list: self.list.iter().filter(|(_, role)| !is_seat(role)).cloned().collect() }
    }

    /// The holder of a key.
    pub fn role(&self, key: &str) -> Option<&Role> {
        self.list.iter().find(|(known, _)| known == key).map(|(_, role)| role)
    }

    /// The seat of the only person who plays; `None` if there are several.
    pub fn only_seat(&self) -> Option<&str> {
        let mut seats = self.list.iter().filter_map(|(_, role)| match role {
            Role::Seat(id) => Some(id.as_str()),
            Role::Host | Role::Spectator => None,
        });
        seats.next().filter(|_| seats.next().is_none())
    }

    /// The host's key.
    pub fn host(&self) -> &str {
        self.of(&Role::Host).unwrap_or_default()
    }

    /// The spectators' key.
    pub fn spectators(&self) -> &str {
        self.of(&Role::Spectator).unwrap_or_default()
    }

    /// The key of a seat.
    pub fn of_seat(&self, id: &str) -> Option<&str> {
        self.of(&Role::Seat(id.to_owned()))
    }

    fn of(&self, wanted: &Role) -> Option<&str> {
        self.list.iter().find(|(_, role)| role == wanted).map(|(key, _)| key.as_str())
    }
}

fn fresh() -> Result<String, StudioError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StudioError::System(error.to_string()))?;
    let mut key = String::with_capacity(32);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(key, "{byte:02x}");
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_unique() {
        let keys = Keys::new(["a".to_owned(), "b".to_owned()].into_iter()).unwrap_or_else(|error| panic!("{error}"));
        let all = [
            keys.host(),
            keys.spectators(),
            keys.of_seat("a").unwrap_or_default(),
            keys.of_seat("b").unwrap_or_default(),
        ];
        for (at, key) in all.iter().enumerate() {
            assert_eq!(key.len(), 32);
            assert!(!all[at + 1..].contains(key));
        }
        assert_eq!(keys.role(all[2]), Some(&Role::Seat("a".to_owned())));
        assert_eq!(keys.role(""), None);
        let next =
            keys.with_seats(["c".to_owned(), "a".to_owned()].into_iter()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((next.host(), next.spectators(), next.of_seat("a")), (all[0], all[1], Some(all[2])));
        assert_eq!(next.role(all[3]), None, "the seat of another game is gone");
        assert_eq!(keys.without_seats().of_seat("a"), None);
    }
}
