//! Places the names of spaces, and the pieces.

use principes_app::board::{FOG, SeenBoard};

use super::Painter;
use super::outlines::Outlines;
use crate::geometry::{Corner, Frame, Point, distance, stretches};
use crate::layout::{STEP, Shape};
use crate::look::{Paint, faction_color, symbol};
use crate::piece::{Rows, disk};
use crate::svg::attrs;
use crate::text::{width, wrap};

/// The font size of names of spaces.
const NAME: f64 = 13.0;
/// The font size of names of cells.
const CELL: f64 = 9.0;
/// The distance between the lines of a name.
const LEADING: f64 = NAME * 1.0;
/// The distance between the positions that are tried for a label.
const TRY: f64 = 7.0;

/// The label of a space: its name, and pieces below it.
struct Block<'a> {
    lines: Vec<String>,
    rows: Rows<'a>,
    /// The widths of the name and the pieces.
    wide: (f64, f64),
    /// The heights of the name and the pieces.
    high: (f64, f64),
}

impl Block<'_> {
    /// How well the block fits with its middle at a point: 1 if all of it fits.
    fn fit(&self, cells: &[&[Corner]], (x, y): Point) -> f64 {
        let (name, pieces) = (self.wide.0 / 2.0 + 3.0, self.wide.1 / 2.0 + 3.0);
        let top = y - (self.high.0 + self.high.1) / 2.0;
        let rows = [
            (top, name),
            (top + self.high.0 * 0.5, name),
            (top + self.high.0, name.max(pieces)),
            (top + self.high.0 + self.high.1, pieces),
        ];
        let part = |(y, need): (f64, f64)| {
            let here = stretches(cells, y).into_iter().find(|(from, to)| *from < x && x < *to);
            here.map_or(0.0, |(from, to)| ((x - from).min(to - x) / need).min(1.0))
        };
        rows.into_iter().map(part).sum::<f64>() / rows.len() as f64
    }
}

impl<'a> Painter<'a> {
    /// Draws the labels of areas.
    pub(super) fn area_labels(&mut self) {
        let seats = self.seats_of_power();
        for at in 0..self.board.spaces.len() {
            let seat = seats.iter().find(|(seat, _)| *seat == at).map(|(_, faction)| *faction);
            let block = self.block(at);
            let heart = self.heart(at, &block);
            let top = heart.1 - (block.high.0 + block.high.1) / 2.0;
            self.label(at, |painter| painter.area_name(at, seat, &block, (heart.0, top)));
            self.pieces.draw(&mut self.svg, at, &block.rows, (heart.0, top + block.high.0 + 1.0));
        }
    }

    /// Draws a label of a space as a unit, which a page may move and enlarge.
    fn label(&mut self, at: usize, draw: impl FnOnce(&mut Self)) {
        self.svg.open("g", attrs!["class" = "label", "data-named" = &self.board.spaces[at].id]);
        draw(self);
        self.svg.close("g");
    }

