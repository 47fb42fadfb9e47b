//! Who may do what: the holder of a request's key, the views that it may see, the seats that it may answer for.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{self, MethodRouter};
use principes_core::SeatId;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::command::{AnswerRequest, Play, Reply, RequestError};
use crate::declarations::{Types, types_of};
use crate::house::{House, Services, aside};
use crate::keys::Role;
use crate::lobby::Lobby;
use crate::messages::TableVersion;
use crate::odds::Chances;
use crate::table::{Command, Table};
use crate::workbench::Bench;

/// What a page gets.
pub type Answer<T> = Result<T, RequestError>;

impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// Who may make a request. Everybody needs a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Every holder of a key: it shows nothing that depends on the seat.
    Anybody,
    /// Those who see a view: the host with any seat that a person plays, a seat with its own, spectators with none.
    Viewer,
    /// Those who play: the host for any seat that a person plays, a seat for itself.
    Seat,
    /// The host alone, who may see and change files and open other games.
    Host,
}

/// Whether a request only reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpMethod {
    /// Parameters are in the address.
    Get,
    /// Parameters are in the body, as JSON.
    Post,
}

/// A request that pages can make.
pub struct PageRequest {
    /// How its parameters come.
    pub method: HttpMethod,
    /// The path, without parameters.
    pub path: &'static str,
    /// Who may make it.
    pub who: Who,
    act: Box<Act>,
    /// The types of its parameters and of its answer.
    pub(crate) types: Types,
}

type Act = dyn Fn(Asked, Parameters) -> Pin<Box<dyn Future<Output = Response> + Send>> + Send + Sync;

/// A request that only reads.
pub fn get<T, A, F>(path: &'static str, who: Who, act: impl Fn(Asked, T) -> F + Send + Sync + 'static) -> PageRequest
where
    T: DeserializeOwned + JsonSchema + 'static,
    A: Serialize + JsonSchema + 'static,
    F: Future<Output = Answer<A>> + Send + 'static,
{
    made(HttpMethod::Get, path, who, act)
}

/// A request that may change something.
pub fn post<T, A, F>(path: &'static str, who: Who, act: impl Fn(Asked, T) -> F + Send + Sync + 'static) -> PageRequest
where
    T: DeserializeOwned + JsonSchema + 'static,
    A: Serialize + JsonSchema + 'static,
    F: Future<Output = Answer<A>> + Send + 'static,
{
    made(HttpMethod::Post, path, who, act)
}

fn made<T, A, F>(
    method: HttpMethod,
    path: &'static str,
    who: Who,
    act: impl Fn(Asked, T) -> F + Send + Sync + 'static,
) -> PageRequest
where
    T: DeserializeOwned + JsonSchema + 'static,
    A: Serialize + JsonSchema + 'static,
    F: Future<Output = Answer<A>> + Send + 'static,
{
    let act: Box<Act> = Box::new(move |by, given| match given.read() {
        Ok(given) => {
            let answer = act(by, given);
            Box::pin(async move { answer.await.map(Json).into_response() })
        }
        Err(error) => Box::pin(async move { error.into_response() }),
    });
    PageRequest { method, path, who, act, types: types_of::<T, A>() }
}

impl PageRequest {
    /// Its route. Who may make it is settled before its parameters count.
    pub(crate) fn route(self) -> MethodRouter<House> {
        let (method, request) = (self.method, Arc::new(self));
        let handle = move |State(house): State<House>, uri: Uri, headers: HeaderMap, body: Bytes| async move {
            let given = match request.method {
                HttpMethod::Get => Parameters::Address(uri),
                HttpMethod::Post => Parameters::Body(headers.get(header::CONTENT_TYPE).cloned(), body),
            };
            match request.who.admit(house, &headers, &given) {
                Ok(by) => (request.act)(by, given).await,
                Err(error) => error.into_response(),
            }
        };
        match method {
            HttpMethod::Get => routing::get(handle),
            HttpMethod::Post => routing::post(handle),
        }
    }
}

/// The parameters of a request, unread.
enum Parameters {
    Address(Uri),
    /// With the type of its content.
    Body(Option<header::HeaderValue>, Bytes),
}

impl Parameters {
    fn read<T: DeserializeOwned>(&self) -> Result<T, RequestError> {
        match self {
            Parameters::Address(uri) => {
                let read = Query::try_from_uri(uri).map(|Query(given)| given);
                read.map_err(|error| RequestError(error.status().as_u16(), error.body_text()))
            }
            Parameters::Body(kind, _) if !kind.as_ref().is_some_and(is_json) => {
                Err(RequestError(415, "the body must be `application/json`".to_owned()))
            }
            Parameters::Body(_, body) => {
                let read = Json::from_bytes(body).map(|Json(given)| given);
                read.map_err(|error| RequestError(error.status().as_u16(), error.body_text()))
            }
        }
    }
}

