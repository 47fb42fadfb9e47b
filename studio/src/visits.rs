//! How games are opened and left, and how pages learn of changes.

use std::time::Duration;

use principes_app::words::own_words;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::access::{Answer, Asked};
use crate::command::RequestError;
use crate::house::{Turned, aside};
use crate::lobby::Lobby;

/// A waiting request gets a response after this time, and the page asks again.
const PATIENCE: Duration = Duration::from_secs(25);

/// A game that is left ends within this time. It may have to finish the step of a bot.
const MOST_TO_END: Duration = Duration::from_secs(10);

/// The version of the table that a page knows.
#[derive(Deserialize)]
pub struct Known {
    version: u64,
}

/// Waits for a version after the one that the page knows.
pub async fn wait(by: Asked, known: Known) -> Answer {
    let mut version = by.studio.game()?.version.clone();
    // A game that is left ends while pages wait for it.
    drop(by);
    // After a timeout, the page gets the old version and asks again.
    let _ = tokio::time::timeout(PATIENCE, version.wait_for(|now| *now > known.version)).await;
    let now = *version.borrow();
    Ok(json!({ "version": now }))
}

/// The lobby, for the host. Others learn whether there is a game.
pub async fn lobby(by: Asked) -> Answer {
    let (is_host, is_open) = (by.is_host, by.studio.table.is_some());
    let waits = own_words(&by.house.lobby.language).get("page.waits-for-host");
    let hall = match is_host && !is_open {
        true => by.aside(|lobby| Ok(lobby.look())).await?,
        false => Json::Null,
    };
    Ok(json!({ "host": is_host, "open": is_open, "hall": hall, "waits": waits }))
}

/// Opens a game in place of the one that is open.
pub async fn open(
    by: Asked,
    request: impl FnOnce(&Lobby) -> Result<crate::request::Request, RequestError> + Send + 'static,
) -> Answer {
    let Asked { house, studio, .. } = by;
    drop(studio);
    Ok(match aside(move || house.turn_to(request)).await? {
        Turned::Opened => json!({}),
        Turned::Departs { alike, of } => json!({ "departs": [alike, of] }),
    })
}

/// Returns to the lobby.
pub async fn leave(by: Asked) -> Answer {
    let Asked { house, studio, .. } = by;
    let version = studio.table.as_ref().map(|table| table.version.clone());
    drop(studio);
    aside(move || house.leave().map_err(|error| RequestError(500, error.to_string()))).await?;
    // Its file is free when the game has ended.
    if let Some(mut version) = version {
        let ended = async { while version.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(MOST_TO_END, ended).await;
    }
    Ok(json!({}))
}
