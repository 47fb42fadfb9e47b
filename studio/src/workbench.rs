//! The workbench: entities with everything that is written about them, the map, edits. It has its own packs, with
//! scenarios, on a separate thread, so that no player waits for it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};

use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::storage::Disk;
use principes_app::watch::Watch;
use principes_app::workers;
use principes_author::desk::{Desk, EditedPacks, Plan, Wish, field_of};
use principes_author::workbench;
use principes_draw::card::Face;
use serde_json::{Value as Json, json};
use tokio::sync::oneshot;

use crate::command::{Reply, RequestError, edit_error};
use crate::picture;
use crate::request::StudioError;

/// The most findings of a plan that a page gets.
const FINDINGS: usize = 20;

/// What a page wants to change, and what it needs to know about it.
#[derive(Debug, serde::Deserialize)]
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
#[derive(Debug, serde::Deserialize)]
pub struct ToWrite {
    /// All wishes, in order.
    pub wishes: Vec<Wish>,
    /// The digest of the plan that the author has seen.
    pub digest: String,
    /// What the edit does, in a few words.
    pub title: String,
}

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
    /// The packs that are edited, and what can be undone and redone.
    Desk,
    /// The files that wishes would change, and what a check would find. Nothing is written.
    Plan(Planned),
    /// Writes a plan that the author has seen.
    Write(ToWrite),
    /// The files that undoing (true) or redoing would change.
    Coming(bool),
    /// Undoes (true) or redoes an edit.
    Turn(bool),
    /// Notes a file that was made in a folder, with its snapshot, so that this can be undone.
    Made(PathBuf, PathBuf),
}

