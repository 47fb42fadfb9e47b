//! Addresses, and who may ask for what.

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
use crate::design;
use crate::keys::{Keys, Role};
use crate::lab::Lab;
use crate::request::Links;
use crate::wish::{Asked, Door, Given, Refusal, Wish};
use crate::workbench::Workbench;

/// A page that waits for news asks again after so long.
const PATIENCE: Duration = Duration::from_secs(25);

/// Scripts and styles from here only, none inside the page; nothing else is loaded from anywhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What requests are answered from.
pub struct Parts {
    /// The game.
    pub table: Door,
    /// The files behind it.
    pub workbench: Workbench,
    /// Games between bots.
    pub lab: Lab,
    /// Who may ask.
    pub keys: Keys,
    /// What others are invited with.
    pub links: Links,
    /// Where requests arrive.
    pub port: u16,
}

pub type Shared = State<Arc<Parts>>;
pub type Answer = Result<Json<serde_json::Value>, Refusal>;

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// All that the studio serves.
pub fn router(parts: Parts) -> Router {
    let studio = Arc::new(parts);
    Router::new()
        .route("/api/table", get(look))
        .route("/api/wait", get(wait))
        .route("/api/moment", get(moment))
        .route("/api/outlook", get(outlook))
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

/// Refuses other hosts and origins, and adds what browsers must know about every answer.
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

fn refusal(studio: &Parts, method: &Method, headers: &HeaderMap) -> Option<Refusal> {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    if !is_own_host(host, studio.port) {
        return Some(Refusal(421, "this studio has no such name; use the link that it printed".to_owned()));
    }
    let origin = text(header::ORIGIN);
    let own = format!("http://{host}");
    let strange = match origin {
        Some(origin) => origin != own,
        None => method != Method::GET && method != Method::HEAD,
    };
    strange.then(|| Refusal(403, "requests of other pages are refused".to_owned()))
}

/// Whether a host is this machine by its number: a name could be made to point here by somebody else.
fn is_own_host(host: &str, port: u16) -> bool {
    let Some((name, given)) = host.rsplit_once(':') else { return false };
    let number = name.trim_start_matches('[').trim_end_matches(']');
    given.parse() == Ok(port) && (name == "localhost" || number.parse::<IpAddr>().is_ok())
}

/// Who asks.
fn role<'s>(studio: &'s Parts, headers: &HeaderMap) -> Result<&'s Role, Refusal> {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let key = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    studio
        .keys
        .role(key)
        .ok_or_else(|| Refusal(401, "this link is not valid; use one that the studio printed".to_owned()))
}

/// Whose eyes a request may use.
fn viewer(role: &Role, wanted: Option<String>) -> Result<Option<String>, Refusal> {
    match (role, wanted) {
        (Role::Spectator, None) => Ok(None),
        (Role::Seat(own), None) => Ok(Some(own.clone())),
        (Role::Seat(own), Some(seat)) if *own == seat => Ok(Some(seat)),
        (Role::Host, wanted) => Ok(wanted),
        _ => Err(Refusal(403, "this link is for another seat".to_owned())),
    }
}

/// The host sees through the eyes of people's seats only: what bots hold stays hidden from him, too.
fn seen_by(studio: &Parts, headers: &HeaderMap, wanted: Option<String>) -> Result<Option<String>, Refusal> {
    let role = role(studio, headers)?;
    // Where one person plays, the host is that person.
    let own = (*role == Role::Host).then(|| studio.keys.only_seat().map(str::to_owned)).flatten();
    let viewer = viewer(role, wanted)?.or(own);
    match &viewer {
        Some(seat) if studio.keys.of_seat(seat).is_none() => Err(Refusal(403, format!("a bot plays `{seat}`"))),
        _ => Ok(viewer),
    }
}

async fn look(State(studio): Shared, headers: HeaderMap, Query(asked): Query<Asked>) -> Answer {
    let viewer = seen_by(&studio, &headers, asked.viewer.clone())?;
    let host = *role(&studio, &headers)? == Role::Host;
    studio.table.ask(Wish::Look(Asked { viewer, host, ..asked })).await.map(Json)
}

#[derive(Deserialize)]
struct Known {
    version: u64,
}

async fn wait(State(studio): Shared, headers: HeaderMap, Query(known): Query<Known>) -> Answer {
    role(&studio, &headers)?;
    let mut version = studio.table.version.clone();
    // After the time is up the page gets the old version and asks again.
    let _ = tokio::time::timeout(PATIENCE, version.wait_for(|now| *now > known.version)).await;
    let now = *version.borrow();
    Ok(Json(json!({ "version": now })))
}

#[derive(Deserialize)]
struct When {
    seat: Option<String>,
    step: usize,
}

async fn moment(State(studio): Shared, headers: HeaderMap, Query(when): Query<When>) -> Answer {
    let viewer = seen_by(&studio, &headers, when.seat)?;
    studio.table.ask(Wish::Moment(viewer, when.step)).await.map(Json)
}

