//! Prints games: sheets with the cards, tiles and tokens of the box to cut out, the board on several pages, and each of
//! them as a separate picture. All of them show the drawings of `principes-draw`.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`mod@parts`] | what the box holds, with its copies and sizes |
//! | [`sheet`] | where parts are on sheets, backs behind fronts, crop marks |
//! | [`board`] | boards and tracks on pages that overlap |
//! | `tabletop`, `address` | everything as a save of Tabletop Simulator; where it finds pictures |
//! | `reader` | reads drawings into a `scene` of things to paint, with fonts from `font` |
//! | `pdf`, `pixels`, `outlines` | scenes as PDF, PNG and SVG files |
//! | `put`, `error` | the names of files; what can go wrong |
//!
//! # What this crate must not know
//!
//! Folders and the terminal. It gives each file to its caller as a name and bytes.
//!
//! # Example
//!
//! ```
//! use principes_app::packs::{OpenPacks, PackRequest};
//! use principes_print::Printer;
//! use principes_print::parts::{Selection, What};
//! use principes_print::sheet::{A4, Duplex, Setting};
//!
//! principes_games::install();
//! let packs = OpenPacks::open(&PackRequest::default())?;
//! let printer = Printer::new(&packs, "pl");
//! let selection = Selection { what: [What::Tokens].into(), only: Vec::new(), is_one_each: true, scale: 1.0 };
//! let setting = Setting { paper: A4, bleed: 1.0, duplex: Duplex::LongEdge };
//! let sheets = printer.sheets(&selection, &setting)?;
//! assert!(printer.pdf(&sheets)?.starts_with(b"%PDF-"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
pub mod board;
mod error;
mod font;
mod outlines;
pub mod parts;
mod pdf;
mod pixels;
mod put;
mod reader;
mod scene;
pub mod sheet;
mod tabletop;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use principes_app::packs::OpenPacks;
use principes_app::words::Words;
use principes_draw::theme::{Theme, style};

pub use crate::address::Address;
pub use crate::error::PrintError;
use crate::font::Fonts;
use crate::parts::{Part, PartSide, Selection, What, parts};
use crate::pixels::Canvas;
pub use crate::put::Put;
use crate::scene::Scene;
use crate::sheet::{Setting, Sheet};

/// The format of pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Paths.
    Svg,
    /// Pixels, with their number per inch.
    Png(f64),
}

/// Prints a game in a language.
pub struct Printer<'p> {
    packs: &'p OpenPacks,
    words: Words,
    fonts: Fonts,
    style: String,
    title: String,
    missing: RefCell<BTreeSet<char>>,
}

impl<'p> Printer<'p> {
    /// A printer of a game.
    pub fn new(packs: &'p OpenPacks, language: &str) -> Self {
        let look = &packs.loaded.look;
        let words = packs.words(language);
        let title = words.message("pack.title", &[], None).unwrap_or_else(|| packs.catalog.game.clone());
        let (fonts, style) = (Fonts::of(look), style(look, Theme::Light));
        Printer { packs, words, fonts, style, title, missing: RefCell::default() }
    }

    /// The title of the game.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Letters that were needed so far but that no font has.
    pub fn missing(&self) -> BTreeSet<char> {
        self.missing.borrow().clone()
    }

    /// The selected parts of the box.
    ///
    /// # Errors
    /// [`PrintError::Unknown`].
    pub fn parts(&self, selection: &Selection) -> Result<Vec<Part>, PrintError> {
        parts(self.packs, &self.words, selection)
    }

    /// The sheets of a selection.
    ///
    /// # Errors
    /// [`PrintError`].
    pub fn sheets(&self, selection: &Selection, setting: &Setting) -> Result<Vec<Sheet>, PrintError> {
        let backs = self.words.own("print.backs", &[]);
        let mut sheets = sheet::sheets(&self.parts(selection)?, setting, &self.title, &backs)?;
        for large in self.large(selection)? {
            let name = self.words.own(&format!("print.{}", large.id), &[]);
            sheets.extend(large.pages(setting.paper, &format!("{} · {name}", self.title))?);
        }
        let last = sheets.last_mut().ok_or(PrintError::Nothing)?;
        if let Some(credits) = self.words.credits(&self.packs.loaded.look) {
            last.credit(&credits);
        }
        Ok(sheets)
    }

    fn large(&self, selection: &Selection) -> Result<Vec<board::Large>, PrintError> {
        match selection.what.contains(&What::Board) && selection.only.is_empty() {
            true => board::drawings(self.packs, &self.words, selection.scale, &self.title),
            false => Ok(Vec::new()),
        }
    }

    fn scene(&self, svg: &str, what: &str) -> Result<Scene, PrintError> {
        let read = reader::read(svg, &self.style, &self.fonts);
        let read = read.map_err(|why| PrintError::Drawing { what: what.to_owned(), why })?;
        self.missing.borrow_mut().extend(read.missing);
        Ok(read.scene)
    }

