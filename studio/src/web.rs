//! Routes and access control.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

use crate::assets;
use crate::command::{AnswerRequest, Command, FaceSize, RequestError, TableClient, ViewRequest};
use crate::design;
use crate::keys::{Keys, Role};
use crate::lab::Lab;
use crate::request::Links;
use crate::trials::Trials;
use crate::workbench::Workbench;

/// A waiting request gets a response after this time, and the page asks again.
const PATIENCE: Duration = Duration::from_secs(25);

/// Allows scripts and styles from the studio's own files only, and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The services that handle requests.
pub struct Services {
    /// The game.
    pub table: TableClient,
    /// The files behind it.
    pub workbench: Workbench,
    /// The experiments.
    pub lab: Lab,
    /// The searches for games with a card.
    pub trials: Trials,
    /// The keys that grant access.
    pub keys: Keys,
    /// The links for inviting others.
    pub links: Links,
    /// The port of the studio.
    pub port: u16,
}

pub type Shared = State<Arc<Services>>;
pub type Answer = Result<Json<serde_json::Value>, RequestError>;

impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// All routes of the studio.
pub fn router(parts: Services) -> Router {
    let studio = Arc::new(parts);
    Router::new()
        .route("/api/table", get(look))
        .route("/api/wait", get(wait))
        .route("/api/moment", get(moment))
        .route("/api/trail", get(trail))
        .route("/api/words", get(words))
        .route("/api/outlook", get(outlook))
        .route("/api/ghost", get(ghost))
        .route("/api/odds", get(odds))
        .route("/api/why", get(why))
        .route("/api/rules", get(rules))
        .route("/api/curves", get(curves))
        .route("/api/titles", get(titles))
        .route("/api/links", get(invitations))
        .route("/api/cards", get(cards))
        .route("/api/face", get(face))
        .route("/api/answer", post(answer))
        .route("/api/undo", post(undo))
        .route("/api/new", post(new))
        .merge(design::routes())
        .route("/drawing.css", get(style))
        .fallback(get(asset))
        .layer(middleware::from_fn_with_state(studio.clone(), guard))
        .with_state(studio)
}