/// The channel to the workbench.
#[derive(Clone)]
pub struct Workbench {
    tasks: Sender<(Task, Reply)>,
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
    pub async fn ask(&self, task: Task) -> Result<Json, RequestError> {
        let (reply, answer) = oneshot::channel();
        let gone = || RequestError(503, "the workbench has stopped; restart the studio".to_owned());
        self.tasks.send((task, reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// Open packs with what is known about them.
struct Open {
    packs: OpenPacks,
    edited: EditedPacks,
    watch: Watch,
}

struct Bench {
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
    fn run(&mut self, incoming: &Receiver<(Task, Reply)>) {
        while let Ok((task, reply)) = incoming.recv() {
            // The page may be gone.
            let _ = reply.send(self.handle(task));
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
        self.open.as_ref().ok_or_else(|| conflict("the packs cannot be opened"))
    }

    /// Edits apply to the last opened packs, even if the files have errors now: that is how errors are fixed.
    fn last_packs(&mut self) -> Result<&Open, RequestError> {
        if self.packs().is_err() && self.open.is_none() {
            let packs = workbench::open_broken(&self.request, &self.quick).map_err(conflict)?;
            let watch = Watch::begin(&packs.folders);
            let edited = EditedPacks::of(&self.request, &packs.loaded.packs);
            self.open = Some(Open { packs, edited, watch });
        }
        self.open.as_ref().ok_or_else(|| conflict("the packs cannot be opened"))
    }

    fn handle(&mut self, task: Task) -> Result<Json, RequestError> {
        match task {
            Task::Wall(since) => {
                let Open { packs, edited, .. } = self.packs()?;
                workbench::wall(packs, edited, since.as_deref()).map(|rows| json!(rows)).map_err(conflict)
            }
            Task::Entity(family, id) => {
                let Open { packs, edited, .. } = self.packs()?;
                let written = workbench::entity(packs, edited, &family, &id).map_err(conflict)?;
                let unknown = || RequestError(404, format!("unknown id `{id}` in {family}"));
                written.map(|written| json!(written)).ok_or_else(unknown)
            }
            Task::Map => {
                let Open { packs, edited, .. } = self.packs()?;
                Ok(json!(workbench::map(packs, edited)))
            }
            Task::Schema(name) => {
                let schema = workbench::schema(&name, &self.request, &self.options).map_err(conflict)?;
                let mut schema = schema.ok_or_else(|| RequestError(404, format!("unknown schema `{name}`")))?;
                schema["x-names"] = json!(workbench::names(&self.packs()?.packs));
                schema["x-aliases"] = json!(workbench::aliases());
                Ok(schema)
            }
            Task::Desk => self.desk(),
            Task::Plan(planned) => self.plan(&planned),
            Task::Write(plan) => {
                let _ = self.last_packs()?;
                let Some(Open { packs, edited, .. }) = &self.open else { return Ok(Json::Null) };
                let made = Plan::of(packs, edited, &plan.wishes).map_err(edit_error)?;
                let written = self.desk.write(&Disk, &made, &plan.digest, &plan.title);
                written.map(|files| json!(files)).map_err(edit_error)
            }
            Task::Coming(is_undo) => {
                self.desk.coming(&Disk, is_undo).map(|files| json!({ "files": files })).map_err(edit_error)
            }
            Task::Turn(is_undo) => {
                self.desk.turn(&Disk, is_undo).map(|title| json!({ "title": title })).map_err(edit_error)
            }
            Task::Made(root, file) => {
                let snapshot = file.with_extension("snap");
                let name = |path: &Path| path.display().to_string();
                let files = [(&*root, &*file, name(&file)), (&*root, &*snapshot, name(&snapshot))];
                let title = format!("make {}", file.file_name().unwrap_or_default().to_string_lossy());
                self.desk.note_new(&Disk, &title, &files).map(|()| Json::Null).map_err(edit_error)
            }
        }
    }

    fn desk(&mut self) -> Result<Json, RequestError> {
        let offers = self.desk.offers(&Disk).map_err(edit_error)?;
        let Open { packs, edited, .. } = self.last_packs()?;
        let packs = packs.loaded.packs.iter().map(|pack| {
            let id = pack.manifest.id.as_str();
            let folder = pack.folder.as_ref().map(|folder| folder.display().to_string());
            json!({ "id": id, "title": pack.manifest.title, "folder": folder, "is_edited": edited.has(id),
                "languages": pack.manifest.languages })
        });
        Ok(json!({ "packs": packs.collect::<Vec<_>>(), "undo": offers.undo, "redo": offers.redo }))
    }

    fn plan(&mut self, planned: &Planned) -> Result<Json, RequestError> {
        let _ = self.last_packs()?;
        let Some(Open { packs, edited, .. }) = &self.open else { return Ok(Json::Null) };
        let plan = Plan::of(packs, edited, &planned.wishes).map_err(edit_error)?;
        let checked = plan.check(&self.request, &self.quick).map_err(conflict)?;
        let wrong: Vec<_> = checked.findings.iter().filter(|finding| finding.is_error()).collect();
        let shown = wrong.iter().take(FINDINGS).map(|finding| {
            let mut shown = picture::finding(finding, 0);
            shown["field"] = json!(field_of(finding));
            shown
        });
        let findings: Vec<Json> = shown.collect();
        // Most packs with errors can be drawn all the same.
        let loaded = checked.loaded.or_else(|| checked.recovered.as_ref().map(|recovered| recovered.game().clone()));
        let faces = loaded.map(OpenPacks::new).and_then(|packs| {
            let design = packs.catalog.design(planned.card.as_deref()?)?;
            let face = |language: &str| Face::of(&packs, &packs.words(language), design).draw();
            let languages = packs.loaded.messages.languages().map(str::to_owned).collect::<Vec<_>>();
            Some(languages.iter().map(|language| json!([language, face(language)])).collect::<Vec<_>>())
        });
        Ok(json!({
            "digest": plan.digest(), "files": plan.files(), "findings": findings, "faces": faces,
            "more": wrong.len().saturating_sub(FINDINGS),
            "pins": plan.wrong_pins(&checked.findings, planned.into.as_deref()),
        }))
    }
}

fn conflict(error: impl std::fmt::Display) -> RequestError {
    RequestError(409, error.to_string())
}
