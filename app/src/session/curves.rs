//! The counters of seats over the course of a game.

use principes_core::*;
use principes_scripting::LuaHost;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Session, SessionError};
use crate::save::give;

/// A counter of a seat over the course of a game, as one viewer saw it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Curve {
    /// The id of the counter.
    pub counter: String,
    /// The name of the counter.
    pub name: String,
    /// Whether the counter is a track.
    pub is_track: bool,
    /// The id of the faction.
    pub faction: String,
    /// Its changes: the number of answers, and the new value.
    pub points: Vec<(usize, i32)>,
}

impl Session {
    /// The curves of all named counters of seats, up to a number of answers.
    ///
    /// # Errors
    /// [`SessionError`]: an error of the replay.
    pub fn curves(&self, viewer: Option<SeatId>, until: usize) -> Result<Vec<Curve>, SessionError> {
        let mut game = self.replayed(0)?;
        game.record_events(false);
        let mut curves: Vec<((CounterId, SeatId), Curve)> = Vec::new();
        self.note(&game, viewer, 0, &mut curves);
        for (at, answer) in self.record().answers.iter().enumerate().take(until) {
            give(&mut game, at, answer)?;
            self.note(&game, viewer, at + 1, &mut curves);
        }
        curves.sort_by_key(|((counter, seat), curve)| (!curve.is_track, counter.index(), seat.index()));
        Ok(curves.into_iter().map(|(_, curve)| curve).collect())
    }

    fn note(
        &self,
        game: &Game<LuaHost>,
        viewer: Option<SeatId>,
        step: usize,
        curves: &mut Vec<((CounterId, SeatId), Curve)>,
    ) {
        let catalog = game.catalog();
        for (counter, owner, value) in &game.table().view(viewer).counters {
            let (Value::Faction(seat), Value::Int(value)) = (*owner, *value) else { continue };
            let spec = &catalog.counters[counter.index()];
            if seat.index() >= catalog.playable || !self.words().is_named("counter", &spec.id) {
                continue;
            }
            match curves.iter_mut().find(|(key, _)| *key == (*counter, seat)) {
                Some((_, curve)) if curve.points.last().is_some_and(|(_, last)| *last == value) => {}
                Some((_, curve)) => curve.points.push((step, value)),
                None => {
                    let curve = Curve {
                        counter: spec.id.clone(),
                        name: self.words().value(Value::Counter(*counter), None),
                        is_track: spec.track,
                        faction: catalog.id_of(Value::Faction(seat)),
                        points: vec![(step, value)],
                    };
                    curves.push(((*counter, seat), curve));
                }
            }
        }
    }
}
