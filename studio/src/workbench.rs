//! The workbench: entities with everything that is written about them, the map, edits. It has its own packs, with
//! scenarios, on a separate thread, so that no player waits for it.

use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::storage::Disk;
use principes_app::watch::Watch;
use principes_app::workers;
use principes_author::desk::{Desk, EditedPacks, Plan, PlannedFile, Wish, WrongPin, field_of};
use principes_author::edit::WrittenFile;
use principes_author::journal::TurnOffers;
use principes_author::workbench::{self, CardOnWall, Map, WrittenEntity};
use principes_draw::card::Face;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use tokio::sync::oneshot;

use crate::command::{RequestError, edit_error};
use crate::messages::{Done, FindingPicture};
use crate::picture;
use crate::request::StudioError;

/// The most findings of a plan that a page gets.
const FINDINGS: usize = 20;

/// What a page wants to change, and what it needs to know about it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Planned {
    /// All wishes, in order.
    pub wishes: Vec<Wish>,
    /// The edited pack that patches what belongs to packs that are not edited.
    #[serde(default)]
    pub into: Option<String>,
    /// The card whose faces are drawn.
    #[serde(default)]
    pub card: Option<String>,
}

/// A plan to write.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ToWrite {
    /// All wishes, in order.
    pub wishes: Vec<Wish>,
    /// The digest of the plan that the author has seen.
    pub digest: String,
    /// What the edit does, in a few words.
    pub title: String,
}

/// A pack, as the desk shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PackOnDesk {
    /// As its manifest says.
    pub id: String,
    /// As its manifest says.
    pub title: String,
    /// Where it is, if it is a folder.
    pub folder: Option<String>,
    /// Whether it is edited.
    pub is_edited: bool,
    /// The languages of its texts.
    pub languages: Vec<String>,
}

/// The packs that are edited, and what can be undone and redone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DeskState {
    /// All packs, in load order.
    pub packs: Vec<PackOnDesk>,
    /// What can be undone and redone.
    #[serde(flatten)]
    pub offers: TurnOffers,
}

/// A finding of a check of what is planned.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlanFinding {
    /// As everywhere.
    #[serde(flatten)]
    pub finding: FindingPicture,
    /// The field of a form that it is about.
    pub field: Option<Json>,
}

/// What wishes would change, and what is wrong with that.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlanPicture {
    /// Changes with the plan, so that nothing is written that the author has not seen.
    pub digest: String,
    /// The files that would change.
    pub files: Vec<PlannedFile>,
    /// The first errors.
    pub findings: Vec<PlanFinding>,
    /// The faces of the card in each language; null without a card.
    pub faces: Option<Vec<(String, String)>>,
    /// How many more errors there are.
    pub more: usize,
    /// Pins that would be wrong.
    pub pins: Vec<WrongPin>,
}

/// The files that undoing or redoing would change.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Coming {
    /// In the order of their names.
    pub files: Vec<PlannedFile>,
}

/// An edit that was undone or redone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TurnedEdit {
    /// What the edit does, in a few words.
    pub title: String,
}

/// What is done with the workbench. It replies by itself.
type Task = Box<dyn FnOnce(&mut Bench) + Send>;

/// The channel to the workbench.
#[derive(Clone)]
pub struct Workbench {
    tasks: Sender<Task>,
}

impl Workbench {
    /// Starts the thread. Packs are opened for the first task. `home` is the folder of the history of edits.
    ///
    /// # Errors
    /// [`StudioError::System`]: a thread cannot start.
    pub fn start(packs: PackRequest, home: &Path) -> Result<Self, StudioError> {
        let (tasks, incoming) = mpsc::channel();
        let desk = Desk::new(home, &packs);
        let run = move || {
            let options = workbench::Options::default();
            let quick = workbench::Options { scenarios: false, ..options.clone() };
            Bench { request: packs, options, quick, desk, open: None, is_old: true }.run(&incoming)
        };
        workers::thread().spawn(run).map_err(|error| StudioError::System(error.to_string()))?;
        Ok(Workbench { tasks })
    }

