//! The rules as prose in one language, with the live parts filled in.
//!
//! A rulebook knows the packs and nothing of a running game: its boards are those of a new game or of a scenario.

mod fill;
mod markdown;
mod scene;
mod tree;

use principes_model::FALLBACK;
use principes_model::rulebook::{RulesFile, parse};

use self::fill::Filler;
pub use self::markdown::to_markdown;
pub use self::tree::{Book, ExampleLine, FilledBlock, FilledRun, Section, plain};
use crate::packs::{OpenPacks, PackError};

impl Book {
    /// The rules of the opened packs in a language, or else in English. Packs that were opened without scenarios have
    /// no examples.
    ///
    /// # Errors
    /// [`PackError::Broken`]: the scripts cannot be loaded.
    pub fn of(packs: &OpenPacks, language: &str) -> Result<Book, PackError> {
        let mut filler = Filler::new(packs, language)?;
        let mut sections = Vec::new();
        for (at, pack) in packs.loaded.packs.iter().enumerate() {
            if let Some(file) = chosen(&packs.loaded.rulebooks, pack.manifest.id.as_str(), language) {
                // Two packs may use the same id.
                let prefix = if sections.is_empty() { String::new() } else { format!("{at}-") };
                sections.extend(filler.sections(&parse(&file.text), &file.pack, &prefix));
            }
        }
        let words = packs.words(language);
        let title = words.message("pack.title", &[], None).unwrap_or_else(|| packs.loaded.manifest.title.to_string());
        Ok(Book { title, sections })
    }
}

/// The rulebook of a pack in a language, or else in English, or else in any language.
fn chosen<'r>(files: &'r [RulesFile], pack: &str, language: &str) -> Option<&'r RulesFile> {
    let own = || files.iter().filter(|file| file.pack == pack);
    let find = |language: &str| own().find(|file| file.language == language);
    find(language).or_else(|| find(FALLBACK)).or_else(|| own().next())
}
