//! The routes of the workbench and the lab. Only the host may use them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Json, Query, State};
use axum::http::HeaderMap;
use axum::routing::{get, post};
use principes_app::edit::Edit;
use serde::Deserialize;

use crate::command::{Command, NewScenario, RequestError};
use crate::lab::Experiment;
use crate::web::{Answer, Services, Shared, host};
use crate::workbench::Task;

/// All routes of the workbench and the lab.
pub fn routes() -> Router<Arc<Services>> {
    Router::new()
        .route("/api/wall", get(wall))
        .route("/api/entity", get(entity))
        .route("/api/schema", get(schema))
        .route("/api/map", get(map))
        .route("/api/edit", post(edit))
        .route("/api/fix", post(fix))
        .route("/api/scenario", post(scenario))
        .route("/api/try", post(try_card))
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

async fn edit(State(studio): Shared, headers: HeaderMap, Json(edits): Json<Vec<Edit>>) -> Answer {
    host(&studio, &headers)?;
    studio.workbench.ask(Task::Edit(edits)).await.map(Json)
}

#[derive(Deserialize)]
struct FixRequest {
    at: usize,
    load: u64,
}

async fn fix(State(studio): Shared, headers: HeaderMap, Json(which): Json<FixRequest>) -> Answer {
    host(&studio, &headers)?;
    studio.table.ask(Command::Fix(which.at, which.load)).await.map(Json)
}

async fn scenario(State(studio): Shared, headers: HeaderMap, Json(new): Json<NewScenario>) -> Answer {
    host(&studio, &headers)?;
    studio.table.ask(Command::Scenario(new)).await.map(Json)
}

#[derive(Deserialize)]
struct TrialRequest {
    card: String,
}

/// Starts a game in which the card can be played. The current game is paused.
async fn try_card(State(studio): Shared, headers: HeaderMap, Json(of): Json<TrialRequest>) -> Answer {
    host(&studio, &headers)?;
    let record = studio.workbench.ask(Task::Deal(of.card)).await?;
    let save = serde_json::from_value(record).map_err(|error| RequestError(500, error.to_string()))?;
    studio.table.ask(Command::Try(Box::new(save))).await.map(Json)
}

async fn back(State(studio): Shared, headers: HeaderMap) -> Answer {
    host(&studio, &headers)?;
    studio.table.ask(Command::Back).await.map(Json)
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