fn is_json(kind: &header::HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// A request of somebody who may make it.
pub struct Asked {
    /// What is open, and what can be opened.
    pub house: House,
    /// The open services.
    pub studio: Arc<Services>,
    /// Whether it is the host.
    pub is_host: bool,
    /// The seat whose view it may see, by the id of its faction; always given if only seats may ask. `None` for the view
    /// of spectators.
    pub viewer: Option<String>,
}

/// The seat that a request names.
#[derive(Default, Deserialize)]
struct Named {
    seat: Option<String>,
}

impl Who {
    /// Lets a request pass if its maker may make it.
    fn admit(self, house: House, headers: &HeaderMap, given: &Parameters) -> Result<Asked, RequestError> {
        let studio = house.services();
        let role = role(&studio, headers)?;
        let is_host = *role == Role::Host;
        let viewer = match self {
            Who::Anybody => None,
            Who::Host if is_host => None,
            Who::Host => return Err(RequestError(403, "only the host can do that".to_owned())),
            Who::Viewer => seen_by(&studio, role, given.read::<Named>()?.seat)?,
            Who::Seat => {
                let seat = viewer(role, given.read::<Named>()?.seat)?;
                Some(seat.ok_or_else(|| no_seat(is_host))?)
            }
        };
        Ok(Asked { house, studio, is_host, viewer })
    }
}

impl Asked {
    /// Does something with the game.
    pub async fn table<T: Send + 'static>(
        self,
        act: impl FnOnce(&mut Table) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        self.studio.game()?.act(act).await
    }

    /// Does something with the game for the viewer.
    pub async fn view<T: Send + 'static>(
        self,
        act: impl FnOnce(&mut Table, Option<SeatId>) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let viewer = self.viewer.clone();
        self.table(move |table| {
            let viewer = viewer.map(|id| table.seat(&id)).transpose()?;
            act(table, viewer)
        })
        .await
    }

    /// Does something with the game for the seat, which a person plays.
    pub async fn seated<T: Send + 'static>(
        self,
        act: impl FnOnce(&mut Table, SeatId) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let seat = self.seat()?;
        self.table(move |table| {
            let seat = table.human(&seat)?;
            act(table, seat)
        })
        .await
    }

    /// Sends a command of the seat to the game.
    async fn command<T>(self, of: impl FnOnce(String, Reply<T>) -> Command + Send) -> Answer<T> {
        let seat = self.seat()?;
        self.studio.game()?.ask(|reply| of(seat, reply)).await
    }

    /// Answers a decision.
    pub async fn answer(self, given: AnswerRequest) -> Answer<TableVersion> {
        self.command(|seat, reply| Command::Play(Play::Answer(AnswerRequest { seat, ..given }), reply)).await
    }

    /// Takes back the last answer of the seat.
    pub async fn undo(self) -> Answer<TableVersion> {
        self.command(|seat, reply| Command::Play(Play::Undo(seat), reply)).await
    }

    /// The chances in the battle that follows an option; `None` if none follows.
    pub async fn odds(self, key: String) -> Answer<Option<Chances>> {
        self.command(|seat, reply| Command::Odds(seat, key, reply)).await
    }

    /// Does something with the workbench.
    pub async fn bench<T: Send + 'static>(
        self,
        act: impl FnOnce(&mut Bench) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        self.studio.workbench.ask(act).await
    }

    /// Does slow work with the lobby on a thread of its own.
    pub async fn aside<T: Send + 'static>(self, work: impl FnOnce(&Lobby) -> Answer<T> + Send + 'static) -> Answer<T> {
        let lobby = Arc::clone(&self.house.lobby);
        aside(move || work(&lobby)).await
    }

    fn seat(&self) -> Result<String, RequestError> {
        self.viewer.clone().ok_or_else(|| no_seat(self.is_host))
    }
}

fn no_seat(is_host: bool) -> RequestError {
    match is_host {
        true => RequestError(400, "the request names no seat".to_owned()),
        false => RequestError(403, "spectators do not play".to_owned()),
    }
}

/// The holder of the request's key.
fn role<'s>(studio: &'s Services, headers: &HeaderMap) -> Result<&'s Role, RequestError> {
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
fn seen_by(studio: &Services, role: &Role, wanted: Option<String>) -> Result<Option<String>, RequestError> {
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
