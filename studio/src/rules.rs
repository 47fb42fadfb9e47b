//! The rulebook for pages. It is made when a page first asks for it, and again after the packs have changed. It shows
//! nothing of the running game, so everybody may read it.

use std::sync::Arc;

use parking_lot::Mutex;
use principes_app::packs::PackRequest;
use principes_app::rulebook::Book;
use principes_author::workbench::{self, Options};
use principes_draw::rules::Pages;
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::RequestError;
use crate::house::aside;

/// The rulebook, as a page shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RulebookPage {
    /// The title of the game.
    pub title: String,
    /// In order. Empty if no pack has a rulebook.
    pub sections: Vec<SectionPage>,
}

/// A heading and what is below it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SectionPage {
    /// What links name. Unique in the book.
    pub id: String,
    /// From 1, the title of a book.
    pub level: u8,
    /// The words of the heading.
    pub title: String,
    /// The decisions and phases that it explains.
    pub explains: Vec<String>,
    /// Well-formed HTML.
    pub html: String,
}

/// The rulebook of the opened packs.
pub struct Rules {
    packs: PackRequest,
    language: String,
    /// The book, and how often the packs had been loaded before.
    known: Arc<Mutex<Option<(u64, RulebookPage)>>>,
}

impl Rules {
    /// The rules of these packs in a language.
    pub fn new(packs: PackRequest, language: String) -> Self {
        Rules { packs, language, known: Arc::default() }
    }

    /// The rulebook after a number of loads. Requests that come meanwhile wait for the same book.
    ///
    /// # Errors
    /// [`RequestError`]: the packs cannot be opened now.
    pub async fn read(&self, loads: u64) -> Result<RulebookPage, RequestError> {
        let (packs, language, known) = (self.packs.clone(), self.language.clone(), self.known.clone());
        // On its own thread, a book is finished for the next request even if this page is gone.
        let read = move || {
            let mut known = known.lock();
            if let Some((of, book)) = &*known
                && *of == loads
            {
                return Ok(book.clone());
            }
            let book = make(&packs, &language)?;
            *known = Some((loads, book.clone()));
            Ok(book)
        };
        aside(read).await
    }
}

fn make(packs: &PackRequest, language: &str) -> Result<RulebookPage, RequestError> {
    let failed = |error: principes_app::packs::PackError| RequestError(409, error.to_string());
    let packs = workbench::open(packs, &Options { pictures: false, ..Options::default() }).map_err(failed)?;
    let book = Book::of(&packs, language).map_err(failed)?;
    let pages = Pages::new(&packs, language);
    let last = book.sections.len().saturating_sub(1);
    let section = |(at, section): (usize, &principes_app::rulebook::Section)| {
        let credits = if at == last { pages.credits() } else { String::new() };
        SectionPage {
            id: section.id.clone(),
            level: section.level,
            title: section.title.clone(),
            explains: section.explains.clone(),
            html: pages.body(section) + &credits,
        }
    };
    let sections = book.sections.iter().enumerate().map(section).collect();
    Ok(RulebookPage { title: book.title, sections })
}
