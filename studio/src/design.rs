//! The routes of the workbench and the lab. Only the host may use them.

use std::path::PathBuf;

use axum::Router;
use axum::extract::{Json, Query, State};
use axum::http::HeaderMap;
use axum::routing::{get, post};
use principes_app::setup::Player;
use serde::Deserialize;

use crate::access::{Answer, Shared, host};
use crate::command::{Command, NewScenario};
use crate::house::{House, Services};
use crate::lab::Experiment;
use crate::workbench::{Planned, Task, ToWrite};

/// All routes of the workbench and the lab.
pub fn routes() -> Router<House> {
    Router::new()
        .route("/api/wall", get(wall))
        .route("/api/entity", get(entity))
        .route("/api/schema", get(schema))
        .route("/api/map", get(map))
        .route("/api/desk", get(desk))
        .route("/api/plan", post(plan))
        .route("/api/write", post(write))
        .route("/api/coming", get(coming))
        .route("/api/turn", post(turn))
        .route("/api/fix", post(fix))
        .route("/api/scenario", post(scenario))
        .route("/api/try", get(trial).post(try_card))
        .route("/api/try/stop", post(stop_trial))
        .route("/api/try/open", post(open_trial))
        .route("/api/back", post(back))
        .route("/api/lab", get(lab).post(experiment))
        .route("/api/lab/stop", post(stop))
}

#[derive(Deserialize)]
struct WallQuery {
    since: Option<String>,
}

async fn wall(State(studio): Shared, headers: HeaderMap, Query(wanted): Query<WallQuery>) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Wall(wanted.since)).await.map(Json)
}

#[derive(Deserialize)]
struct EntityQuery {
    family: String,
    id: String,
}

async fn entity(State(studio): Shared, headers: HeaderMap, Query(of): Query<EntityQuery>) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Entity(of.family, of.id)).await.map(Json)
}

#[derive(Deserialize)]
struct SchemaQuery {
    name: String,
}

async fn schema(State(studio): Shared, headers: HeaderMap, Query(of): Query<SchemaQuery>) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Schema(of.name)).await.map(Json)
}

async fn map(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Map).await.map(Json)
}

async fn desk(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Desk).await.map(Json)
}

async fn plan(State(studio): Shared, headers: HeaderMap, Json(wanted): Json<Planned>) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Plan(wanted)).await.map(Json)
}

async fn write(State(studio): Shared, headers: HeaderMap, Json(plan): Json<ToWrite>) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Write(plan)).await.map(Json)
}

#[derive(Deserialize)]
struct TurnRequest {
    /// Undo or redo.
    undo: bool,
}

async fn coming(State(studio): Shared, headers: HeaderMap, Query(which): Query<TurnRequest>) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Coming(which.undo)).await.map(Json)
}

async fn turn(State(studio): Shared, headers: HeaderMap, Json(which): Json<TurnRequest>) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Turn(which.undo)).await.map(Json)
}

#[derive(Deserialize)]
struct FixRequest {
    at: usize,
    load: u64,
}

/// The wishes that fix a finding.
async fn fix(State(studio): Shared, headers: HeaderMap, Json(which): Json<FixRequest>) -> Answer {
    host(&studio, &headers)?;
    studio.game()?.ask(Command::Fix(which.at, which.load)).await.map(Json)
}

/// Makes a scenario, which can be undone like an edit.
async fn scenario(State(studio): Shared, headers: HeaderMap, Json(new): Json<NewScenario>) -> Answer {
    host(&studio, &headers)?;
    let made = studio.game()?.ask(Command::Scenario(new)).await?;
    let path = |key: &str| PathBuf::from(made[key].as_str().unwrap_or_default());
    studio.workbench.ask(Task::Made(path("root"), path("file"))).await?;
    Ok(Json(made))
}

#[derive(Deserialize)]
struct TrialRequest {
    card: String,
}

/// Starts the search for a game in which the card can be played.
async fn try_card(State(studio): Shared, headers: HeaderMap, Json(of): Json<TrialRequest>) -> Answer {
    host(&studio, &headers)?;
    studio.trials.begin(of.card).map(Json)
}

async fn trial(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    studio.trials.look().map(Json)
}

async fn stop_trial(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    studio.trials.stop().map(Json)
}

/// Opens the game that was found. The current game is paused.
async fn open_trial(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    let found = studio.trials.take()?;
    let person = found.save.config.seats.iter().find(|(_, player)| **player == Player::Human);
    // Pages look at the game as soon as it is open.
    studio.trials.set_seat(person.map(|(seat, _)| seat.clone()))?;
    let opened = studio.game()?.ask(Command::Try(found)).await;
    if opened.is_err() {
        studio.trials.set_seat(None)?;
    }
    opened.map(Json)
}

async fn back(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    leave_trial(&studio, Command::Back).await
}

/// Carries out what turns to another game. The host's seat in a trial ends before that, so that no page sees that seat of
/// the other game.
pub async fn leave_trial(studio: &Services, command: Command) -> Answer {
    let seat = studio.trials.seat();
    studio.trials.set_seat(None)?;
    let done = studio.game()?.ask(command).await;
    if done.is_err() {
        studio.trials.set_seat(seat)?;
    }
    done.map(Json)
}

async fn lab(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    studio.lab.look().map(Json)
}

async fn experiment(State(studio): Shared, headers: HeaderMap, Json(wanted): Json<Experiment>) -> Answer {
    host(&studio, &headers)?;
    studio.lab.begin(wanted).map(Json)
}

async fn stop(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    studio.lab.stop().map(Json)
}
