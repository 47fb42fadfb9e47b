//! Starts a game, or restores one from its state.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::game::Game;
use crate::catalog::{Catalog, GameConfig, Scope};
use crate::ids::*;
use crate::scripts::{ScriptError, Scripts};
use crate::state::{Answer, Frame, Table, Turns, World};

/// Why a game could not be started or restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The seats, options or packs do not fit.
    #[error("{0}")]
    Config(String),
    /// A script failed.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

/// A whole game at one moment, as plain data. With the same packs, it can be restored anywhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameState {
    /// The packs of the game ([`CatalogParts::fingerprint`](crate::catalog::CatalogParts::fingerprint)).
    pub fingerprint: String,
    /// The configuration.
    pub config: GameConfig,
    base: World,
    since: Vec<Answer>,
    record: Vec<Answer>,
    world: World,
    rolled: Vec<u32>,
    steps: u64,
}

impl<S: Scripts> Game<S> {
    /// Starts a game and runs it to the first decision.
    pub fn new(catalog: Arc<Catalog>, scripts: S, config: GameConfig) -> Result<Self, StartError> {
        Self::prepared(catalog, scripts, config, true, |_| Ok(()))
    }

    /// Starts a game. `prepare` may change the table before the first phase. If `flow` is false, no phase runs: the
    /// game idles until [`Game::run_hook`] or [`Game::run_phase`] starts something. Scenarios use this.
    pub fn prepared(
        catalog: Arc<Catalog>,
        scripts: S,
        mut config: GameConfig,
        flow: bool,
        prepare: impl FnOnce(&mut Table) -> Result<(), StartError>,
    ) -> Result<Self, StartError> {
        check_config(&catalog, &config)?;
        config.seats.sort_unstable();
        let world = Box::new(World::new(&catalog, &config));
        let mut table = Table { catalog, world, events: Vec::new(), record_events: true, rolled: Vec::new() };
        let all: Vec<SpaceId> = (0..table.catalog.spaces.len()).map(SpaceId::at).collect();
        table.settle_control(&all);
        table.world.triggers.clear();
        table.events.clear();
        table.world.flow.push(if flow { Frame::Turns(Turns::begin()) } else { Frame::Idle });
        prepare(&mut table)?;
        let base = Arc::new((*table.world).clone());
        let mut game = Game::at_base(scripts, table, Arc::new(config), base);
        let events = game.table.events.len();
        game.count_steps();
        let result = game.advance();
        let result = game.or_alone(result, |game| game.advance_base_alone(events));
        game.stop_counting(result.is_ok());
        result?;
        game.advance_base(None);
        Ok(game)
    }

    /// The game as plain data.
    pub fn state(&self) -> GameState {
        GameState {
            fingerprint: self.table.catalog.fingerprint.clone(),
            config: (*self.config).clone(),
            base: (*self.base).clone(),
            since: self.since.clone(),
            record: (*self.record).clone(),
            world: (*self.table.world).clone(),
            rolled: self.table.rolled.clone(),
            steps: self.steps,
        }
    }

    /// Restores a game from a state that this process made. Its scripts are rebuilt when the next answer needs them.
    /// For files from outside, use [`Game::new`] and replay the record, which does not have to be trusted.
    pub fn restore(catalog: Arc<Catalog>, scripts: S, snapshot: GameState) -> Result<Self, StartError> {
        if snapshot.fingerprint != catalog.fingerprint {
            return Err(StartError::Config("the state was made with different packs".to_owned()));
        }
        let table = Table {
            catalog,
            world: Box::new(snapshot.world),
            events: Vec::new(),
            record_events: true,
            rolled: snapshot.rolled,
        };
        Ok(Game {
            since: snapshot.since,
            record: Arc::new(snapshot.record),
            dormant: true,
            steps: snapshot.steps,
            ..Game::at_base(scripts, table, Arc::new(snapshot.config), Arc::new(snapshot.base))
        })
    }
}

fn check_config(catalog: &Catalog, config: &GameConfig) -> Result<(), StartError> {
    let fail = |message: String| Err(StartError::Config(message));
    let (least, most) = catalog.seats;
    if config.seats.len() < usize::from(least) || config.seats.len() > usize::from(most) {
        return fail(format!("`{}` needs {least} to {most} seats, found {}", catalog.game, config.seats.len()));
    }
    for (at, seat) in config.seats.iter().enumerate() {
        if seat.index() >= catalog.playable {
            return fail(format!("faction `{}` is not playable", catalog.id_of(Value::Faction(*seat))));
        }
        if config.seats[..at].contains(seat) {
            return fail(format!("faction `{}` is seated twice", catalog.id_of(Value::Faction(*seat))));
        }
    }
    for (counter, value) in &config.options {
        let Some(spec) = catalog.counters.get(counter.index()) else { return fail("unknown option".to_owned()) };
        if !spec.option || spec.scope != Scope::Game {
            return fail(format!("`{}` is not a setup option", spec.id));
        }
        if !(spec.min..=spec.max).contains(value) {
            return fail(format!("option `{}` must be from {} to {}, found {value}", spec.id, spec.min, spec.max));
        }
    }
    Ok(())
}
