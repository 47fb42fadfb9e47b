//! The files behind the game, for its designer: entities with all that is written of them, the map, edits. It has packs
//! of its own, with their scenarios, in a thread of its own, so that no player waits for it.

use std::sync::mpsc::{self, Receiver, Sender};

use principes_app::edit::{self, Edit, EditError};
use principes_app::packs::{OpenPacks, PackError, PackRequest};
use principes_app::setup::SetupRequest;
use principes_app::trial::deal;
use principes_app::watch::Watch;
use principes_app::{workbench, workers};
use serde_json::{Value as Json, json};
use tokio::sync::oneshot;

use crate::request::StudioError;
use crate::wish::{Refusal, Reply};

/// What the host asks of the workbench.
pub enum Task {
    /// What the wall says of each card beside its face; changes are those since a revision of git.
    Wall(Option<String>),
    /// All that is written of an entity, by family and id.
    Entity(String, String),
    /// The schema of a family's files, with what the packs declare.
    Schema(String),
    /// The spaces with their places in files.
    Map,
    /// Changes of values in files.
    Edit(Vec<Edit>),
    /// A record of a game in which a card can be played now.
    Deal(String),
}

/// Where tasks are sent.
#[derive(Clone)]
pub struct Workbench {
    tasks: Sender<(Task, Reply)>,
}

impl Workbench {
    /// Starts the thread; packs are opened when the first task comes.
    ///
    /// # Errors
    /// [`StudioError::System`]: there are no more threads.
    pub fn start(packs: PackRequest, setup: SetupRequest) -> Result<Self, StudioError> {
        let (tasks, incoming) = mpsc::channel();
        let run = move || {
            Bench { request: packs, setup, options: workbench::Options::default(), open: None, is_old: true }
                .run(&incoming)
        };
        workers::thread().spawn(run).map_err(|error| StudioError::System(error.to_string()))?;
        Ok(Workbench { tasks })
    }

    /// What came of a task.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn ask(&self, task: Task) -> Result<Json, Refusal> {
        let (reply, answer) = oneshot::channel();
        let gone = || Refusal(503, "the workbench has stopped; start the studio again".to_owned());
        self.tasks.send((task, reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

struct Bench {
    request: PackRequest,
    setup: SetupRequest,
    /// Remembers what is known of files.
    options: workbench::Options,
    open: Option<(OpenPacks, Watch)>,
    /// Whether files have changed since.
    is_old: bool,
}

impl Bench {
    fn run(&mut self, incoming: &Receiver<(Task, Reply)>) {
        while let Ok((task, reply)) = incoming.recv() {
            // It does not matter if the page is gone.
            let _ = reply.send(self.fulfil(task));
        }
    }

    /// The packs as their files are now. While those have errors, what was opened before stays, for edits.
    fn packs(&mut self) -> Result<&OpenPacks, Refusal> {
        let failed = |error: PackError| Refusal(409, error.to_string());
        self.is_old |= self.open.as_mut().is_none_or(|(_, watch)| watch.changed());
        if self.is_old {
            let packs = workbench::open(&self.request, &self.options).map_err(failed)?;
            let watch = Watch::begin(&packs.folders);
            self.open = Some((packs, watch));
            self.is_old = false;
        }
        let gone = || Refusal(409, "the packs cannot be opened".to_owned());
        self.open.as_ref().map(|(packs, _)| packs).ok_or_else(gone)
    }

    fn fulfil(&mut self, task: Task) -> Result<Json, Refusal> {
        match task {
            Task::Wall(since) => {
                let wall = workbench::wall(self.packs()?, since.as_deref());
                wall.map(|rows| json!(rows)).map_err(|error| Refusal(409, error.to_string()))
            }
            Task::Entity(family, id) => {
                let written = workbench::entity(self.packs()?, &family, &id);
                let written = written.map_err(|error| Refusal(409, error.to_string()))?;
                written
                    .map(|written| json!(written))
                    .ok_or_else(|| Refusal(404, format!("there is no `{id}` in {family}")))
            }
            Task::Map => Ok(json!(workbench::map(self.packs()?))),
            Task::Schema(name) => self.schema(&name),
            Task::Edit(edits) => self.edit(&edits),
            Task::Deal(card) => {
                let setup = self.setup.clone();
                let packs = self.packs()?;
                let unknown = || Refusal(404, format!("there is no card `{card}`"));
                let design = packs.catalog.design(&card).ok_or_else(unknown)?;
                Ok(json!(deal(packs, &setup, design).map_err(|error| Refusal(409, error.to_string()))?))
            }
        }
    }

    fn schema(&mut self, name: &str) -> Result<Json, Refusal> {
        let schema = workbench::schema(name, &self.request, &self.options);
        let schema = schema.map_err(|error| Refusal(409, error.to_string()))?;
        schema.ok_or_else(|| Refusal(404, format!("there is no schema `{name}`")))
    }

    /// Edits are made on the packs that were opened last, broken or not: that is how they are fixed.
    fn edit(&mut self, edits: &[Edit]) -> Result<Json, Refusal> {
        if self.open.is_none() {
            self.packs()?;
        }
        let packs = self.open.as_ref().map_or(&[][..], |(packs, _)| &packs.loaded.packs);
        edit::apply(packs, edits).map(|files| json!(files)).map_err(edit_refused)
    }
}

/// Why an edit was not made, for a page.
pub fn edit_refused(error: EditError) -> Refusal {
    let status = match error {
        EditError::UnknownFile { .. } | EditError::NoPlace { .. } => 404,
        EditError::NoFolder(_) | EditError::Link(_) => 403,
        EditError::Stale(_) | EditError::NotJson(_) | EditError::NoFix => 409,
        EditError::Write(_) => 500,
    };
    Refusal(status, error.to_string())
}
