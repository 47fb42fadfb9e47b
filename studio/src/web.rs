//! Routes and access control.

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use principes_app::session::WhenChanged;
use principes_app::words::own_words;
use serde::Deserialize;
use serde_json::json;

use crate::access::{Answer, Shared, host, own_seat, role, seen_by};
use crate::assets;
use crate::command::{AnswerRequest, Command, FaceSize, RequestError, ViewRequest};
use crate::design;
use crate::house::{House, Services, Turned, aside};
use crate::keys::Role;
use crate::lobby::{Lobby, NewGame};

/// A waiting request gets a response after this time, and the page asks again.
const PATIENCE: Duration = Duration::from_secs(25);

/// A game that is left ends within this time. It may have to finish the step of a bot.
const MOST_TO_END: Duration = Duration::from_secs(10);

/// Allows scripts and styles from the studio's own files only, and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// All routes of the studio.
pub fn router(house: House) -> Router {
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
        .route("/api/rulebook", get(rulebook))
        .route("/api/curves", get(curves))
        .route("/api/titles", get(titles))
        .route("/api/links", get(invitations))
        .route("/api/cards", get(cards))
        .route("/api/face", get(face))
        .route("/api/answer", post(answer))
        .route("/api/undo", post(undo))
        .route("/api/new", post(new))
        .route("/api/lobby", get(lobby))
        .route("/api/game", get(game))
        .route("/api/length", get(length))
        .route("/api/start", post(start))
        .route("/api/resume", post(resume))
        .route("/api/leave", post(leave))
        .merge(design::routes())
        .route("/drawing.css", get(style))
        .fallback(get(asset))
        .layer(middleware::from_fn_with_state(house.clone(), guard))
        .with_state(house)
}

