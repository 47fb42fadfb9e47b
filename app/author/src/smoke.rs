//! Plays a few random games in every variant to check that the packs can be played at all.

use std::cell::Cell;

use principes_app::packs::OpenPacks;
use principes_app::setup::{Player, STUCK, SetupError, SetupRequest, derive_seed, set_up};
use principes_core::bots::{self, Players, RandomBot};
use principes_core::scripts::ScriptError;
use principes_core::{AnswerError, Game, StartError};
use principes_findings::budget::{Effort, STEPS_OF_AN_ANSWER};
use principes_scripting::LuaHost;

/// Counts the steps of games as they are played.
pub struct PlayMeter<'a> {
    host: &'a LuaHost,
    effort: &'a Effort,
    counted: Cell<u64>,
}

impl<'a> PlayMeter<'a> {
    /// Counts the steps of games on a host and its clones from now on.
    pub fn new(host: &'a LuaHost, effort: &'a Effort) -> Self {
        PlayMeter { host, effort, counted: Cell::new(host.steps_in_all()) }
    }

    /// Counts an answer, with the steps of scripts since the last one. Returns whether the games must end.
    pub fn is_over(&self) -> bool {
        let now = self.host.steps_in_all();
        self.effort.take(STEPS_OF_AN_ANSWER + now.saturating_sub(self.counted.replace(now)));
        self.effort.is_over()
    }
}

/// The number of games in each variant.
const SMOKE_GAMES: u64 = 3;

/// Plays a few random games in each variant. `after` gets the variant and the result of each. Stops when the
/// steps or the time are used up; returns whether all games were played.
pub fn smoke_games(
    packs: &OpenPacks,
    host: &LuaHost,
    effort: &Effort,
    after: impl FnMut(Option<&str>, Result<(), ScriptError>),
) -> bool {
    trial_games(packs, host, SMOKE_GAMES, effort, after)
}

/// Plays the given number of random games in each variant. `after` gets the variant and the result of each. Stops
/// when the steps or the time are used up; returns whether all games were played.
pub fn trial_games(
    packs: &OpenPacks,
    host: &LuaHost,
    games: u64,
    effort: &Effort,
    mut after: impl FnMut(Option<&str>, Result<(), ScriptError>),
) -> bool {
    let variants: Vec<Option<String>> =
        std::iter::once(None).chain(packs.catalog.variants.iter().map(|variant| Some(variant.id.clone()))).collect();
    let meter = PlayMeter::new(host, effort);
    for variant in variants {
        for game in 0..games {
            let played = smoke(packs, host, variant.as_deref(), derive_seed(1, game), &meter);
            if meter.is_over() {
                return false;
            }
            after(variant.as_deref(), played);
        }
    }
    true
}

fn smoke(
    packs: &OpenPacks,
    host: &LuaHost,
    variant: Option<&str>,
    seed: u64,
    meter: &PlayMeter<'_>,
) -> Result<(), ScriptError> {
    let fail = |error: SetupError| ScriptError::flow(error.to_string());
    let request = SetupRequest { variant: variant.map(str::to_owned), ..SetupRequest::all(Player::Random, seed) };
    let table = set_up(&packs.catalog, &request).map_err(fail)?;
    let mut game = Game::new(packs.catalog.clone(), host.clone(), table.config).map_err(|error| match error {
        StartError::Script(error) => error,
        other => ScriptError::flow(other.to_string()),
    })?;
    let mut players: Players<LuaHost> = Vec::new();
    for (seat, _) in &table.players {
        players.push((*seat, Box::new(RandomBot::new(derive_seed(seed, 1 + u64::from(seat.0))))));
    }
    loop {
        game.take_events();
        match bots::step(&mut game, &mut players) {
            // A game that was interrupted has no result.
            Ok(true) if meter.is_over() => return Ok(()),
            Ok(true) => {}
            Ok(false) if game.outcome().is_some() => return Ok(()),
            Ok(false) => return Err(ScriptError::flow(STUCK)),
            Err(AnswerError::Script(error)) => return Err(error),
            Err(other) => return Err(ScriptError::flow(other.to_string())),
        }
    }
}