    fn block(&self, at: usize) -> Block<'a> {
        let board: &'a SeenBoard = self.board;
        let space = &board.spaces[at];
        let cells: Vec<&[Corner]> = self.outlines.cells[at].iter().map(Vec::as_slice).collect();
        let y = self.layout.centers[at].1;
        let room = stretches(&cells, y).iter().map(|(from, to)| to - from).fold(0.0, f64::max).clamp(60.0, 110.0);
        let lines = wrap(&space.name, (room - 14.0) / NAME);
        let rows = Rows::of(&space.pieces, room * 0.95);
        let name = lines.iter().map(|line| width(line) * NAME).fold(0.0, f64::max)
            + if has_mark(&space.mark) { 16.0 } else { 0.0 };
        let (wide, high) = rows.size();
        Block { high: (LEADING * lines.len() as f64 + 2.0, high), wide: (name, wide), lines, rows }
    }

    /// The middle of a space's label.
    fn heart(&self, at: usize, block: &Block<'_>) -> Point {
        let given = self.layout.centers[at];
        let own = self.look.spaces.get(&self.board.spaces[at].id);
        if let (Some((x, y)), Some(scale)) = (own.and_then(|space| space.label), self.layout.scale) {
            return (f64::from(x) * scale, f64::from(y) * scale);
        }
        if self.outlines.scaled[at].is_some() {
            return given;
        }
        best_place(&self.outlines, at, given, block)
    }

    fn area_name(&mut self, at: usize, seat: Option<usize>, block: &Block<'_>, (x, top): Point) {
        let space = &self.board.spaces[at];
        let style = if self.is_abroad[at] { "italic" } else { "normal" };
        let weight = if seat.is_some() { "700" } else { "400" };
        for (down, line) in block.lines.iter().enumerate() {
            self.svg.write(
                "text",
                attrs![
                    "x" = x,
                    "y" = top + (down as f64 + 0.82) * LEADING,
                    "font-size" = NAME,
                    "text-anchor" = "middle",
                    "font-style" = style,
                    "font-weight" = weight,
                    "class" = "ink halo",
                ],
                line,
            );
        }
        let last = block.lines.last().map_or(0.0, |line| width(line) * NAME / 2.0);
        let first = block.lines.first().map_or(0.0, |line| width(line) * NAME / 2.0);
        if let Some(faction) = seat {
            let faction = &self.board.factions[faction];
            let fill = faction_color(self.look, &faction.id, &faction.color);
            super::star(&mut self.svg, (x - first - 9.0, top + LEADING * 0.5), 7.0, &fill);
        }
        let own = self.look.spaces.get(&space.id).and_then(|space| self.look.symbol(space.symbol.as_ref()));
        if let Some(path) = own.or_else(|| self.terrain_symbol(at)) {
            symbol(&mut self.svg, path, (x, top - 9.0), 17.0, Paint::Class("quiet"));
        }
        if has_mark(&space.mark) {
            let y = top + (block.lines.len() as f64 - 0.5) * LEADING;
            disk(&mut self.svg, (x + last + 10.0, y), 6.4, &space.mark);
        }
    }

    /// Draws the labels of cells.
    pub(super) fn cell_labels(&mut self) {
        for at in (0..self.board.spaces.len()).filter(|at| !self.is_far[*at]).collect::<Vec<_>>() {
            let (x, y) = self.layout.centers[at];
            let space = &self.board.spaces[at];
            let is_square = self.layout.shape == Shape::Squares;
            let (left, top) = if is_square { (x - STEP * 0.43, y - STEP * 0.36) } else { (x, y - STEP * 0.38) };
            if space.tile.is_none() {
                let anchor = if is_square { "start" } else { "middle" };
                // On every color of the ground, a name with a halo can be read.
                let place =
                    attrs!["x" = left, "y" = top, "font-size" = CELL, "text-anchor" = anchor, "class" = "ink halo"];
                let name = space.name.clone();
                self.label(at, |painter| painter.svg.write("text", place, &name));
            }
            let emblem = self.terrain_symbol(at);
            let has_word = !["", "0", FOG].contains(&space.mark.as_str());
            let room = if space.pieces.is_empty() { y } else { y - STEP * 0.17 };
            match emblem {
                Some(path) if space.tile.is_none() => {
                    self.svg.open("g", attrs!["opacity" = "0.55"]);
                    symbol(&mut self.svg, path, (x, room), STEP * 0.42, Paint::Class("quiet"));
                    self.svg.close("g");
                }
                _ if has_word => {
                    let size = (STEP * 0.8 / width(&space.mark)).min(14.0);
                    let place =
                        attrs!["x" = x, "y" = room, "font-size" = size, "text-anchor" = "middle", "class" = "ink halo"];
                    let mark = space.mark.clone();
                    self.label(at, |painter| painter.svg.write("text", place, &mark));
                }
                _ => {}
            }
            let rows = Rows::of(&space.pieces, STEP * 0.86);
            let down = if has_word || emblem.is_some() { STEP * 0.17 } else { 2.0 };
            self.pieces.draw(&mut self.svg, at, &rows, (x, y + down - rows.size().1 / 2.0));
        }
    }
}

/// Whether a mark is a short one, beside the name.
fn has_mark(mark: &str) -> bool {
    !["", "0", FOG].contains(&mark) && mark.chars().count() < 3
}

/// The position in an area at which a block fits best, near the point of the area.
fn best_place(outlines: &Outlines, at: usize, given: Point, block: &Block<'_>) -> Point {
    let cells: Vec<&[Corner]> = outlines.cells[at].iter().map(Vec::as_slice).collect();
    let corners: Vec<Point> = cells.iter().flat_map(|cell| cell.iter().map(|corner| corner.at)).collect();
    let around = Frame::around(&corners, 0.0);
    let (wide, high) = around.size();
    let (columns, rows) = ((wide / TRY) as usize, (high / TRY) as usize);
    let mut best = (0.0, given);
    for place in 0..(columns + 1) * (rows + 1) {
        let (column, row) = (place % (columns + 1), place / (columns + 1));
        let point = (around.left + column as f64 * TRY, around.top + row as f64 * TRY);
        let score = block.fit(&cells, point) - distance(point, given) / 1500.0;
        if score > best.0 {
            best = (score, point);
        }
    }
    best.1
}