/// Refuses other hosts and origins, and adds security headers to every response.
async fn guard(State(studio): Shared, request: Request, next: Next) -> Response {
    let mut response = match refusal(&studio, request.method(), request.headers()) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refusal(studio: &Services, method: &Method, headers: &HeaderMap) -> Option<RequestError> {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    if !is_own_host(host, studio.port) {
        return Some(RequestError(
            421,
            "this is not the address of the studio; use the link that it printed".to_owned(),
        ));
    }
    let origin = text(header::ORIGIN);
    let own = format!("http://{host}");
    let strange = match origin {
        Some(origin) => origin != own,
        None => method != Method::GET && method != Method::HEAD,
    };
    strange.then(|| RequestError(403, "requests from other pages are refused".to_owned()))
}

/// Whether a host is an address of this machine. A name is refused, because anybody can make a name point here.
fn is_own_host(host: &str, port: u16) -> bool {
    let Some((name, given)) = host.rsplit_once(':') else { return false };
    let number = name.trim_start_matches('[').trim_end_matches(']');
    given.parse() == Ok(port) && (name == "localhost" || number.parse::<IpAddr>().is_ok())
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
fn seen_by(studio: &Services, headers: &HeaderMap, wanted: Option<String>) -> Result<Option<String>, RequestError> {
    let role = role(studio, headers)?;
    // If one person plays, the host is that person.
    let own = (*role == Role::Host).then(|| studio.keys.only_seat().map(str::to_owned)).flatten();
    let viewer = viewer(role, wanted)?.or(own);
    match &viewer {
        Some(seat) if studio.keys.of_seat(seat).is_none() => Err(RequestError(403, format!("a bot plays `{seat}`"))),
        _ => Ok(viewer),
    }
}

async fn look(State(studio): Shared, headers: HeaderMap, Query(asked): Query<ViewRequest>) -> Answer {
    let viewer = seen_by(&studio, &headers, asked.viewer.clone())?;
    let host = *role(&studio, &headers)? == Role::Host;
    studio.table.ask(Command::Look(ViewRequest { viewer, host, ..asked })).await.map(Json)
}

#[derive(Deserialize)]
struct WaitQuery {
    version: u64,
}

async fn wait(State(studio): Shared, headers: HeaderMap, Query(known): Query<WaitQuery>) -> Answer {
    role(&studio, &headers)?;
    let mut version = studio.table.version.clone();
    // After a timeout, the page gets the old version and asks again.
    let _ = tokio::time::timeout(PATIENCE, version.wait_for(|now| *now > known.version)).await;
    let now = *version.borrow();
    Ok(Json(json!({ "version": now })))
}

#[derive(Deserialize)]
struct MomentQuery {
    seat: Option<String>,
    step: usize,
}

async fn moment(State(studio): Shared, headers: HeaderMap, Query(when): Query<MomentQuery>) -> Answer {
    let viewer = seen_by(&studio, &headers, when.seat)?;
    studio.table.ask(Command::Moment(viewer, when.step)).await.map(Json)
}

#[derive(Deserialize)]
struct TrailQuery {
    seat: Option<String>,
    from: usize,
    until: usize,
}

async fn trail(State(studio): Shared, headers: HeaderMap, Query(way): Query<TrailQuery>) -> Answer {
    let viewer = seen_by(&studio, &headers, way.seat)?;
    studio.table.ask(Command::Trail(viewer, way.from, way.until)).await.map(Json)
}

async fn words(State(studio): Shared, headers: HeaderMap) -> Answer {
    role(&studio, &headers)?;
    studio.table.ask(Command::Words).await.map(Json)
}

#[derive(Deserialize)]
struct OptionQuery {
    seat: String,
    key: String,
}

async fn outlook(State(studio): Shared, headers: HeaderMap, Query(of): Query<OptionQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.table.ask(Command::Outlook(seat, of.key)).await.map(Json)
}

async fn ghost(State(studio): Shared, headers: HeaderMap, Query(of): Query<OptionQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.table.ask(Command::Ghost(seat, of.key)).await.map(Json)
}

async fn odds(State(studio): Shared, headers: HeaderMap, Query(of): Query<OptionQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.table.ask(Command::Odds(seat, of.key)).await.map(Json)
}

async fn why(State(studio): Shared, headers: HeaderMap, Query(of): Query<SeatQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.table.ask(Command::Why(seat)).await.map(Json)
}

#[derive(Deserialize)]
struct ViewerQuery {
    seat: Option<String>,
}

async fn rules(State(studio): Shared, headers: HeaderMap, Query(viewer): Query<ViewerQuery>) -> Answer {
    let viewer = seen_by(&studio, &headers, viewer.seat)?;
    studio.table.ask(Command::Rules(viewer)).await.map(Json)
}

async fn curves(State(studio): Shared, headers: HeaderMap, Query(viewer): Query<ViewerQuery>) -> Answer {
    let viewer = seen_by(&studio, &headers, viewer.seat)?;
    studio.table.ask(Command::Curves(viewer)).await.map(Json)
}

async fn titles(State(studio): Shared, headers: HeaderMap) -> Answer {
    role(&studio, &headers)?;
    studio.table.ask(Command::Titles).await.map(Json)
}

/// The links for inviting others.
async fn invitations(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    Ok(Json(json!({ "seats": studio.links.seats, "spectators": studio.links.spectators })))
}

#[derive(Deserialize)]
struct CardsQuery {
    lang: Option<String>,
}

async fn cards(State(studio): Shared, headers: HeaderMap, Query(wanted): Query<CardsQuery>) -> Answer {
    role(&studio, &headers)?;
    studio.table.ask(Command::Cards(wanted.lang)).await.map(Json)
}

#[derive(Deserialize)]
struct FaceQuery {
    id: String,
    #[serde(default)]
    size: FaceSize,
}

async fn face(State(studio): Shared, headers: HeaderMap, Query(wanted): Query<FaceQuery>) -> Answer {
    role(&studio, &headers)?;
    studio.table.ask(Command::Face(wanted.id, wanted.size)).await.map(Json)
}

async fn answer(State(studio): Shared, headers: HeaderMap, Json(given): Json<AnswerRequest>) -> Answer {
    let seat = own_seat(&studio, &headers, given.seat)?;
    studio.table.ask(Command::Answer(AnswerRequest { seat, ..given })).await.map(Json)
}

#[derive(Deserialize)]
struct SeatQuery {
    seat: String,
}

async fn undo(State(studio): Shared, headers: HeaderMap, Json(whose): Json<SeatQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, whose.seat)?;
    studio.table.ask(Command::Undo(seat)).await.map(Json)
}

/// The seat that a request may answer for.
fn own_seat(studio: &Services, headers: &HeaderMap, wanted: String) -> Result<String, RequestError> {
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

#[derive(Deserialize)]
struct NewGameRequest {
    seed: u64,
}

async fn new(State(studio): Shared, headers: HeaderMap, Json(given): Json<NewGameRequest>) -> Answer {
    host(&studio, &headers)?;
    studio.table.ask(Command::New(given.seed)).await.map(Json)
}

/// Looks are not secret, and browsers request style sheets without a key.
async fn style(State(studio): Shared) -> Result<Response, RequestError> {
    let sheet = studio.table.ask(Command::Style).await?;
    let text = sheet.as_str().unwrap_or_default().to_owned();
    Ok(([(header::CONTENT_TYPE, "text/css; charset=utf-8")], text).into_response())
}

async fn asset(request: Request) -> Response {
    match assets::find(request.uri().path()) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.media)], asset.bytes).into_response(),
        None => RequestError(404, "this page does not exist".to_owned()).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_that_point_to_this_machine_are_refused() {
        for (host, own) in [
            ("127.0.0.1:80", true),
            ("localhost:80", true),
            ("[::1]:80", true),
            ("192.168.1.7:80", true),
            ("127.0.0.1:81", false),
            ("127.0.0.1", false),
            ("evil.example:80", false),
            ("localhost.evil.example:80", false),
            ("", false),
        ] {
            assert_eq!(is_own_host(host, 80), own, "{host}");
        }
    }

    #[test]
    fn a_key_of_a_seat_gives_the_view_of_that_seat_only() {
        let seat = Role::Seat("red".to_owned());
        assert!(matches!(viewer(&seat, None), Ok(Some(own)) if own == "red"));
        assert!(viewer(&seat, Some("blue".to_owned())).is_err());
        assert!(viewer(&Role::Spectator, Some("blue".to_owned())).is_err());
        assert!(matches!(viewer(&Role::Host, Some("blue".to_owned())), Ok(Some(_))));
    }
}
