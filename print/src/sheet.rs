//! Sheets of paper to cut parts from: where parts are, where their backs are behind them, crop marks.

use principes_draw::{escape, text};

use crate::error::PrintError;
use crate::parts::{Cut, Part, PartSide};

/// The margin in which printers cannot print.
pub const BORDER: f64 = 4.5;
/// The distance from a part to its crop marks.
const GAP: f64 = 0.6;
/// The length of a crop mark.
const MARK: f64 = 3.0;
/// The font size of captions.
pub const WORDS: f64 = 2.3;
/// The most parts at once.
pub const MOST: u64 = 20_000;

/// A paper format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paper {
    /// What people call it, such as `A4`.
    pub name: &'static str,
    /// Its width and height in millimeters, in portrait orientation.
    pub size: (f64, f64),
}

/// 210 by 297 mm.
pub const A4: Paper = Paper { name: "A4", size: (210.0, 297.0) };
/// 8.5 by 11 inches.
pub const LETTER: Paper = Paper { name: "Letter", size: (215.9, 279.4) };

/// The edge over which a sheet is turned to print its back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplex {
    /// The long edge, like the pages of a book.
    LongEdge,
    /// The short edge, like the pages of a wall calendar.
    ShortEdge,
    /// Sheets are not turned; only fronts are printed.
    Fronts,
}

/// The settings of sheets.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// What the printer holds.
    pub paper: Paper,
    /// How far drawings continue beyond the cut, in millimeters.
    pub bleed: f64,
    /// How backs are printed.
    pub duplex: Duplex,
}

/// A page to print.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Its drawing in millimeters, as an SVG element.
    pub svg: String,
    /// Its width and height in millimeters.
    pub size: (f64, f64),
    /// What is on it, in words.
    pub caption: String,
    /// Room for one more line.
    pub(crate) spare: Line,
}

impl Sheet {
    /// Writes who drew the symbols at the edge of the sheet.
    pub(crate) fn credit(&mut self, credits: &str) {
        let end = self.svg.rfind("</svg>").unwrap_or(self.svg.len());
        self.svg.insert_str(end, &self.spare.write(credits));
    }
}

/// Room for a line of text at the edge of a sheet, in millimeters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// The left end of its baseline.
    pub at: (f64, f64),
    /// How long a text may be.
    pub length: f64,
    /// Whether it is read from below.
    pub is_turned: bool,
}

impl Line {
    /// The line with a text, in smaller letters if the text is too long.
    pub(crate) fn write(&self, text: &str) -> String {
        let (x, y) = self.at;
        let size = WORDS.min(self.length / text::width(text).max(1.0));
        let turn = if self.is_turned { " rotate(-90)" } else { "" };
        let place = format!("translate({x:.3} {y:.3}){turn}");
        format!("<text transform=\"{place}\" font-size=\"{size:.3}\" fill=\"#444\">{}</text>", escape(text))
    }
}

/// The layout of parts of one size on a sheet.
#[derive(Clone, Copy, Debug)]
struct Plan {
    paper: (f64, f64),
    /// Width and height of a part, without bleed.
    part: (f64, f64),
    bleed: f64,
    columns: usize,
    rows: usize,
}

impl Plan {
    /// The plan with the most parts. If both orientations have the same number, portrait.
    fn best(part: (f64, f64), setting: &Setting) -> Option<Plan> {
        let (wide, high) = setting.paper.size;
        let fits =
            |room: f64, length: f64| ((room - 2.0 * BORDER + 1e-6) / (length + 2.0 * setting.bleed)).floor().max(0.0);
        let plan = |paper: (f64, f64)| {
            let (columns, rows) = (fits(paper.0, part.0) as usize, fits(paper.1, part.1) as usize);
            Plan { paper, part, bleed: setting.bleed, columns, rows }
        };
        let (upright, across) = (plan((wide, high)), plan((high, wide)));
        let best = if across.places() > upright.places() { across } else { upright };
        (best.places() > 0).then_some(best)
    }

    fn places(&self) -> usize {
        self.columns * self.rows
    }

    /// The distance from one part to the next.
    fn step(&self) -> (f64, f64) {
        (self.part.0 + 2.0 * self.bleed, self.part.1 + 2.0 * self.bleed)
    }

    /// The top left corner of all parts with their bleed. They are centered, so that backs are behind fronts.
    fn start(&self) -> (f64, f64) {
        let (wide, high) = self.step();
        ((self.paper.0 - wide * self.columns as f64) / 2.0, (self.paper.1 - high * self.rows as f64) / 2.0)
    }

    /// The top left corner of a part by its index.
    fn corner(&self, column: usize, row: usize) -> (f64, f64) {
        let ((left, top), (wide, high)) = (self.start(), self.step());
        (left + wide * column as f64 + self.bleed, top + high * row as f64 + self.bleed)
    }