/// Refuses other hosts and origins, and adds security headers to every response.
async fn guard(State(studio): Shared, request: Request, next: Next) -> Response {
    let refusal = refusal(&studio, request.method(), request.headers());
    // A game that is left ends while pages wait for it.
    drop(studio);
    let mut response = match refusal {
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
    if !is_own_host(host, studio.addresses.bound.port()) {
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

async fn look(State(studio): Shared, headers: HeaderMap, Query(asked): Query<ViewRequest>) -> Answer {
    let viewer = seen_by(&studio, &headers, asked.viewer.clone())?;
    let host = *role(&studio, &headers)? == Role::Host;
    studio.game()?.ask(Command::Look(ViewRequest { viewer, host, ..asked })).await.map(Json)
}

#[derive(Deserialize)]
struct WaitQuery {
    version: u64,
}

async fn wait(State(studio): Shared, headers: HeaderMap, Query(known): Query<WaitQuery>) -> Answer {
    role(&studio, &headers)?;
    let mut version = studio.game()?.version.clone();
    drop(studio);
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
    studio.game()?.ask(Command::Moment(viewer, when.step)).await.map(Json)
}

#[derive(Deserialize)]
struct TrailQuery {
    seat: Option<String>,
    from: usize,
    until: usize,
}

async fn trail(State(studio): Shared, headers: HeaderMap, Query(way): Query<TrailQuery>) -> Answer {
    let viewer = seen_by(&studio, &headers, way.seat)?;
    studio.game()?.ask(Command::Trail(viewer, way.from, way.until)).await.map(Json)
}

async fn words(State(studio): Shared, headers: HeaderMap) -> Answer {
    role(&studio, &headers)?;
    studio.game()?.ask(Command::Words).await.map(Json)
}

#[derive(Deserialize)]
struct OptionQuery {
    seat: String,
    key: String,
}

async fn outlook(State(studio): Shared, headers: HeaderMap, Query(of): Query<OptionQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.game()?.ask(Command::Outlook(seat, of.key)).await.map(Json)
}

async fn ghost(State(studio): Shared, headers: HeaderMap, Query(of): Query<OptionQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.game()?.ask(Command::Ghost(seat, of.key)).await.map(Json)
}

async fn odds(State(studio): Shared, headers: HeaderMap, Query(of): Query<OptionQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.game()?.ask(Command::Odds(seat, of.key)).await.map(Json)
}

async fn why(State(studio): Shared, headers: HeaderMap, Query(of): Query<SeatQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, of.seat)?;
    studio.game()?.ask(Command::Why(seat)).await.map(Json)
}

#[derive(Deserialize)]
struct ViewerQuery {
    seat: Option<String>,
}

async fn rules(State(studio): Shared, headers: HeaderMap, Query(viewer): Query<ViewerQuery>) -> Answer {
    let viewer = seen_by(&studio, &headers, viewer.seat)?;
    studio.game()?.ask(Command::Rules(viewer)).await.map(Json)
}

/// Everybody may read the rules.
async fn rulebook(State(studio): Shared, headers: HeaderMap) -> Answer {
    role(&studio, &headers)?;
    let loads = studio.game()?.ask(Command::Loads).await?.as_u64().unwrap_or_default();
    studio.rules.read(loads).await.map(Json)
}

async fn curves(State(studio): Shared, headers: HeaderMap, Query(viewer): Query<ViewerQuery>) -> Answer {
    let viewer = seen_by(&studio, &headers, viewer.seat)?;
    studio.game()?.ask(Command::Curves(viewer)).await.map(Json)
}

async fn titles(State(studio): Shared, headers: HeaderMap) -> Answer {
    role(&studio, &headers)?;
    studio.game()?.ask(Command::Titles).await.map(Json)
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
    studio.game()?.ask(Command::Cards(wanted.lang)).await.map(Json)
}

#[derive(Deserialize)]
struct FaceQuery {
    id: String,
    #[serde(default)]
    size: FaceSize,
}

async fn face(State(studio): Shared, headers: HeaderMap, Query(wanted): Query<FaceQuery>) -> Answer {
    role(&studio, &headers)?;
    studio.game()?.ask(Command::Face(wanted.id, wanted.size)).await.map(Json)
}

async fn answer(State(studio): Shared, headers: HeaderMap, Json(given): Json<AnswerRequest>) -> Answer {
    let seat = own_seat(&studio, &headers, given.seat)?;
    studio.game()?.ask(Command::Answer(AnswerRequest { seat, ..given })).await.map(Json)
}

#[derive(Deserialize)]
struct SeatQuery {
    seat: String,
}

async fn undo(State(studio): Shared, headers: HeaderMap, Json(whose): Json<SeatQuery>) -> Answer {
    let seat = own_seat(&studio, &headers, whose.seat)?;
    studio.game()?.ask(Command::Undo(seat)).await.map(Json)
}

/// The lobby, for the host. Others learn whether there is a game.
async fn lobby(State(house): State<House>, State(studio): Shared, headers: HeaderMap) -> Answer {
    let is_host = *role(&studio, &headers)? == Role::Host;
    let is_open = studio.table.is_some();
    let waits = own_words(&house.lobby.language).get("page.waits-for-host");
    let hall = match is_host && !is_open {
        true => aside(move || Ok(house.lobby.look())).await?,
        false => serde_json::Value::Null,
    };
    Ok(Json(json!({ "host": is_host, "open": is_open, "hall": hall, "waits": waits })))
}

#[derive(Deserialize)]
struct GameQuery {
    id: String,
    /// The ids of packs added to it, with commas between them.
    #[serde(default)]
    adds: String,
}

async fn game(
    State(house): State<House>,
    State(studio): Shared,
    headers: HeaderMap,
    Query(of): Query<GameQuery>,
) -> Answer {
    host(&studio, &headers)?;
    let adds: Vec<String> = of.adds.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
    aside(move || house.lobby.game(&of.id, &adds)).await.map(Json)
}

async fn length(
    State(house): State<House>,
    State(studio): Shared,
    headers: HeaderMap,
    Query(of): Query<GameQuery>,
) -> Answer {
    host(&studio, &headers)?;
    aside(move || house.lobby.length(&of.id)).await.map(Json)
}

async fn start(
    State(house): State<House>,
    State(studio): Shared,
    headers: HeaderMap,
    Json(choice): Json<NewGame>,
) -> Answer {
    host(&studio, &headers)?;
    drop(studio);
    open(house, move |lobby| lobby.chosen(choice)).await
}

#[derive(Deserialize)]
struct SavedGame {
    file: String,
    #[serde(default)]
    when_changed: WhenChanged,
}

async fn resume(
    State(house): State<House>,
    State(studio): Shared,
    headers: HeaderMap,
    Json(saved): Json<SavedGame>,
) -> Answer {
    host(&studio, &headers)?;
    drop(studio);
    open(house, move |lobby| lobby.resumed(&saved.file, saved.when_changed)).await
}

/// Opens a game in place of the one that is open.
async fn open(
    house: House,
    request: impl FnOnce(&Lobby) -> Result<crate::request::Request, RequestError> + Send + 'static,
) -> Answer {
    Ok(Json(match aside(move || house.turn_to(request)).await? {
        Turned::Opened => json!({}),
        Turned::Departs { alike, of } => json!({ "departs": [alike, of] }),
    }))
}

async fn leave(State(house): State<House>, State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    let version = studio.table.as_ref().map(|table| table.version.clone());
    drop(studio);
    aside(move || house.leave().map_err(|error| RequestError(500, error.to_string()))).await?;
    // Its file is free when the game has ended.
    if let Some(mut version) = version {
        let ended = async { while version.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(MOST_TO_END, ended).await;
    }
    Ok(Json(json!({})))
}

#[derive(Deserialize)]
struct NewGameRequest {
    seed: u64,
}

async fn new(State(studio): Shared, headers: HeaderMap, Json(given): Json<NewGameRequest>) -> Answer {
    host(&studio, &headers)?;
    design::leave_trial(&studio, Command::New(given.seed)).await
}

/// Looks are not secret, and browsers request style sheets without a key. Pictures of the lobby have their own.
async fn style(State(studio): Shared) -> Result<Response, RequestError> {
    let text = match &studio.table {
        Some(table) => table.ask(Command::Style).await?.as_str().unwrap_or_default().to_owned(),
        None => String::new(),
    };
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
}
