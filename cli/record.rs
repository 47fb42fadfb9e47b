//! A played game becomes a scenario of the pack it was played with.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use principes_content::folder;
use principes_content::scenario::{self, Recorder, Rehearsal, snapshot_path};
use principes_scripting::LuaHost;

use crate::out;
use crate::packs::{self, Ready};
use crate::save::Save;

/// Which part of a game becomes which scenario.
pub struct Order<'a> {
    /// Id of the scenario and name of its file.
    pub id: &'a str,
    /// What it shows.
    pub title: Option<&'a str>,
    /// Answers that only lead there: what `then` says has changed since.
    pub from: usize,
    /// Answers that are taken in all.
    pub until: usize,
}

/// Writes the scenario into the last pack in load order, plays it, and stores its snapshot. The file that was written.
pub fn make(ready: &Ready, save: &Save, order: &Order<'_>) -> Result<PathBuf> {
    let Order { id, until, from, .. } = *order;
    let is_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.is_empty() || !id.chars().all(is_id) {
        bail!("`{id}` is no id of a scenario: use lower-case letters, digits and `-`");
    }
    let answers = save.answers.len();
    if until > answers || from > until {
        bail!(
            "the game has {answers} answers; a scenario goes from one of them to a later one, not from {} to {until}",
            from + 1
        );
    }
    let pack = scenario::pack_under_test(&ready.loaded);
    let root = ready.loaded.packs.last().and_then(|info| info.folder.clone());
    let root = root.with_context(|| format!("`{pack}` lies in no folder; name the folder of a pack with --pack"))?;
    let path = format!("scenarios/{id}.json");
    let taken = |other: &&principes_content::LoadedScenario| other.pack == pack && other.scenario.id.as_str() == id;
    if let Some(other) = ready.loaded.scenarios.iter().find(taken) {
        bail!("there is a scenario `{id}` already, in {}", other.file);
    }
    let file = root.join(&path);
    if file.exists() {
        bail!("{} is there already", file.display());
    }

    let host = ready.host()?;
    let config = save.setup(&ready.catalog)?.config;
    let mut game = ready.start(&host, config)?;
    let mut recorder = Recorder::begin(&game);
    for (at, answer) in save.answers[..until].iter().enumerate() {
        if at == from {
            recorder.mark(&game);
        }
        let seat = crate::setup::playable(&ready.catalog, &answer.seat)?;
        recorder.answer(&game, seat, &answer.choose, answer.aside);
        Save::play(&mut game, at, answer)?;
    }
    let plain = format!("A game with seed {}, answers {} to {until}", save.config.seed, from + 1);
    let text = recorder.finish(&game, id, order.title.unwrap_or(&plain));
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(root.join("scenarios"))?;
        out::write_whole(&file, text.as_bytes())
    };
    write().with_context(|| format!("cannot write `{}`", file.display()))?;
    let proven = prove(ready, &root, id);
    if proven.is_err() {
        // Nothing is left of what does not pass. That it could be taken away is not worth a second error.
        let _ = std::fs::remove_file(&file);
        let _ = std::fs::remove_file(root.join(snapshot_path(&path, id)));
    }
    proven.map(|()| file)
}

/// Plays the scenario as `principes test` does, and stores what it does.
fn prove(ready: &Ready, root: &std::path::Path, id: &str) -> Result<()> {
    let tested = packs::load_sources(&[folder(root)], None)?;
    if tested.packs != ready.packs {
        let list =
            |packs: &[crate::save::PackRef]| packs.iter().map(|pack| pack.id.as_str()).collect::<Vec<_>>().join(", ");
        bail!(
            "the game was played with {}, but scenarios of the last of them are tested with {}",
            list(&ready.packs),
            list(&tested.packs)
        );
    }
    let mut files = scenario::scenario_files(&tested.loaded, scenario::pack_under_test(&tested.loaded));
    files.retain(|file| file.scenario.id.as_str() == id);
    let rehearsal = Rehearsal::new(&tested.loaded, files.clone().into(), LuaHost::new)
        .map_err(|findings| packs::refuse(&findings))?;
    for file in &files {
        let outcome = rehearsal.run_one(file, true);
        if let Some(failure) = outcome.failures.first() {
            bail!("the scenario does not do what the game did: {failure}");
        }
        if !outcome.passed() {
            bail!("the snapshot {} could not be stored", outcome.snapshot_file);
        }
    }
    Ok(())
}