    /// The index of a part's back, and whether the back is upside down.
    fn behind(&self, column: usize, row: usize, duplex: Duplex) -> (usize, usize, bool) {
        let is_upright = self.paper.1 >= self.paper.0;
        // Turning over a vertical edge mirrors the columns; over a horizontal edge, the rows.
        if is_upright == (duplex == Duplex::LongEdge) {
            (self.columns - 1 - column, row, false)
        } else {
            (column, self.rows - 1 - row, true)
        }
    }
}

/// Fails if there are too many copies.
pub fn countable(parts: &[Part]) -> Result<(), PrintError> {
    let count: u64 = parts.iter().map(|part| u64::from(part.copies)).sum();
    if count > MOST { Err(PrintError::TooMany { count, most: MOST }) } else { Ok(()) }
}

/// Puts all copies of parts on sheets, with parts of one size together. Each sheet of fronts is followed by the sheet
/// of their backs. Captions name the game, and mark sheets of backs.
pub fn sheets(parts: &[Part], setting: &Setting, title: &str, backs: &str) -> Result<Vec<Sheet>, PrintError> {
    countable(parts)?;
    let mut kinds: Vec<(Cut, (f64, f64))> = Vec::new();
    for part in parts {
        if !kinds.contains(&(part.cut, part.size)) {
            kinds.push((part.cut, part.size));
        }
    }
    let mut pages: Vec<(Plan, Vec<&Part>)> = Vec::new();
    for kind in kinds {
        let plan = Plan::best(kind.1, setting).ok_or(PrintError::TooLarge {
            size: kind.1,
            bleed: setting.bleed,
            paper: setting.paper.name,
        })?;
        let like = parts.iter().filter(|part| (part.cut, part.size) == kind);
        let copies: Vec<&Part> = like.flat_map(|part| std::iter::repeat_n(part, part.copies as usize)).collect();
        pages.extend(copies.chunks(plan.places()).map(|chunk| (plan, chunk.to_vec())));
    }
    let total = pages.len();
    let mut sheets = Vec::new();
    for (at, (plan, parts)) in pages.iter().enumerate() {
        let caption = format!("{title} · {} / {total} · {}", at + 1, held(parts));
        sheets.push(page(plan, parts, None, &caption));
        if setting.duplex != Duplex::Fronts && parts.iter().any(|part| part.back.is_some()) {
            sheets.push(page(plan, parts, Some(setting.duplex), &format!("{title} · {} / {total} · {backs}", at + 1)));
        }
    }
    Ok(sheets)
}

/// What a sheet holds, in words.
fn held(parts: &[&Part]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for part in parts {
        match counts.last_mut().filter(|(title, _)| *title == part.title) {
            Some((_, count)) => *count += 1,
            None => counts.push((&part.title, 1)),
        }
    }
    let words = counts.iter().map(|(title, count)| match count {
        1 => (*title).to_owned(),
        _ => format!("{title} ×{count}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn page(plan: &Plan, parts: &[&Part], behind: Option<Duplex>, caption: &str) -> Sheet {
    let mut inside = String::new();
    for (at, part) in parts.iter().enumerate() {
        let (column, row) = (at % plan.columns, at / plan.columns);
        let (column, row, is_turned, side) = match behind {
            None => (column, row, false, Some(&part.front)),
            Some(duplex) => {
                let (column, row, is_turned) = plan.behind(column, row, duplex);
                (column, row, is_turned, part.back.as_ref())
            }
        };
        let corner = plan.corner(column, row);
        if let Some(side) = side {
            let drawn = drawn(side, part.cut, corner, part.size, plan.bleed);
            let (x, y) = (corner.0 + part.size.0 / 2.0, corner.1 + part.size.1 / 2.0);
            match is_turned {
                true => inside.push_str(&format!("<g transform=\"rotate(180 {x} {y})\">{drawn}</g>")),
                false => inside.push_str(&drawn),
            }
        }
        if part.cut == Cut::Hexagon && behind.is_none() {
            let points = hexagon(corner, part.size, 0.0);
            inside.push_str(&format!(
                "<polygon points=\"{points}\" fill=\"none\" stroke=\"#000\" stroke-width=\"0.1\"/>"
            ));
        }
    }
    if parts.first().is_some_and(|part| part.cut == Cut::Rectangle) {
        inside.push_str(&marks(plan));
    }
    let [line, spare] = lines(plan);
    inside.push_str(&line.write(&text::fit(caption, line.length / WORDS)));
    Sheet { svg: drawing(plan.paper, &inside), size: plan.paper, caption: caption.to_owned(), spare }
}

/// A side of a part on its background, which continues beyond the cut.
pub fn drawn(side: &PartSide, cut: Cut, (x, y): (f64, f64), (wide, high): (f64, f64), bleed: f64) -> String {
    let ground = match cut {
        Cut::Hexagon => format!("<polygon points=\"{}\"", hexagon((x, y), (wide, high), bleed)),
        Cut::Rectangle => format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            x - bleed,
            y - bleed,
            wide + 2.0 * bleed,
            high + 2.0 * bleed
        ),
    };
    format!("{ground} fill=\"{}\"/>{}", escape(&side.ground), placed(&side.drawing, (x, y), (wide, high)))
}

/// A drawing inside a box.
pub fn placed(drawing: &str, (x, y): (f64, f64), (wide, high): (f64, f64)) -> String {
    drawing.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" "), 1)
}