    /// Sheets as a PDF file.
    ///
    /// # Errors
    /// [`PrintError::Drawing`].
    pub fn pdf(&self, sheets: &[Sheet]) -> Result<Vec<u8>, PrintError> {
        let scenes =
            sheets.iter().map(|sheet| self.scene(&sheet.svg, &sheet.caption)).collect::<Result<Vec<_>, _>>()?;
        let pages: Vec<pdf::Page<'_>> = scenes.iter().zip(sheets.iter().map(|sheet| sheet.size)).collect();
        let credits = self.words.credits(&self.packs.loaded.look).unwrap_or_default();
        Ok(pdf::write(&pages, &self.fonts, &self.title, &credits))
    }

    /// A selection as separate pictures: fronts and backs of parts with their bleed, with one file for each design and
    /// each deck; the board; the tracks.
    ///
    /// # Errors
    /// [`PrintError`].
    pub fn pictures(
        &self,
        selection: &Selection,
        bleed: f64,
        format: Format,
        put: &mut Put<'_>,
    ) -> Result<usize, PrintError> {
        let mut backs: BTreeMap<String, (PartSide, &Part)> = BTreeMap::new();
        let mut count = 0;
        let parts = self.parts(selection)?;
        for part in &parts {
            let folder = folder(part.what);
            self.side(&part.front, part, bleed, &format!("{folder}/{}", part.id), format, put)?;
            count += 1;
            if let (Some(deck), Some(back)) = (&part.deck, &part.back) {
                // Open zones may hold several types with different backs.
                let same = |name: &String| backs.get(name).is_none_or(|(known, _)| known == back);
                let numbered = (2..).map(|number| format!("{folder}/back-{}-{number}", deck.id));
                let mut names = std::iter::once(format!("{folder}/back-{}", deck.id)).chain(numbered);
                if let Some(name) = names.find(same) {
                    backs.entry(name).or_insert_with(|| (back.clone(), part));
                }
            }
        }
        for (name, (back, part)) in &backs {
            self.side(back, part, bleed, name, format, put)?;
            count += 1;
        }
        for large in self.large(selection)? {
            self.picture(&large.svg, large.size, large.id, format, put)?;
            count += 1;
        }
        if count == 0 { Err(PrintError::Nothing) } else { Ok(count) }
    }

    /// A selection as a save of Tabletop Simulator: decks, bags of tiles and tokens, the board. The name of a picture
    /// depends on its content. The save finds the pictures below an address.
    ///
    /// # Errors
    /// [`PrintError`].
    pub fn tabletop(&self, selection: &Selection, address: &Address, put: &mut Put<'_>) -> Result<usize, PrintError> {
        let parts = self.parts(selection)?;
        sheet::countable(&parts)?;
        let mut painter = |svg: &str, wide: f64, what: &str| {
            let scene = self.scene(svg, what)?;
            let bytes = pixels::png(&scene, &self.fonts, wide, Canvas::Glass);
            bytes.ok_or_else(|| PrintError::TooManyPixels(what.to_owned()))
        };
        let large = self.large(selection)?;
        if parts.is_empty() && large.is_empty() {
            return Err(PrintError::Nothing);
        }
        let mut writer = tabletop::Writer::new(&mut painter, address, put);
        writer.parts(&parts)?;
        for large in &large {
            writer.board(large, &self.words.own(&format!("print.{}", large.id), &[]))?;
        }
        writer.finish(&self.title, &self.packs.catalog.game)
    }

    fn side(
        &self,
        side: &PartSide,
        part: &Part,
        bleed: f64,
        name: &str,
        format: Format,
        put: &mut Put<'_>,
    ) -> Result<(), PrintError> {
        let size = (part.size.0 + 2.0 * bleed, part.size.1 + 2.0 * bleed);
        let svg = sheet::drawing(size, &sheet::drawn(side, part.cut, (bleed, bleed), part.size, bleed));
        self.picture(&svg, size, name, format, put)
    }

    fn picture(
        &self,
        svg: &str,
        size: (f64, f64),
        name: &str,
        format: Format,
        put: &mut Put<'_>,
    ) -> Result<(), PrintError> {
        let scene = self.scene(svg, name)?;
        match format {
            Format::Svg => {
                put(&format!("{name}.svg"), outlines::write(&scene, &self.fonts, size, name).as_bytes())?;
            }
            Format::Png(dots) => {
                let wide = size.0 / pixels::INCH * dots;
                let bytes = pixels::png(&scene, &self.fonts, wide, Canvas::Paper(dots));
                put(&format!("{name}.png"), &bytes.ok_or_else(|| PrintError::TooManyPixels(name.to_owned()))?)?;
            }
        }
        Ok(())
    }
}

/// The folder for pictures of one kind.
fn folder(what: What) -> &'static str {
    match what {
        What::Cards => "cards",
        What::Tiles => "tiles",
        What::Tokens => "tokens",
        What::Board => "board",
    }
}
