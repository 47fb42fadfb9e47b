//! The [`Game`]: its data, and read access to it.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::catalog::{Catalog, GameConfig};
use crate::ids::*;
use crate::scripts::{ScriptError, Scripts};
use crate::state::{Answer, Decision, DecisionOption, Event, Frame, Outcome, Table, World};

/// One game: a table, its scripts, and the data to rebuild them.
pub struct Game<S: Scripts> {
    pub(super) scripts: S,
    /// The suspended scripts.
    pub(super) live: S::Live,
    pub(super) table: Table,
    // Clones share what rarely changes, until one of them continues.
    pub(super) config: Arc<GameConfig>,
    pub(super) base: Arc<World>,
    /// The answers given since the base.
    pub(super) since: Vec<Answer>,
    /// A newer base, which counts after the current answer has succeeded. Without `has_next_base`, only its buffers are
    /// reused.
    pub(super) next_base: Option<Arc<World>>,
    pub(super) has_next_base: bool,
    /// Whether no script has begun since the last phase ended.
    pub(super) between_phases: bool,
    /// The number of dice that had been rolled when the next base was taken.
    pub(super) rolled_before: usize,
    pub(super) record: Arc<Vec<Answer>>,
    /// The last listed asides with their seat, while nothing has happened since.
    pub(super) asides: Option<(SeatId, Vec<DecisionOption>)>,
    /// Whether suspended scripts must be rebuilt before the next answer.
    pub(super) dormant: bool,
    /// The steps of the answers so far.
    pub(super) steps: u64,
    /// The host's step count when the current answer began; `None` while steps do not count.
    pub(super) counted_from: Option<u64>,
}

impl<S: Scripts> Clone for Game<S> {
    fn clone(&self) -> Self {
        let table = Table { events: Vec::new(), ..self.table.clone() };
        Game {
            since: self.since.clone(),
            record: self.record.clone(),
            dormant: true,
            steps: self.steps,
            ..Game::at_base(self.scripts.clone(), table, self.config.clone(), self.base.clone())
        }
    }
}

impl<S: Scripts> Game<S> {
    /// A game at its base.
    pub(super) fn at_base(scripts: S, table: Table, config: Arc<GameConfig>, base: Arc<World>) -> Self {
        Game {
            scripts,
            live: S::Live::default(),
            table,
            config,
            base,
            since: Vec::new(),
            next_base: None,
            has_next_base: false,
            between_phases: false,
            rolled_before: 0,
            record: Arc::default(),
            asides: None,
            dormant: false,
            steps: 0,
            counted_from: None,
        }
    }

    /// The content of the packs.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.table.catalog
    }
    /// The table. Do not show it to clients: it contains every secret.
    pub fn table(&self) -> &Table {
        &self.table
    }
    /// Switches the event log on or off. Simulations do not need it.
    pub fn record_events(&mut self, on: bool) {
        self.table.record_events = on;
    }
    /// The events since the log was last taken or cleared, oldest first.
    pub fn events(&self) -> &[Event] {
        &self.table.events
    }
    /// Clears the log.
    pub fn clear_events(&mut self) {
        self.table.events.clear();
    }
    /// Takes the log and leaves an empty one.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.table.events)
    }
    /// The configuration.
    pub fn config(&self) -> &GameConfig {
        &self.config
    }
    /// All answers so far. Together with the packs and the configuration, they determine the game.
    pub fn record(&self) -> &[Answer] {
        &self.record
    }
    /// How the game ended; `None` while it continues.
    pub fn outcome(&self) -> Option<Outcome> {
        self.table.world.outcome
    }
    /// The open decisions; several in a simultaneous phase.
    pub fn pending(&self) -> Vec<&Decision> {
        self.table.pending()
    }

    /// A digest of the world; equal worlds have equal digests on every machine.
    pub fn digest(&self) -> String {
        digest(&self.table.world)
    }

    /// The hook that runs or waits: the innermost one, if hooks have triggered others.
    pub fn running_hook(&self) -> Option<HookId> {
        self.table.world.flow.iter().rev().find_map(|frame| match frame {
            Frame::Script(script) => Some(script.hook),
            Frame::Simultaneous(scripts) => scripts.first().map(|script| script.hook),
            _ => None,
        })
    }

    /// Runs all live query hooks of a point over a value.
    pub fn query(&mut self, point: HookPointId, value: i32, args: &[Value]) -> Result<i32, ScriptError> {
        self.scripts.query(point, value, args, &mut self.table)
    }
}

/// A digest of a world, as 16 hexadecimal digits.
pub fn digest(world: &World) -> String {
    // Plain data without maps or floats can always be serialized.
    let bytes = postcard::to_extend(world, Vec::with_capacity(1024)).unwrap_or_default();
    let first = Sha256::digest(&bytes).iter().take(8).fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    format!("{first:016x}")
}
