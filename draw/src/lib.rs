//! Draws boards and cards of any game as SVG text, from open packs and what one viewer sees.
//!
//! | module | what it draws |
//! | --- | --- |
//! | [`board`] | spaces as areas, hexagons, squares or points, with borders, seats of power and pieces |
//! | [`tracks`] | tracks with the marker of each seat |
//! | [`card`] | faces and backs of cards, decks, hands, cards in markets |
//! | [`die`] | dice |
//! | [`tile`] | tiles with their paths |
//! | [`piece`] | markers of pieces |
//! | [`rules`] | rulebooks as HTML, with their pictures |
//! | [`look`] | the looks of packs, and their defaults |
//! | [`theme`] | colors for light and dark themes |
//! | [`font`] | the font that the program includes |
//! | `layout`, `geometry` | the positions and shapes of spaces; areas around points |
//! | `svg`, `text` | SVG elements; the width of text, and line breaks |
//!
//! # What this crate must not know
//!
//! Files, and what a viewer may not see. It receives what one viewer sees, and returns text.
//!
//! # Results
//!
//! Every function returns an `<svg>` element. For a page, put [`theme::style`] into a style sheet; for a separate file,
//! use [`alone`]. All text from packs is escaped. Spaces, pieces and cards have their ids as `data-` attributes, so
//! that a page can highlight them.
//!
//! # Example
//!
//! ```
//! use principes_app::packs::{OpenPacks, PackRequest};
//! use principes_core::DesignId;
//! use principes_draw::{alone, card::Face, theme::Theme};
//!
//! principes_games::install();
//! let packs = OpenPacks::open(&PackRequest::default())?;
//! let element = Face::of(&packs, &packs.words("en"), DesignId(0)).draw();
//! assert!(element.starts_with("<svg") && element.ends_with("</svg>"));
//! assert!(alone(&element, &packs.loaded.look, Theme::Light, None).contains("<style>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod card;
pub mod die;
pub mod font;
mod geometry;
mod layout;
pub mod look;
pub mod piece;
pub mod rules;
mod svg;
pub mod text;
pub mod theme;
pub mod tile;
pub mod tracks;

use principes_model::Looks;

pub use crate::svg::{base64, escape, from_base64};
use crate::theme::Theme;

/// An `<svg>` element of this crate as a separate file, with its colors inside, and with what
/// [`Words::credits`](principes_app::words::Words::credits) says of its symbols.
pub fn alone(element: &str, look: &Looks, theme: Theme, credits: Option<&str>) -> String {
    let at = element.find('>').map_or(0, |at| at + 1);
    let (open, rest) = element.split_at(at);
    let credits = credits.map_or_else(String::new, |text| format!("<metadata>{}</metadata>", escape(text)));
    format!("{open}{credits}<style>{}</style>{rest}\n", theme::style(look, theme))
}
