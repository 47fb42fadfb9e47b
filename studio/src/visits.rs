//! How games are opened and left, and how pages learn of changes.

use std::time::Duration;

use principes_app::words::own_words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{Answer, Asked};
use crate::command::RequestError;
use crate::house::{Turned, aside};
use crate::lobby::{Hall, Lobby};
use crate::messages::{Done, TableVersion};

/// A waiting request gets a response after this time, and the page asks again.
const PATIENCE: Duration = Duration::from_secs(25);

/// A game that is left ends within this time. It may have to finish the step of a bot.
const MOST_TO_END: Duration = Duration::from_secs(10);

/// The version of the table that a page knows.
#[derive(Deserialize, JsonSchema)]
pub struct Known {
    version: u64,
}

/// Waits for a version after the one that the page knows.
pub async fn wait(by: Asked, known: Known) -> Answer<TableVersion> {
    let mut version = by.studio.game()?.version.clone();
    // A game that is left ends while pages wait for it.
    drop(by);
    // After a timeout, the page gets the old version and asks again.
    let _ = tokio::time::timeout(PATIENCE, version.wait_for(|now| *now > known.version)).await;
    let version = *version.borrow();
    Ok(TableVersion { version })
}

/// What a page finds when it is opened.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Arrival {
    /// Whether the page belongs to the host.
    pub host: bool,
    /// Whether a game is open.
    pub open: bool,
    /// What the host can choose from, if no game is open.
    pub hall: Option<Hall>,
    /// What others read while they wait for a game.
    pub waits: Option<String>,
}

/// The result of the request to open a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Opening {
    /// Only if the game is not open, because it goes on differently with the present packs: the number of answers after
    /// which every state is the saved one, and the number of saved answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub departs: Option<(usize, usize)>,
}

/// The lobby, for the host. Others learn whether there is a game.
pub async fn lobby(by: Asked) -> Answer<Arrival> {
    let (is_host, is_open) = (by.is_host, by.studio.table.is_some());
    let waits = own_words(&by.house.lobby.language).get("page.waits-for-host").cloned();
    let hall = match is_host && !is_open {
        true => Some(by.aside(|lobby| Ok(lobby.look())).await?),
        false => None,
    };
    Ok(Arrival { host: is_host, open: is_open, hall, waits })
}

/// Opens a game in place of the one that is open.
pub async fn open(
    by: Asked,
    request: impl FnOnce(&Lobby) -> Result<crate::request::Request, RequestError> + Send + 'static,
) -> Answer<Opening> {
    let Asked { house, studio, .. } = by;
    drop(studio);
    Ok(match aside(move || house.turn_to(request)).await? {
        Turned::Opened => Opening { departs: None },
        Turned::Departs { alike, of } => Opening { departs: Some((alike, of)) },
    })
}

/// Returns to the lobby.
pub async fn leave(by: Asked) -> Answer<Done> {
    let Asked { house, studio, .. } = by;
    let version = studio.table.as_ref().map(|table| table.version.clone());
    drop(studio);
    aside(move || house.leave().map_err(|error| RequestError(500, error.to_string()))).await?;
    // Its file is free when the game has ended.
    if let Some(mut version) = version {
        let ended = async { while version.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(MOST_TO_END, ended).await;
    }
    Ok(Done {})
}
