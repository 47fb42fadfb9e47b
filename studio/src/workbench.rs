//! The workbench: entities with everything that is written about them, the map, edits. It has its own packs, with
//! scenarios, on a separate thread, so that no player waits for it.

use std::sync::mpsc::{self, Receiver, Sender};

use principes_app::edit::{self, Edit, EditError};
use principes_app::packs::{OpenPacks, PackError, PackRequest};
use principes_app::setup::SetupRequest;
use principes_app::trial::deal;
use principes_app::watch::Watch;
use principes_app::{workbench, workers};
use serde_json::{Value as Json, json};
use tokio::sync::oneshot;

use crate::command::{Reply, RequestError};
use crate::request::StudioError;

/// A task of the host for the workbench.
pub enum Task {
    /// The data of the card wall. Changes are relative to a git revision.
    Wall(Option<String>),
    /// Everything that is written about an entity, by family and id.
    Entity(String, String),
    /// The schema of a family's files, narrowed to the declarations of the packs.
    Schema(String),
    /// The spaces with their locations in files.
    Map,
    /// Edits values in files.
    Edit(Vec<Edit>),
    /// The record of a game in which a card can be played.
    Deal(String),
}

/// The channel to the workbench.
#[derive(Clone)]
pub struct Workbench {
    tasks: Sender<(Task, Reply)>,
}

impl Workbench {
    /// Starts the thread. Packs are opened for the first task.
    ///
    /// # Errors
    /// [`StudioError::System`]: a thread cannot start.
    pub fn start(packs: PackRequest, setup: SetupRequest) -> Result<Self, StudioError> {
        let (tasks, incoming) = mpsc::channel();
        let run = move || {
            Bench { request: packs, setup, options: workbench::Options::default(), open: None, is_old: true }
                .run(&incoming)
        };
        workers::thread().spawn(run).map_err(|error| StudioError::System(error.to_string()))?;
        Ok(Workbench { tasks })
    }

    /// Sends a task and waits for the response.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn ask(&self, task: Task) -> Result<Json, RequestError> {
        let (reply, answer) = oneshot::channel();
        let gone = || RequestError(503, "the workbench has stopped; restart the studio".to_owned());
        self.tasks.send((task, reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

struct Bench {
    request: PackRequest,
    setup: SetupRequest,
    /// A cache of the packs' files.
    options: workbench::Options,
    open: Option<(OpenPacks, Watch)>,
    /// Whether files have changed since the packs were opened.
    is_old: bool,
}

impl Bench {
    fn run(&mut self, incoming: &Receiver<(Task, Reply)>) {
        while let Ok((task, reply)) = incoming.recv() {
            // The page may be gone.
            let _ = reply.send(self.handle(task));
        }
    }

    /// The packs with the current files. While the files have errors, the last valid packs stay.
    fn packs(&mut self) -> Result<&OpenPacks, RequestError> {
        let failed = |error: PackError| RequestError(409, error.to_string());
        self.is_old |= self.open.as_mut().is_none_or(|(_, watch)| watch.changed());
        if self.is_old {
            let packs = workbench::open(&self.request, &self.options).map_err(failed)?;
            let watch = Watch::begin(&packs.folders);
            self.open = Some((packs, watch));
            self.is_old = false;
        }
        let gone = || RequestError(409, "the packs cannot be opened".to_owned());
        self.open.as_ref().map(|(packs, _)| packs).ok_or_else(gone)
    }

    fn handle(&mut self, task: Task) -> Result<Json, RequestError> {
        match task {
            Task::Wall(since) => {
                let wall = workbench::wall(self.packs()?, since.as_deref());
                wall.map(|rows| json!(rows)).map_err(|error| RequestError(409, error.to_string()))
            }
            Task::Entity(family, id) => {
                let written = workbench::entity(self.packs()?, &family, &id);
                let written = written.map_err(|error| RequestError(409, error.to_string()))?;
                written
                    .map(|written| json!(written))
                    .ok_or_else(|| RequestError(404, format!("unknown id `{id}` in {family}")))
            }
            Task::Map => Ok(json!(workbench::map(self.packs()?))),
            Task::Schema(name) => self.schema(&name),
            Task::Edit(edits) => self.edit(&edits),
            Task::Deal(card) => {
                let setup = self.setup.clone();
                let packs = self.packs()?;
                let unknown = || RequestError(404, format!("unknown card `{card}`"));
                let design = packs.catalog.design(&card).ok_or_else(unknown)?;
                Ok(json!(deal(packs, &setup, design).map_err(|error| RequestError(409, error.to_string()))?))
            }
        }
    }

    fn schema(&mut self, name: &str) -> Result<Json, RequestError> {
        let schema = workbench::schema(name, &self.request, &self.options);
        let schema = schema.map_err(|error| RequestError(409, error.to_string()))?;
        schema.ok_or_else(|| RequestError(404, format!("unknown schema `{name}`")))
    }

    /// Edits apply to the last opened packs, even if these have errors: that is how errors are fixed.
    fn edit(&mut self, edits: &[Edit]) -> Result<Json, RequestError> {
        if self.open.is_none() {
            self.packs()?;
        }
        let packs = self.open.as_ref().map_or(&[][..], |(packs, _)| &packs.loaded.packs);
        edit::apply(packs, edits).map(|files| json!(files)).map_err(edit_error)
    }
}

/// The error of an edit, for a page.
pub fn edit_error(error: EditError) -> RequestError {
    let status = match error {
        EditError::UnknownFile { .. } | EditError::NoPlace { .. } => 404,
        EditError::NoFolder(_) | EditError::Link(_) => 403,
        EditError::Stale(_) | EditError::NotJson(_) | EditError::NoFix => 409,
        EditError::Write(_) => 500,
    };
    RequestError(status, error.to_string())
}
