//! Boards and examples: a new game, and scenarios as they are played.

use std::sync::Arc;

use principes_core::SeatId;
use principes_scenarios::{Happening, ScenarioFile, ScenarioRunner, scenario_files};
use principes_scripting::LuaHost;

use super::tree::ExampleLine;
use crate::board::SeenBoard;
use crate::packs::{OpenPacks, PackError};
use crate::session::{GameInWords, told};
use crate::setup::{Player, SetupRequest, set_up};
use crate::words::Words;

/// The most lines of an example.
const MOST_LINES: usize = 60;

/// Makes scenes, each as often as it is asked for.
pub struct Scenes<'p> {
    packs: &'p OpenPacks,
    words: Words,
    runner: Option<ScenarioRunner>,
    files: Arc<[ScenarioFile]>,
}

impl<'p> Scenes<'p> {
    pub fn new(packs: &'p OpenPacks, language: &str) -> Result<Self, PackError> {
        let of = |pack: &principes_model::PackInfo| scenario_files(&packs.loaded, pack.manifest.id.as_str());
        let files: Arc<[ScenarioFile]> = packs.loaded.packs.iter().flat_map(of).collect();
        let runner = match files.is_empty() {
            true => None,
            false => {
                Some(ScenarioRunner::new(&packs.loaded, Arc::clone(&files), LuaHost::new).map_err(PackError::broken)?)
            }
        };
        Ok(Scenes { packs, words: packs.words(language), runner, files })
    }

    /// The board of a new game.
    pub fn start(&self) -> Option<SeenBoard> {
        let setup = set_up(&self.packs.catalog, &SetupRequest::all(Player::Greedy, 1)).ok()?;
        let host = self.packs.host().ok()?;
        let game = self.packs.start(&host, setup.config).ok()?;
        Some(GameInWords { game: &game, words: &self.words }.board(None))
    }

    /// The board with which a scenario begins.
    pub fn board(&self, pack: &str, id: &str) -> Option<SeenBoard> {
        let mut board = None;
        self.runner.as_ref()?.tell(self.file(pack, id)?, &mut |game, told| {
            if let Happening::Begins = told {
                board = Some(GameInWords { game, words: &self.words }.board(None));
            }
        });
        board
    }

    /// What happens in a scenario, as spectators see it.
    pub fn example(&self, pack: &str, id: &str) -> Option<Vec<ExampleLine>> {
        let mut lines: Option<Vec<ExampleLine>> = None;
        let words = &self.words;
        self.runner.as_ref()?.tell(self.file(pack, id)?, &mut |game, happens| {
            let Some(lines) = lines.as_mut().filter(|lines| lines.len() < MOST_LINES) else {
                if let Happening::Begins = happens {
                    lines = Some(Vec::new());
                }
                return;
            };
            match happens {
                Happening::Begins => {}
                Happening::Chosen(seat, option) => {
                    let text = words.option(option, &game.table().view(Some(seat)));
                    lines.push(ExampleLine { seat: Some(self.name(seat)), text });
                }
                Happening::Events(events) => {
                    let text = told(words, &game.table().view(None), events);
                    lines.extend(text.into_iter().map(|text| ExampleLine { seat: None, text }));
                }
            }
        });
        lines
    }

    fn name(&self, seat: SeatId) -> String {
        self.words.value(principes_core::Value::Faction(seat), None)
    }

    fn file(&self, pack: &str, id: &str) -> Option<&ScenarioFile> {
        self.files.iter().find(|file| file.pack == pack && file.scenario.id.as_str() == id)
    }
}
