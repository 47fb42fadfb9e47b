//! Plays a few random games in every variant to check that the packs can be played at all.

use principes_core::bots::{self, Players, RandomBot};
use principes_core::scripts::ScriptError;
use principes_core::{AnswerError, Game, StartError};
use principes_findings::budget::Deadline;
use principes_scripting::LuaHost;

use crate::packs::OpenPacks;
use crate::setup::{Player, STUCK, SetupError, SetupRequest, derive_seed, set_up};

/// The number of games in each variant.
const SMOKE_GAMES: u64 = 3;

/// Plays a few random games in each variant. `after` gets the variant and the result of each. Stops at the deadline;
/// returns whether all games were played.
pub fn smoke_games(
    packs: &OpenPacks,
    host: &LuaHost,
    deadline: Deadline,
    after: impl FnMut(Option<&str>, Result<(), ScriptError>),
) -> bool {
    trial_games(packs, host, SMOKE_GAMES, deadline, after)
}

/// Plays the given number of random games in each variant. `after` gets the variant and the result of each. Stops at
/// the deadline; returns whether all games were played.
pub fn trial_games(
    packs: &OpenPacks,
    host: &LuaHost,
    games: u64,
    deadline: Deadline,
    mut after: impl FnMut(Option<&str>, Result<(), ScriptError>),
) -> bool {
    let variants: Vec<Option<String>> =
        std::iter::once(None).chain(packs.catalog.variants.iter().map(|variant| Some(variant.id.clone()))).collect();
    for variant in variants {
        for game in 0..games {
            let played = smoke(packs, host, variant.as_deref(), derive_seed(1, game), deadline);
            if deadline.is_over() {
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
    deadline: Deadline,
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
            // A game that was interrupted by the deadline has no result.
            Ok(true) if deadline.is_over() => return Ok(()),
            Ok(true) => {}
            Ok(false) if game.outcome().is_some() => return Ok(()),
            Ok(false) => return Err(ScriptError::flow(STUCK)),
            Err(AnswerError::Script(error)) => return Err(error),
            Err(other) => return Err(ScriptError::flow(other.to_string())),
        }
    }
}
