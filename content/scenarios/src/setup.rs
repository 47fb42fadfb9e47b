//! The setup of scenarios.

use std::sync::Arc;

use principes_core::catalog::{Catalog, GameConfig, PhaseBody};
use principes_core::scripts::{ScriptError, Scripts};
use principes_core::*;
use principes_core::{LiveHook, Table};
use principes_findings::did_you_mean;
use principes_schemas::{Die, Scenario};

use crate::lookup::{self, Lookup};
use crate::step_error::{StepError, StepResult, answer_error, script_error, start_error};

/// A setup with more decisions than this is an endless loop.
const SETUP_ANSWERS: usize = 10_000;

/// The configuration of a scenario's game.
pub(crate) fn config(catalog: &Catalog, scenario: &Scenario) -> StepResult<GameConfig> {
    let mut options = Vec::new();
    let mut most = usize::from(catalog.seats.1);
    if let Some(id) = &scenario.variant {
        let variant = catalog.variants.iter().find(|variant| variant.id == id.as_str()).ok_or_else(|| {
            let hint = did_you_mean(id.as_str(), catalog.variants.iter().map(|variant| variant.id.as_str()));
            StepError::from(format!(
                "unknown variant `{id}`{}",
                hint.map_or_else(String::new, |hint| format!(" ({hint})"))
            ))
        })?;
        options.extend_from_slice(&variant.options);
        most = most.min(usize::from(variant.seats.1));
    }
    for (id, value) in scenario.options.iter() {
        let counter = lookup::counter(catalog, id)?;
        options.retain(|(other, _)| *other != counter);
        options.push((counter, *value));
    }
    let seats = match &scenario.seats {
        Some(seats) => seats.iter().map(|id| lookup::faction(catalog, id.as_str())).collect::<Lookup<Vec<_>>>()?,
        None => (0..catalog.playable.min(most)).map(FactionId::at).collect(),
    };
    Ok(GameConfig { seats, seed: scenario.seed.unwrap_or(1), options })
}

/// The fixed results of dice, counted from 0 as the generator counts them.
pub(crate) fn dice(catalog: &Catalog, scenario: &Scenario) -> StepResult<Vec<u32>> {
    let faces: Vec<&str> =
        catalog.battle.iter().flat_map(|rule| &rule.faces).map(|face| catalog.symbols.name(face.id.index())).collect();
    let face = |id: &str| {
        faces.iter().position(|face| *face == id).map(|at| at as u32).ok_or_else(|| {
            let hint = did_you_mean(id, faces.iter().copied());
            let hint = hint.map_or_else(String::new, |hint| format!(" ({hint})"));
            StepError::from(format!("the battle die has no face `{id}`{hint}"))
        })
    };
    let result = |die: &Die| match die {
        Die::Number(n) => n.checked_sub(1).ok_or_else(|| "the faces of a die are numbered from 1".into()),
        Die::Face(id) => face(id.as_str()),
    };
    scenario.dice.iter().map(result).collect()
}

/// The game at its first decision.
pub(crate) fn first_decision<S: Scripts>(
    catalog: &Arc<Catalog>,
    scripts: &S,
    config: GameConfig,
    scenario: &Scenario,
) -> StepResult<Game<S>> {
    let fixed = dice(catalog, scenario)?;
    let prepare = |table: &mut Table| {
        table.script_dice(&fixed);
        Ok(())
    };
    Game::prepared(Arc::clone(catalog), scripts.clone(), config, true, prepare)
        .map_err(|error| start_error(catalog, error))
}

/// The game after its setup, with the rest of the flow dropped.
pub(crate) fn set_up<S: Scripts>(catalog: &Arc<Catalog>, scripts: &S, config: GameConfig) -> StepResult<Game<S>> {
    let mut game = Game::prepared(Arc::clone(catalog), scripts.clone(), config, false, |_| Ok(()))
        .map_err(|error| start_error(catalog, error))?;
    let setup = catalog.flow.first().map(|phase| &catalog.phases[phase.index()].body);
    if let Some(PhaseBody::Run(hook)) = setup {
        let fail = |error: StepError| error.reworded(|error| format!("setup failed: {error}"));
        run_flow_hook(&mut game, *hook).map_err(|error| fail(script_error(catalog, error)))?;
        for _ in 0..SETUP_ANSWERS {
            let first = game.pending().first().map(|open| (open.seat, open.options[0]));
            let Some((seat, option)) = first else { break };
            game.answer(seat, option).map_err(|error| fail(answer_error(catalog, error)))?;
        }
    }
    if !game.is_idle() {
        return Err("setup did not end".into());
    }
    game.take_events();
    Ok(game)
}

fn run_flow_hook<S: Scripts>(game: &mut Game<S>, hook: HookId) -> Result<(), ScriptError> {
    game.run_hook(LiveHook { hook, owner: None, card: None, priority: 0 }, &[])
}