#[derive(Deserialize)]
struct Whose {
    seat: String,
    key: String,
}

async fn outlook(State(studio): Shared, headers: HeaderMap, Query(of): Query<Whose>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.table.ask(Wish::Outlook(seat, of.key)).await.map(Json)
}

async fn odds(State(studio): Shared, headers: HeaderMap, Query(of): Query<Whose>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.table.ask(Wish::Odds(seat, of.key)).await.map(Json)
}

async fn why(State(studio): Shared, headers: HeaderMap, Query(of): Query<Seat>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.table.ask(Wish::Why(seat)).await.map(Json)
}

#[derive(Deserialize)]
struct Viewer {
    seat: Option<String>,
}

async fn rules(State(studio): Shared, headers: HeaderMap, Query(viewer): Query<Viewer>) -> Answer {
    let viewer = seen_by(&studio, &headers, viewer.seat)?;
    studio.table.ask(Wish::Rules(viewer)).await.map(Json)
}

async fn curves(State(studio): Shared, headers: HeaderMap, Query(viewer): Query<Viewer>) -> Answer {
    let viewer = seen_by(&studio, &headers, viewer.seat)?;
    studio.table.ask(Wish::Curves(viewer)).await.map(Json)
}

async fn titles(State(studio): Shared, headers: HeaderMap) -> Answer {
    role(&studio, &headers)?;
    studio.table.ask(Wish::Titles).await.map(Json)
}

/// The links to invite others with.
async fn invitations(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    Ok(Json(json!({ "seats": studio.links.seats, "spectators": studio.links.spectators })))
}

#[derive(Deserialize)]
struct Language {
    lang: Option<String>,
}

async fn cards(State(studio): Shared, headers: HeaderMap, Query(wanted): Query<Language>) -> Answer {
    role(&studio, &headers)?;
    studio.table.ask(Wish::Cards(wanted.lang)).await.map(Json)
}

#[derive(Deserialize)]
struct Design {
    id: String,
}

async fn face(State(studio): Shared, headers: HeaderMap, Query(wanted): Query<Design>) -> Answer {
    role(&studio, &headers)?;
    studio.table.ask(Wish::Face(wanted.id)).await.map(Json)
}

async fn answer(State(studio): Shared, headers: HeaderMap, Json(given): Json<Given>) -> Answer {
    let seat = own_seat(&studio, &headers, given.seat)?;
    studio.table.ask(Wish::Answer(Given { seat, ..given })).await.map(Json)
}

#[derive(Deserialize)]
struct Seat {
    seat: String,
}

async fn undo(State(studio): Shared, headers: HeaderMap, Json(whose): Json<Seat>) -> Answer {
    let seat = own_seat(&studio, &headers, whose.seat)?;
    studio.table.ask(Wish::Undo(seat)).await.map(Json)
}

/// The seat that a request may answer for.
fn own_seat(studio: &Parts, headers: &HeaderMap, wanted: String) -> Result<String, Refusal> {
    let seat = viewer(role(studio, headers)?, Some(wanted))?;
    seat.ok_or_else(|| Refusal(403, "spectators do not play".to_owned()))
}

/// Refuses everybody but the host.
pub fn host(studio: &Parts, headers: &HeaderMap) -> Result<(), Refusal> {
    match role(studio, headers)? {
        Role::Host => Ok(()),
        _ => Err(Refusal(403, "only the host can do that".to_owned())),
    }
}

#[derive(Deserialize)]
struct Seed {
    seed: u64,
}

async fn new(State(studio): Shared, headers: HeaderMap, Json(given): Json<Seed>) -> Answer {
    host(&studio, &headers)?;
    studio.table.ask(Wish::New(given.seed)).await.map(Json)
}

/// Looks hold no secrets, and a browser asks for style sheets without a key.
async fn style(State(studio): Shared) -> Result<Response, Refusal> {
    let sheet = studio.table.ask(Wish::Style).await?;
    let text = sheet.as_str().unwrap_or_default().to_owned();
    Ok(([(header::CONTENT_TYPE, "text/css; charset=utf-8")], text).into_response())
}

async fn asset(request: Request) -> Response {
    match assets::find(request.uri().path()) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.media)], asset.text).into_response(),
        None => Refusal(404, "there is nothing here".to_owned()).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_point_here_are_refused() {
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
    fn a_seat_sees_with_its_own_eyes_only() {
        let seat = Role::Seat("red".to_owned());
        assert!(matches!(viewer(&seat, None), Ok(Some(own)) if own == "red"));
        assert!(viewer(&seat, Some("blue".to_owned())).is_err());
        assert!(viewer(&Role::Spectator, Some("blue".to_owned())).is_err());
        assert!(matches!(viewer(&Role::Host, Some("blue".to_owned())), Ok(Some(_))));
    }
}
