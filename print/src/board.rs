//! The board and the tracks of a game on paper, on several pages if they are large.

use principes_app::board::{FOG, SeenBoard};
use principes_app::packs::OpenPacks;
use principes_app::setup::{Player, SetupRequest, set_up};
use principes_app::words::Words;
use principes_draw::{board, piece, text, tracks};

use crate::error::PrintError;
use crate::parts::TOKEN;
use crate::sheet::{BORDER, Line, Paper, Sheet, WORDS, drawing, placed};

/// The overlap of two pages.
const OVERLAP: f64 = 8.0;
/// Room for words above each page.
const HEAD: f64 = 5.0;
/// The scales at which a drawing is tried.
const SIZES: [f64; 5] = [1.0, 0.96, 0.92, 0.88, 0.84];
/// The most pages of one drawing.
pub const MOST_PAGES: usize = 200;

/// A large drawing.
#[derive(Clone, Debug)]
pub struct Large {
    /// What it is: `board` or `tracks`.
    pub id: &'static str,
    /// Its drawing.
    pub svg: String,
    /// Its width and height in millimeters.
    pub size: (f64, f64),
    /// Its view box.
    view: [f64; 4],
    /// Whether it may be scaled down to fit on a page.
    is_shrunk: bool,
}

/// The board at the start of the game without pieces, and the tracks without markers. Their size is that needed for
/// tokens, times a scale.
pub fn drawings(packs: &OpenPacks, words: &Words, scale: f64, title: &str) -> Result<Vec<Large>, PrintError> {
    let setup = set_up(&packs.catalog, &SetupRequest::all(Player::Greedy, 1))?;
    let host = packs.host()?;
    let game = packs.start(&host, setup.config)?;
    let mut seen = SeenBoard::new(words, &game.table().view(None));
    for space in &mut seen.spaces {
        space.pieces.clear();
        (space.controller, space.tile) = (None, None);
        if space.mark == FOG {
            space.mark.clear();
        }
    }
    for counter in seen.seats.iter_mut().flat_map(|seat| &mut seat.counters) {
        if let Some(track) = &mut counter.track {
            // Without markers, all tracks are at their first place.
            track.value = track.min - 1;
        }
    }
    let look = &packs.loaded.look;
    let unit = scale * TOKEN / (2.0 * piece::RADIUS);
    // Tiles are laid on the table, so their grid is not a board.
    let has_board = seen.grid.is_none() && !seen.spaces.is_empty();
    let drawn = has_board.then(|| board::draw(&packs.catalog, look, &seen, title));
    let all = [("board", drawn), ("tracks", tracks::draw(look, &seen, title))];
    Ok(all.into_iter().filter_map(|(id, svg)| Large::of(id, svg?, unit)).collect())
}

impl Large {
    fn of(id: &'static str, svg: String, unit: f64) -> Option<Large> {
        let view = svg.split("viewBox=\"").nth(1)?.split('"').next()?;
        let parts: Vec<f64> = view.split(' ').filter_map(|part| part.parse().ok()).collect();
        let view: [f64; 4] = parts.try_into().ok()?;
        Some(Large { id, size: (view[2] * unit, view[3] * unit), view, is_shrunk: id == "tracks", svg })
    }

    /// The drawing on pages that overlap.
    pub fn pages(&self, paper: Paper, title: &str) -> Result<Vec<Sheet>, PrintError> {
        let (wide, high) = paper.size;
        // A slightly smaller drawing may save a row of pages.
        let tries =
            SIZES.iter().flat_map(|size| [(wide, high), (high, wide)].map(|paper| Pages::of(self, paper, *size)));
        let best = tries.min_by(|a, b| a.count().cmp(&b.count()).then(b.unit.total_cmp(&a.unit)));
        let Some(pages) = best.filter(|pages| pages.count() <= MOST_PAGES) else {
            return Err(PrintError::TooManyPages { most: MOST_PAGES });
        };
        let places = (0..pages.rows).flat_map(|row| (0..pages.columns).map(move |column| (column, row)));
        Ok(places.map(|(column, row)| pages.page(self, column, row, title)).collect())
    }
}