    /// Sends a task and waits for the response.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn ask<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut Bench) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let (reply, answer) = oneshot::channel();
        // The page may be gone.
        let task: Task = Box::new(move |bench| drop(reply.send(act(bench))));
        let gone = || RequestError(503, "the workbench has stopped; restart the studio".to_owned());
        self.tasks.send(task).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// Open packs with what is known about them.
struct Open {
    packs: OpenPacks,
    edited: EditedPacks,
    watch: Watch,
}

/// The workbench on its thread.
pub struct Bench {
    request: PackRequest,
    /// A cache of the packs' files.
    options: workbench::Options,
    /// The same cache, without scenarios.
    quick: workbench::Options,
    desk: Desk,
    open: Option<Open>,
    /// Whether files have changed since the packs were opened.
    is_old: bool,
}

impl Bench {
    fn run(&mut self, incoming: &Receiver<Task>) {
        while let Ok(task) = incoming.recv() {
            task(self);
        }
    }

    /// The packs with the current files. While the files have errors, the last valid packs stay.
    fn packs(&mut self) -> Result<&Open, RequestError> {
        self.is_old |= self.open.as_mut().is_none_or(|open| open.watch.changed());
        if self.is_old {
            let packs = workbench::open(&self.request, &self.options).map_err(conflict)?;
            let watch = Watch::begin(&packs.folders);
            let edited = EditedPacks::of(&self.request, &packs.loaded.packs);
            self.open = Some(Open { packs, edited, watch });
            self.is_old = false;
        }
        self.open.as_ref().ok_or_else(closed)
    }

    /// Edits apply to the last opened packs, even if the files have errors now: that is how errors are fixed.
    fn last_packs(&mut self) -> Result<&Open, RequestError> {
        if self.packs().is_err() && self.open.is_none() {
            let packs = workbench::open_broken(&self.request, &self.quick).map_err(conflict)?;
            let watch = Watch::begin(&packs.folders);
            let edited = EditedPacks::of(&self.request, &packs.loaded.packs);
            self.open = Some(Open { packs, edited, watch });
        }
        self.open.as_ref().ok_or_else(closed)
    }

    /// The cards of the wall. Changes are relative to a git revision.
    pub fn wall(&mut self, since: Option<&str>) -> Result<Vec<CardOnWall>, RequestError> {
        let Open { packs, edited, .. } = self.packs()?;
        workbench::wall(packs, edited, since).map_err(conflict)
    }

    /// Everything that is written about an entity.
    pub fn entity(&mut self, family: &str, id: &str) -> Result<WrittenEntity, RequestError> {
        let Open { packs, edited, .. } = self.packs()?;
        let written = workbench::entity(packs, edited, family, id).map_err(conflict)?;
        written.ok_or_else(|| RequestError(404, format!("unknown id `{id}` in {family}")))
    }

    /// The schema of a family's files, narrowed to the declarations of the packs.
    pub fn schema(&mut self, name: &str) -> Result<Json, RequestError> {
        let schema = workbench::schema(name, &self.request, &self.options).map_err(conflict)?;
        let mut schema = schema.ok_or_else(|| RequestError(404, format!("unknown schema `{name}`")))?;
        schema["x-names"] = json!(workbench::names(&self.packs()?.packs));
        schema["x-aliases"] = json!(workbench::aliases());
        Ok(schema)
    }

    /// The spaces with their locations in files.
    pub fn map(&mut self) -> Result<Map, RequestError> {
        let Open { packs, edited, .. } = self.packs()?;
        Ok(workbench::map(packs, edited))
    }

