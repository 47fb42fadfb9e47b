//! Requests that concern the game and the workbench, its trials or the rulebook together.

use std::path::PathBuf;

use principes_app::setup::Player;

use crate::access::{Answer, Asked};
use crate::command::{NewScenario, RequestError};
use crate::messages::TableVersion;
use crate::rules::RulebookPage;
use crate::table::{MadeScenario, OpenedTrial, Table};

/// The rulebook of the packs as they were loaded last.
pub async fn rulebook(by: Asked) -> Answer<RulebookPage> {
    let loads = by.studio.game()?.act(|table| Ok(table.loads())).await?;
    by.studio.rules.read(loads).await
}

/// Makes a scenario, which can be undone like an edit.
pub async fn scenario(by: Asked, new: NewScenario) -> Answer<MadeScenario> {
    let made = by.studio.game()?.act(move |table| table.make_scenario(&new)).await?;
    let (root, file) = (PathBuf::from(&made.root), PathBuf::from(&made.file));
    by.studio.workbench.ask(move |bench| bench.note_made(&root, &file)).await?;
    Ok(made)
}

/// Opens the game that was found. The current game is paused.
pub async fn open_trial(by: Asked) -> Answer<OpenedTrial> {
    let studio = by.studio;
    let found = studio.trials.take()?;
    let person = found.save.config.seats.iter().find(|(_, player)| **player == Player::Human);
    // Pages look at the game as soon as it is open.
    studio.trials.set_seat(person.map(|(seat, _)| seat.clone()));
    let opened = studio.game()?.act(move |table| table.try_out(&found)).await;
    if opened.is_err() {
        studio.trials.set_seat(None);
    }
    opened
}

/// Does what turns to another game. The host's seat in a trial ends before that, so that no page sees that seat of the
/// other game.
pub async fn leave_trial(
    by: Asked,
    act: impl FnOnce(&mut Table) -> Result<TableVersion, RequestError> + Send + 'static,
) -> Answer<TableVersion> {
    let studio = by.studio;
    let seat = studio.trials.seat();
    studio.trials.set_seat(None);
    let done = studio.game()?.act(act).await;
    if done.is_err() {
        studio.trials.set_seat(seat);
    }
    done
}
