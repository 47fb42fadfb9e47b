//! Who may do what: the holder of a request's key, the views that it may see, the seats that it may answer for.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::command::RequestError;
use crate::house::Services;
use crate::keys::Role;

/// The open services, for a route.
pub type Shared = State<Arc<Services>>;
/// What a route answers.
pub type Answer = Result<Json<serde_json::Value>, RequestError>;

impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// The holder of the request's key.
pub fn role<'s>(studio: &'s Services, headers: &HeaderMap) -> Result<&'s Role, RequestError> {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let key = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    studio
        .keys
        .role(key)
        .ok_or_else(|| RequestError(401, "this link is not valid; use one that the studio printed".to_owned()))
}

/// The viewer that a request may use.
fn viewer(role: &Role, wanted: Option<String>) -> Result<Option<String>, RequestError> {
    match (role, wanted) {
        (Role::Spectator, None) => Ok(None),
        (Role::Seat(own), None) => Ok(Some(own.clone())),
        (Role::Seat(own), Some(seat)) if *own == seat => Ok(Some(seat)),
        (Role::Host, wanted) => Ok(wanted),
        _ => Err(RequestError(403, "this link is for another seat".to_owned())),
    }
}

/// The viewer of a request. The host may use only the seats that people play; the secrets of bots stay hidden.
pub fn seen_by(studio: &Services, headers: &HeaderMap, wanted: Option<String>) -> Result<Option<String>, RequestError> {
    let role = role(studio, headers)?;
    let tried = studio.trials.seat().filter(|_| *role == Role::Host);
    // If one person plays, the host is that person. In a trial, the host has the seat that can play the card.
    let own = (*role == Role::Host).then(|| studio.keys.only_seat().map(str::to_owned)).flatten();
    let viewer = viewer(role, wanted)?.or(tried.clone()).or(own);
    match &viewer {
        Some(seat) if studio.keys.of_seat(seat).is_none() && viewer != tried => {
            Err(RequestError(403, format!("a bot plays `{seat}`")))
        }
        _ => Ok(viewer),
    }
}

/// The seat that a request may answer for.
pub fn own_seat(studio: &Services, headers: &HeaderMap, wanted: String) -> Result<String, RequestError> {
    let seat = viewer(role(studio, headers)?, Some(wanted))?;
    seat.ok_or_else(|| RequestError(403, "spectators do not play".to_owned()))
}

/// Refuses everybody except the host.
pub fn host(studio: &Services, headers: &HeaderMap) -> Result<(), RequestError> {
    match role(studio, headers)? {
        Role::Host => Ok(()),
        _ => Err(RequestError(403, "only the host can do that".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_a_seat_gives_the_view_of_that_seat_only() {
        let seat = Role::Seat("red".to_owned());
        assert!(matches!(viewer(&seat, None), Ok(Some(own)) if own == "red"));
        assert!(viewer(&seat, Some("blue".to_owned())).is_err());
        assert!(viewer(&Role::Spectator, Some("blue".to_owned())).is_err());
        assert!(matches!(viewer(&Role::Host, Some("blue".to_owned())), Ok(Some(_))));
    }
}