    /// Writes a plan that the author has seen.
    pub fn write(&mut self, plan: &ToWrite) -> Result<Vec<WrittenFile>, RequestError> {
        let _ = self.last_packs()?;
        let Open { packs, edited, .. } = self.open.as_ref().ok_or_else(closed)?;
        let made = Plan::of(packs, edited, &plan.wishes).map_err(edit_error)?;
        self.desk.write(&Disk, &made, &plan.digest, &plan.title).map_err(edit_error)
    }

    /// The files that undoing or redoing would change.
    pub fn coming(&self, is_undo: bool) -> Result<Coming, RequestError> {
        self.desk.coming(&Disk, is_undo).map(|files| Coming { files }).map_err(edit_error)
    }

    /// Undoes or redoes an edit.
    pub fn turn(&self, is_undo: bool) -> Result<TurnedEdit, RequestError> {
        self.desk.turn(&Disk, is_undo).map(|title| TurnedEdit { title }).map_err(edit_error)
    }

    /// Notes a file that was made in a folder, with its snapshot, so that this can be undone.
    pub fn note_made(&self, root: &Path, file: &Path) -> Result<Done, RequestError> {
        let snapshot = file.with_extension("snap");
        let name = |path: &Path| path.display().to_string();
        let files = [(root, file, name(file)), (root, &*snapshot, name(&snapshot))];
        let title = format!("make {}", file.file_name().unwrap_or_default().to_string_lossy());
        self.desk.note_new(&Disk, &title, &files).map(|()| Done {}).map_err(edit_error)
    }

    /// The packs that are edited, and what can be undone and redone.
    pub fn desk(&mut self) -> Result<DeskState, RequestError> {
        let offers = self.desk.offers(&Disk).map_err(edit_error)?;
        let Open { packs, edited, .. } = self.last_packs()?;
        let packs = packs.loaded.packs.iter().map(|pack| PackOnDesk {
            id: pack.manifest.id.to_string(),
            title: pack.manifest.title.clone(),
            folder: pack.folder.as_ref().map(|folder| folder.display().to_string()),
            is_edited: edited.has(pack.manifest.id.as_str()),
            languages: pack.manifest.languages.clone(),
        });
        Ok(DeskState { packs: packs.collect(), offers })
    }

    /// The files that wishes would change, and what a check would find. Nothing is written.
    pub fn plan(&mut self, planned: &Planned) -> Result<PlanPicture, RequestError> {
        let _ = self.last_packs()?;
        let Open { packs, edited, .. } = self.open.as_ref().ok_or_else(closed)?;
        let plan = Plan::of(packs, edited, &planned.wishes).map_err(edit_error)?;
        let checked = plan.check(&self.request, &self.quick).map_err(conflict)?;
        let wrong: Vec<_> = checked.findings.iter().filter(|finding| finding.is_error()).collect();
        let shown = wrong
            .iter()
            .take(FINDINGS)
            .map(|finding| PlanFinding { finding: picture::finding(finding, 0), field: field_of(finding) });
        let findings = shown.collect();
        // Most packs with errors can be drawn all the same.
        let loaded = checked.loaded.or_else(|| checked.recovered.as_ref().map(|recovered| recovered.game().clone()));
        let faces = loaded.map(OpenPacks::new).and_then(|packs| {
            let design = packs.catalog.design(planned.card.as_deref()?)?;
            let face = |language: &str| Face::of(&packs, &packs.words(language), design).draw();
            let languages = packs.loaded.messages.languages();
            Some(languages.map(|language| (language.to_owned(), face(language))).collect())
        });
        Ok(PlanPicture {
            digest: plan.digest(),
            files: plan.files(),
            findings,
            faces,
            more: wrong.len().saturating_sub(FINDINGS),
            pins: plan.wrong_pins(&checked.findings, planned.into.as_deref()),
        })
    }
}

fn closed() -> RequestError {
    conflict("the packs cannot be opened")
}

fn conflict(error: impl std::fmt::Display) -> RequestError {
    RequestError(409, error.to_string())
}
