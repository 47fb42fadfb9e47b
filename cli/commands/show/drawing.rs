//! `show --svg`: draws a card, the board or the tracks.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use principes_app::packs::OpenPacks;
use principes_app::session::Session;
use principes_app::setup::{Player, SetupRequest, set_up};
use principes_draw::card::Face;
use principes_draw::theme::Theme;
use principes_draw::{alone, board, tracks};

use crate::packs;

/// Things that can be drawn besides cards.
const BOARD: &str = "board";
const TRACKS: &str = "tracks";

/// Which colors `--svg` uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Colors {
    /// Light or dark, as the reader's system prefers
    Auto,
    /// Dark on light
    Light,
    /// Light on dark
    Dark,
}

impl From<Colors> for Theme {
    fn from(colors: Colors) -> Theme {
        match colors {
            Colors::Auto => Theme::Auto,
            Colors::Light => Theme::Light,
            Colors::Dark => Theme::Dark,
        }
    }
}

/// Writes the drawing of one item.
pub fn print(out: &mut impl Write, ready: OpenPacks, ids: &[String], language: &str, colors: Colors) -> Result<()> {
    let [id] = ids else { bail!("--svg draws one item at a time, found {} ids", ids.len()) };
    let words = ready.words(language);
    let look = Arc::clone(&ready.loaded.look);
    let card = id.strip_prefix("cards:").unwrap_or(id);
    let element = match ready.catalog.design(card) {
        Some(design) => Face::of(&ready, &words, design).draw(),
        None if [BOARD, TRACKS].contains(&id.as_str()) => {
            let table = set_up(&ready.catalog, &SetupRequest::all(Player::Greedy, 1))?;
            let session = Session::start(ready, table, language).map_err(|error| packs::explained(error.into()))?;
            let seen = session.board(None);
            if id == BOARD {
                board::draw(session.game().catalog(), &look, &seen, &session.title())
            } else {
                tracks::draw(&look, &seen, &session.title()).context("no seat of this game has tracks")?
            }
        }
        None => bail!("--svg draws cards, `{BOARD}` and `{TRACKS}`; `{id}` is not one of them"),
    };
    write!(out, "{}", alone(&element, &look, colors.into(), words.credits(&look).as_deref()))?;
    Ok(())
}
