//! What can go wrong.

use principes_app::packs::PackError;
use principes_app::setup::SetupError;
use principes_core::StartError;
use principes_findings::hint;

/// Why something was not printed.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// Nothing that can be printed has this name.
    #[error("unknown name `{id}`{}; use a card, a card type, the zone of a deck or a kind of piece", hint(near.as_deref()))]
    Unknown {
        /// The name.
        id: String,
        /// One like it.
        near: Option<String>,
    },
    /// The game has nothing of the selected kinds.
    #[error("the game has nothing of that kind to print")]
    Nothing,
    /// There are too many parts.
    #[error(
        "there are {count} parts to print, but at most {most} are printed at once; name some of them, or print one of each"
    )]
    TooMany {
        /// How many there are.
        count: u64,
        /// The limit.
        most: u64,
    },
    /// A drawing needs too many pages.
    #[error("the board needs more than {most} pages; choose a smaller scale")]
    TooManyPages {
        /// The limit.
        most: usize,
    },
    /// A part does not fit on the paper.
    #[error("a part of {:.1} by {:.1} mm with {bleed} mm of bleed does not fit on {paper}; choose less bleed or a smaller scale", size.0, size.1)]
    TooLarge {
        /// Its width and height in millimeters.
        size: (f64, f64),
        /// In millimeters.
        bleed: f64,
        /// The name of the paper.
        paper: &'static str,
    },
    /// A picture would have too many pixels.
    #[error("the picture `{0}` would have more than 100 million pixels; choose fewer dots per inch")]
    TooManyPixels(String),
    /// A drawing holds something that cannot be printed.
    #[error("cannot print the drawing of `{what}`: it contains {why}")]
    Drawing {
        /// What is drawn.
        what: String,
        /// The part that cannot be printed.
        why: String,
    },
    /// The game cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The game does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The packs are broken.
    #[error(transparent)]
    Packs(#[from] PackError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}
