//! The outlines of spaces.

use principes_model::Looks;

use crate::geometry::{Corner, Frame, Point, cells, curve, distance, rough, sites};
use crate::layout::{Layout, STEP, Shape};
use crate::piece::polygon;

/// The distance from the point of a space to the coast.
pub(super) const REACH: f64 = STEP * 0.82;
/// A distance beyond the frame.
const FAR: f64 = STEP * 40.0;

/// A side of a space: its two ends, and the space beyond.
pub(super) type SpaceSide = (Point, Point, Option<usize>);

/// The outlines of all spaces: paths and sides.
pub(super) struct Outlines {
    /// The path of each space.
    pub paths: Vec<String>,
    /// The scale of a space's path, if the path comes from the look.
    pub scaled: Vec<Option<f64>>,
    /// The sides of each space; none if the outline comes from the look.
    pub sides: Vec<Vec<SpaceSide>>,
    /// The cells that make up each area.
    pub cells: Vec<Vec<Vec<Corner>>>,
    /// The rectangle around all land.
    pub frame: Frame,
}

impl Outlines {
    pub fn of(layout: &Layout, look: &Looks, ids: &[&str], is_abroad: &[bool]) -> Outlines {
        let count = layout.centers.len();
        let reach = if layout.shape == Shape::Areas { REACH } else { STEP * 0.58 };
        let mut outlines = Outlines {
            paths: vec![String::new(); count],
            scaled: vec![None; count],
            sides: vec![Vec::new(); count],
            cells: vec![Vec::new(); count],
            frame: Frame::around(&layout.centers, reach),
        };
        if layout.shape == Shape::Areas {
            outlines.areas(layout, is_abroad);
        } else {
            for space in 0..count {
                let corners = layout.outline(space).unwrap_or_default();
                outlines.paths[space] = polygon(&corners);
                for (at, from) in corners.iter().enumerate() {
                    let to = corners[(at + 1) % corners.len()];
                    outlines.sides[space].push((*from, to, beyond(layout, space, *from, to)));
                }
            }
        }
        for (space, id) in ids.iter().enumerate() {
            let own = look.spaces.get(*id).and_then(|space| space.outline.as_ref());
            if let (Some(own), Some(scale)) = (own, layout.scale) {
                outlines.paths[space] = own.0.clone();
                outlines.scaled[space] = Some(scale);
                outlines.sides[space].clear();
            }
        }
        outlines
    }

    fn areas(&mut self, layout: &Layout, is_abroad: &[bool]) {
        // If land is surrounded by other land, there is no coast, and all of the paper is covered.
        let reach = if is_abroad.contains(&true) { FAR } else { REACH };
        let points: Vec<(Point, f64)> = layout.centers.iter().map(|point| (*point, reach)).collect();
        let sites = sites(&points, &layout.links, self.frame);
        for (site, cell) in sites.iter().zip(cells(&sites, self.frame)) {
            self.add_cell(site.owner, &cell);
            self.cells[site.owner].push(cell);
        }
        for (path, sides) in self.paths.iter_mut().zip(&self.sides) {
            if let Some(around) = around(sides) {
                *path = around;
            }
        }
    }

    fn add_cell(&mut self, owner: usize, cell: &[Corner]) {
        let path = &mut self.paths[owner];
        for (at, corner) in cell.iter().enumerate() {
            let to = cell[(at + 1) % cell.len()].at;
            // Sides within an area are invisible, so they stay straight.
            let rough_side = corner.beyond.filter(|beyond| *beyond != owner);
            curve(&border(corner.at, to, rough_side), at == 0, path);
            if corner.beyond != Some(owner) {
                self.sides[owner].push((corner.at, to, corner.beyond));
            }
        }
        path.push('Z');
    }

    /// Whether a side is on the frame.
    pub fn is_framed(&self, (from, to, beyond): &SpaceSide) -> bool {
        let Frame { left, top, right, low } = self.frame;
        let close = |a: f64, b: f64, edge: f64| (a - edge).abs() < 1.0 && (b - edge).abs() < 1.0;
        let upright = close(from.0, to.0, left) || close(from.0, to.0, right);
        beyond.is_none() && (upright || close(from.1, to.1, top) || close(from.1, to.1, low))
    }
}

/// Sides that end closer to each other than this belong together, because cells compute their corners separately.
const NEAR: f64 = 3.0;

/// The path around all cells of an area, so that nothing shows between them; `None` if its sides do not close.
fn around(sides: &[SpaceSide]) -> Option<String> {
    let mut left: Vec<&SpaceSide> = sides.iter().filter(|(from, to, _)| distance(*from, *to) > NEAR / 2.0).collect();
    let mut path = String::new();
    while let Some((start, to, beyond)) = left.pop() {
        curve(&border(*start, *to, *beyond), true, &mut path);
        let mut end = *to;
        while distance(end, *start) > NEAR {
            let gap = |at: &usize| distance(left[*at].0, end);
            let next = (0..left.len()).min_by(|a, b| gap(a).total_cmp(&gap(b))).filter(|at| gap(at) <= NEAR)?;
            let (from, to, beyond) = left.swap_remove(next);
            curve(&border(*from, *to, *beyond), false, &mut path);
            end = *to;
        }
        path.push('Z');
    }
    (!path.is_empty()).then_some(path)
}

/// A side of an area: borders are rough, coasts are smooth.
pub(super) fn border(from: Point, to: Point, beyond: Option<usize>) -> Vec<Point> {
    if beyond.is_some() { rough(from, to) } else { vec![from, to] }
}

/// The space beyond a side of a space, on a grid.
fn beyond(layout: &Layout, space: usize, from: Point, to: Point) -> Option<usize> {
    let heart = layout.centers[space];
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let mirrored = (2.0 * middle.0 - heart.0, 2.0 * middle.1 - heart.1);
    layout.centers.iter().position(|other| distance(*other, mirrored) < 1.0)
}
