//! Requests that concern the game and the workbench, its trials or the rulebook together.

use std::path::PathBuf;

use principes_app::setup::Player;
use serde_json::Value as Json;

use crate::access::{Answer, Asked};
use crate::command::{NewScenario, RequestError};
use crate::table::{Command, Table};
use crate::workbench::Task;

/// The rulebook of the packs as they were loaded last.
pub async fn rulebook(by: Asked) -> Answer {
    let loads = by.studio.game()?.ask(Command::of(|table| Ok(table.loads().into()))).await?;
    by.studio.rules.read(loads.as_u64().unwrap_or_default()).await
}

/// Makes a scenario, which can be undone like an edit.
pub async fn scenario(by: Asked, new: NewScenario) -> Answer {
    let made = by.studio.game()?.ask(Command::of(move |table| table.make_scenario(&new))).await?;
    let path = |key: &str| PathBuf::from(made[key].as_str().unwrap_or_default());
    by.studio.workbench.ask(Task::Made(path("root"), path("file"))).await?;
    Ok(made)
}

/// Opens the game that was found. The current game is paused.
pub async fn open_trial(by: Asked) -> Answer {
    let studio = by.studio;
    let found = studio.trials.take()?;
    let person = found.save.config.seats.iter().find(|(_, player)| **player == Player::Human);
    // Pages look at the game as soon as it is open.
    studio.trials.set_seat(person.map(|(seat, _)| seat.clone()));
    let opened = studio.game()?.ask(Command::of(move |table| table.try_out(&found))).await;
    if opened.is_err() {
        studio.trials.set_seat(None);
    }
    opened
}

/// Does what turns to another game. The host's seat in a trial ends before that, so that no page sees that seat of the
/// other game.
pub async fn leave_trial(
    by: Asked,
    act: impl FnOnce(&mut Table) -> Result<Json, RequestError> + Send + 'static,
) -> Answer {
    let studio = by.studio;
    let seat = studio.trials.seat();
    studio.trials.set_seat(None);
    let done = studio.game()?.ask(Command::of(act)).await;
    if done.is_err() {
        studio.trials.set_seat(seat);
    }
    done
}
