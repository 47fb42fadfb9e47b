//! Turns a played game into a scenario of its pack.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use principes_app::failure::start_failure;
use principes_app::packs::{OpenPacks, PackError, PackRef};
use principes_app::save::{Save, SaveError, give};
use principes_app::setup::playable;
use principes_app::storage::{Disk, FileError, FilePlace, write_at};
use principes_content::LoadOptions;
use principes_core::StartError;
use principes_model::LoadedScenario;
use principes_scenarios::{Recorder, ScenarioResult, ScenarioRunner, snapshot_path};
use principes_scripting::LuaHost;
use principes_source::{HeldFolder, PackSource};

/// The scenario to make, and the part of the game for it.
pub struct ScenarioRequest<'a> {
    /// The id of the scenario, which is also the name of its file.
    pub id: &'a str,
    /// What the scenario shows. Without it, a plain title is made.
    pub title: Option<&'a str>,
    /// The number of answers before the scenario expects changes.
    pub from: usize,
    /// The number of answers in all.
    pub until: usize,
}

/// Why a game cannot become a scenario. The pack is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The id has invalid characters.
    #[error("`{0}` is not a scenario id: use lower-case letters, digits and `-`")]
    Id(String),
    /// The game does not have these answers.
    #[error("a scenario cannot run from answer {} to answer {until}: the game has {answers} answers", from + 1)]
    Range {
        /// The number of answers.
        answers: usize,
        /// The requested start, from 0.
        from: usize,
        /// The requested end.
        until: usize,
    },
    /// The pack is not a folder.
    #[error("`{0}` is not in a folder; open the folder of a pack")]
    NoFolder(String),
    /// The scenario already exists.
    #[error("{file} already has a scenario `{id}`")]
    Taken {
        /// The requested id.
        id: String,
        /// The file that already has it, as users name it.
        file: String,
    },
    /// The file already exists.
    #[error("{} already exists", .0.display())]
    Exists(PathBuf),
    /// The packs cannot be played.
    #[error(transparent)]
    Packs(#[from] PackError),
    /// The game cannot be started.
    #[error("{}", start_failure(.0))]
    Start(StartError),
    /// The record does not fit the packs.
    #[error(transparent)]
    Record(#[from] SaveError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// The pack's scenarios run with other packs than those of the game.
    #[error("the game was played with {}, but the scenarios of the last pack run with {}", ids(played), ids(tested))]
    OtherPacks {
        /// The packs of the game.
        played: Vec<PackRef>,
        /// The packs of the test.
        tested: Vec<PackRef>,
    },
    /// The scenario does not repeat the game.
    #[error("the scenario does not repeat the game: {0}")]
    Fails(String),
    /// The snapshot could not be written.
    #[error("cannot write the snapshot {0}")]
    GameState(String),
}

impl From<StartError> for ScenarioError {
    fn from(error: StartError) -> Self {
        ScenarioError::Start(error)
    }
}

fn ids(packs: &[PackRef]) -> String {
    packs.iter().map(|pack| pack.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// Writes the scenario into the last pack in load order, runs it, and stores its snapshot. Returns the file. `options`
/// are the options for loading packs to test.
///
/// # Errors
/// [`ScenarioError`].
pub fn make(
    packs: &OpenPacks,
    save: &Save,
    request: &ScenarioRequest<'_>,
    options: &LoadOptions,
) -> Result<PathBuf, ScenarioError> {
    let ScenarioRequest { id, until, from, .. } = *request;
    let is_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.is_empty() || !id.chars().all(is_id) {
        return Err(ScenarioError::Id(id.to_owned()));
    }
    let answers = save.answers.len();
    if until > answers || from > until {
        return Err(ScenarioError::Range { answers, from, until });
    }
    let (root, source, path) = free_place(packs, id)?;
    let file = root.join(&path);
    let held = source.held().unwrap_or_else(|| HeldFolder::open(&root)).map_err(FileError::at(&file))?;
    let text = record(packs, save, request)?;
    let place = |inside: &str| FilePlace::below(&held, Path::new(inside), root.join(inside));
    let scenario = place(&path).map_err(FileError::at(&file))?;
    write_at(&Disk, &scenario, text.as_bytes()).map_err(|error| FileError::at(&file)(error.into()))?;
    let proven = prove(packs, source, id, options);
    if proven.is_err() {
        // A scenario that does not pass is removed. If that fails too, the first error matters more.
        let snapshot = place(&snapshot_path(&path));
        for place in [Ok(scenario), snapshot].into_iter().flatten() {
            let _ = place.remove(&Disk);
        }
    }
    proven.map(|()| file)
}

/// The folder of the pack under test, the pack, and an unused path for the scenario.
fn free_place(packs: &OpenPacks, id: &str) -> Result<(PathBuf, Arc<dyn PackSource>, String), ScenarioError> {
    let pack = principes_scenarios::pack_under_test(&packs.loaded);
    let last = packs.loaded.packs.last().and_then(|info| Some((info.folder.clone()?, Arc::clone(&info.source))));
    let (root, source) = last.ok_or_else(|| ScenarioError::NoFolder(pack.to_owned()))?;
    let path = format!("{id}.scenarios.json");
    let taken = |other: &&LoadedScenario| other.pack == pack && other.scenario.id.as_str() == id;
    if let Some(other) = packs.loaded.scenarios.iter().find(taken) {
        return Err(ScenarioError::Taken { id: id.to_owned(), file: other.file.clone() });
    }
    let file = root.join(&path);
    if file.exists() { Err(ScenarioError::Exists(file)) } else { Ok((root, source, path)) }
}

/// The text of the scenario.
fn record(packs: &OpenPacks, save: &Save, request: &ScenarioRequest<'_>) -> Result<String, ScenarioError> {
    let ScenarioRequest { id, until, from, title } = *request;
    let host = packs.host()?;
    let mut game = packs.start(&host, save.setup(&packs.catalog)?.config)?;
    let mut recorder = Recorder::begin(&game);
    for (at, answer) in save.answers[..until].iter().enumerate() {
        if at == from {
            recorder.mark(&game);
        }
        let unknown = |cause| SaveError::Unknown { pointer: format!("/answers/{at}"), cause };
        let seat = playable(&packs.catalog, &answer.seat).map_err(unknown)?;
        recorder.answer(&game, seat, &answer.choose, answer.aside);
        give(&mut game, at, answer)?;
    }
    let plain = format!("A game with seed {}, answers {} to {until}", save.config.seed, from + 1);
    Ok(recorder.finish(&game, id, title.unwrap_or(&plain)))
}

/// Runs the scenario as `test` does, and stores its snapshot.
fn prove(packs: &OpenPacks, pack: Arc<dyn PackSource>, id: &str, options: &LoadOptions) -> Result<(), ScenarioError> {
    let tested = OpenPacks::load(&[pack], options)?;
    if tested.packs != packs.packs {
        return Err(ScenarioError::OtherPacks { played: packs.packs.clone(), tested: tested.packs });
    }
    let mut files =
        principes_scenarios::scenario_files(&tested.loaded, principes_scenarios::pack_under_test(&tested.loaded));
    files.retain(|file| file.scenario.id.as_str() == id);
    let runner = ScenarioRunner::new(&tested.loaded, files.clone().into(), LuaHost::new).map_err(PackError::broken)?;
    let mut results: Vec<ScenarioResult> = files.iter().map(|file| runner.run_one(file)).collect();
    principes_scenarios::accept(&files, &mut results);
    for result in &results {
        if let Some(failure) = result.failures.first() {
            return Err(ScenarioError::Fails(failure.to_string()));
        }
        if !result.passed() {
            return Err(ScenarioError::GameState(result.snapshot_file.clone()));
        }
    }
    Ok(())
}