/// A page in millimeters.
pub fn drawing((wide, high): (f64, f64), inside: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}mm\" height=\"{high}mm\" viewBox=\"0 0 {wide} {high}\" class=\"drawing\">{inside}</svg>"
    )
}

/// The corners of a hexagon with a corner on top that fills a box, enlarged by a length.
fn hexagon((x, y): (f64, f64), (wide, high): (f64, f64), beyond: f64) -> String {
    let (cx, cy) = (x + wide / 2.0, y + high / 2.0);
    let grown = (wide / 2.0 + beyond) / (wide / 2.0);
    let corner =
        |(dx, dy): (f64, f64)| format!("{:.3},{:.3}", cx + dx * wide / 2.0 * grown, cy + dy * high / 2.0 * grown);
    let corners = [(0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5)];
    corners.map(corner).join(" ")
}

/// Crop marks around all parts, in line with the cuts.
fn marks(plan: &Plan) -> String {
    let ((left, top), (wide, high)) = (plan.start(), plan.step());
    let (right, low) = (plan.paper.0 - left, plan.paper.1 - top);
    let mut path = String::new();
    for column in 0..plan.columns {
        for x in [left + wide * column as f64 + plan.bleed, left + wide * (column + 1) as f64 - plan.bleed] {
            path.push_str(&format!("M{x:.3} {:.3}v{MARK}M{x:.3} {:.3}v{MARK}", top - GAP - MARK, low + GAP));
        }
    }
    for row in 0..plan.rows {
        for y in [top + high * row as f64 + plan.bleed, top + high * (row + 1) as f64 - plan.bleed] {
            path.push_str(&format!("M{:.3} {y:.3}h{MARK}M{:.3} {y:.3}h{MARK}", left - GAP - MARK, right + GAP));
        }
    }
    format!("<path d=\"{path}\" fill=\"none\" stroke=\"#000\" stroke-width=\"0.12\"/>")
}

/// The lines for the caption and for the credits: at the bottom and the top of a sheet or, if there is more room, along
/// its sides.
fn lines(plan: &Plan) -> [Line; 2] {
    let (left, top) = plan.start();
    let beyond = GAP + MARK;
    let (wide, high) = plan.paper;
    let is_below = top - beyond - BORDER >= 0.0 || top >= left;
    let length = if is_below { wide } else { high };
    let length = length - 2.0 * BORDER;
    match is_below {
        true => [
            Line { at: (BORDER, (high - top + beyond + WORDS).min(high - 2.0)), length, is_turned: false },
            Line { at: (BORDER, (top - beyond - 1.0).max(WORDS)), length, is_turned: false },
        ],
        false => [
            Line { at: ((left - beyond - 1.0).max(WORDS), high - BORDER), length, is_turned: true },
            Line { at: ((wide - left + beyond + WORDS).min(wide - 1.0), high - BORDER), length, is_turned: true },
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(paper: Paper, duplex: Duplex) -> Setting {
        Setting { paper, bleed: 1.0, duplex }
    }

    #[test]
    fn nine_cards_fit_on_a_sheet() {
        for paper in [A4, LETTER] {
            let plan = Plan::best((63.0, 88.0), &setting(paper, Duplex::LongEdge)).unwrap_or_else(|| panic!("no plan"));
            assert_eq!((plan.columns, plan.rows), (3, 3), "{}", paper.name);
            assert!(plan.start().0 >= BORDER && plan.start().1 >= BORDER);
        }
        assert!(Plan::best((300.0, 10.0), &setting(A4, Duplex::LongEdge)).is_none());
    }

    #[test]
    fn backs_lie_behind_their_fronts() {
        for (part, duplex) in [(63.0, 88.0), (120.0, 40.0), (44.0, 61.5)]
            .into_iter()
            .flat_map(|part| [(part, Duplex::LongEdge), (part, Duplex::ShortEdge)])
        {
            let plan = Plan::best(part, &setting(A4, duplex)).unwrap_or_else(|| panic!("no plan"));
            for place in 0..plan.places() {
                let (column, row) = (place % plan.columns, place / plan.columns);
                let front = plan.corner(column, row);
                let (column, row, is_turned) = plan.behind(column, row, duplex);
                let back = plan.corner(column, row);
                // Turning over mirrors one of the two directions.
                let mirrored = match is_turned {
                    false => (plan.paper.0 - back.0 - part.0, back.1),
                    true => (back.0, plan.paper.1 - back.1 - part.1),
                };
                let is_near = (mirrored.0 - front.0).abs() < 1e-9 && (mirrored.1 - front.1).abs() < 1e-9;
                assert!(is_near, "{part:?} {duplex:?} {place}");
            }
        }
    }
}