/// How a large drawing is divided.
struct Pages {
    paper: (f64, f64),
    /// The part of a page that is used.
    room: (f64, f64),
    columns: usize,
    rows: usize,
    /// Millimeters per unit of the drawing.
    unit: f64,
}

impl Pages {
    fn of(large: &Large, paper: (f64, f64), size: f64) -> Pages {
        let room = (paper.0 - 2.0 * BORDER, paper.1 - 2.0 * BORDER - HEAD);
        let [.., wide, high] = large.view;
        let mut unit = large.size.0 / wide * size;
        if large.is_shrunk {
            unit = unit.min(room.0 / wide).min(room.1 / high);
        }
        let count = |length: f64, room: f64| {
            let more = (length - room - 1e-6).max(0.0) / (room - OVERLAP);
            1 + (more.ceil() as usize).min(MOST_PAGES)
        };
        Pages { paper, room, columns: count(wide * unit, room.0), rows: count(high * unit, room.1), unit }
    }

    fn count(&self) -> usize {
        self.columns * self.rows
    }

    fn page(&self, large: &Large, column: usize, row: usize, title: &str) -> Sheet {
        let [left, top, wide, high] = large.view;
        let step = (self.room.0 - OVERLAP, self.room.1 - OVERLAP);
        // In millimeters of the whole drawing.
        let (x, y) = (step.0 * column as f64, step.1 * row as f64);
        let size = (self.room.0.min(wide * self.unit - x), self.room.1.min(high * self.unit - y));
        let window = [left + x / self.unit, top + y / self.unit, size.0 / self.unit, size.1 / self.unit];
        let window = window.map(|number| format!("{number:.3}")).join(" ");
        let svg = large.svg.replacen(&large.svg[view_at(&large.svg)], &format!("viewBox=\"{window}\""), 1);
        let corner = (BORDER, BORDER + HEAD);
        let mut inside = placed(&svg, corner, size);
        inside.push_str(&self.crosses((column, row), corner, size));
        let mut caption = title.to_owned();
        if self.count() > 1 {
            let name = format!("{}{}", letters(row), column + 1);
            caption = format!("{caption} · {name} / {}{}", letters(self.rows - 1), self.columns);
        }
        let line = Line { at: (BORDER, BORDER + WORDS * 0.8), length: self.room.0, is_turned: false };
        inside.push_str(&line.write(&text::fit(&caption, self.room.0 / WORDS)));
        let spare = Line { at: (BORDER, BORDER + WORDS * 1.9), ..line };
        Sheet { svg: drawing(self.paper, &inside), size: self.paper, caption, spare }
    }

    /// Crosses in the middle of the overlap of two pages, to be placed on each other.
    fn crosses(&self, (column, row): (usize, usize), (left, top): (f64, f64), (wide, high): (f64, f64)) -> String {
        let mut path = String::new();
        let mut mark = |x: f64, y: f64| path.push_str(&format!("M{:.3} {y:.3}h6M{x:.3} {:.3}v6", x - 3.0, y - 3.0));
        let half = OVERLAP / 2.0;
        for at in [0.15, 0.85] {
            let (x, y) = (left + wide * at, top + high * at);
            if column > 0 {
                mark(left + half, y);
            }
            if column + 1 < self.columns {
                mark(left + wide - half, y);
            }
            if row > 0 {
                mark(x, top + half);
            }
            if row + 1 < self.rows {
                mark(x, top + high - half);
            }
        }
        match path.is_empty() {
            true => path,
            false => format!("<path d=\"{path}\" fill=\"none\" stroke=\"#000\" stroke-width=\"0.15\"/>"),
        }
    }
}

/// The view box of a drawing, as a range of its text.
fn view_at(svg: &str) -> std::ops::Range<usize> {
    let from = svg.find("viewBox=\"").unwrap_or(0);
    let length = svg[from..].match_indices('"').nth(1).map_or(0, |(at, _)| at + 1);
    from..from + length
}

/// A, B, … Z, AA, …
fn letters(row: usize) -> String {
    let last = char::from(b'A' + (row % 26) as u8);
    if row < 26 { last.to_string() } else { format!("{}{last}", letters(row / 26 - 1)) }
}
