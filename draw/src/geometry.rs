//! Areas around points: Voronoi cells, cut at the coast, with borders that look drawn by hand.

use std::f64::consts::TAU;

use crate::svg::number;

/// A point: to the east, to the south.
pub type Point = (f64, f64);

/// The number of corners of a circle that stands for a coast.
const ROUND: usize = 48;
/// Shorter borders stay straight.
const STRAIGHT: f64 = 17.0;

/// A corner of a cell, and what is beyond the side from it to the next corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// The position.
    pub at: Point,
    /// The owner of the neighboring cell; `None` at the coast.
    pub beyond: Option<usize>,
}

/// A point with a cell, and the owner of the cell.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The position.
    pub at: Point,
    /// The owner of the cell.
    pub owner: usize,
    /// The greatest distance from the point to the border of the cell.
    pub reach: f64,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The left edge.
    pub left: f64,
    /// The top edge.
    pub top: f64,
    /// The right edge.
    pub right: f64,
    /// The bottom edge.
    pub low: f64,
}

impl Frame {
    /// The smallest rectangle around some points, with a margin.
    pub fn around(points: &[Point], room: f64) -> Frame {
        let start = Frame { left: f64::MAX, top: f64::MAX, right: f64::MIN, low: f64::MIN };
        let around = points.iter().fold(start, |frame, point| Frame {
            left: frame.left.min(point.0),
            top: frame.top.min(point.1),
            right: frame.right.max(point.0),
            low: frame.low.max(point.1),
        });
        around.wider(room)
    }

    /// The rectangle with an additional margin.
    pub fn wider(self, room: f64) -> Frame {
        Frame { left: self.left - room, top: self.top - room, right: self.right + room, low: self.low + room }
    }

    /// Whether it contains a point.
    pub fn holds(self, point: Point) -> bool {
        (self.left..=self.right).contains(&point.0) && (self.top..=self.low).contains(&point.1)
    }

    /// The width and height.
    pub fn size(self) -> (f64, f64) {
        (self.right - self.left, self.low - self.top)
    }
}

/// The distance between two points.
pub fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// A point between two points: 0 is the first, 1 the second.
pub fn between(a: Point, b: Point, part: f64) -> Point {
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

/// A regular polygon.
pub fn regular(heart: Point, radius: f64, corners: usize, turn: f64) -> Vec<Point> {
    let corner = |at: usize| {
        let angle = TAU * at as f64 / corners as f64 + turn;
        (heart.0 + radius * angle.cos(), heart.1 + radius * angle.sin())
    };
    (0..corners).map(corner).collect()
}

/// The part of a cell that is nearer to `from` than to `to`.
fn cut(cell: &[Corner], from: Point, to: Point, beyond: Option<usize>) -> Vec<Corner> {
    let middle = between(from, to, 0.5);
    let side = |point: Point| (point.0 - middle.0) * (to.0 - from.0) + (point.1 - middle.1) * (to.1 - from.1);
    let mut rest = Vec::with_capacity(cell.len() + 1);
    for (at, corner) in cell.iter().enumerate() {
        let next = cell[(at + 1) % cell.len()];
        let (here, there) = (side(corner.at), side(next.at));
        let crossing = || between(corner.at, next.at, here / (here - there));
        if here <= 0.0 {
            rest.push(*corner);
            if there > 0.0 {
                rest.push(Corner { at: crossing(), beyond });
            }
        } else if there <= 0.0 {
            rest.push(Corner { at: crossing(), beyond: corner.beyond });
        }
    }
    rest
}

/// The cell of each site: the points that are nearer to it than to other sites, within its reach and the frame.
pub fn cells(sites: &[Site], frame: Frame) -> Vec<Vec<Corner>> {
    let cell = |site: &Site| {
        let start = regular(site.at, site.reach, ROUND, 0.0);
        let start: Vec<Corner> = start.into_iter().map(|at| Corner { at, beyond: None }).collect();
        let (x, y) = site.at;
        // The mirror image of a point beyond an edge of the frame cuts the cell at that edge.
        let mirrored =
            [(2.0 * frame.left - x, y), (2.0 * frame.right - x, y), (x, 2.0 * frame.top - y), (x, 2.0 * frame.low - y)];
        let framed = mirrored.into_iter().fold(start, |cell, beyond| cut(&cell, site.at, beyond, None));
        let others = sites.iter().filter(|other| {
            let far = distance(site.at, other.at);
            far > 0.0 && far < 2.0 * site.reach
        });
        others.fold(framed, |cell, other| cut(&cell, site.at, other.at, Some(other.owner)))
    };
    sites.iter().map(cell).collect()
}

/// The sites of areas around points whose neighbors must touch. If two neighbors would not touch, they get helper sites
/// between them.
pub fn sites(points: &[(Point, f64)], neighbors: &[(usize, usize)], frame: Frame) -> Vec<Site> {
    let site = |(owner, (at, reach)): (usize, &(Point, f64))| Site { at: *at, owner, reach: *reach };
    let mut sites: Vec<Site> = points.iter().enumerate().map(site).collect();
    let cells = cells(&sites, frame);
    for (a, b) in neighbors {
        let touch = cells[*a].iter().any(|corner| corner.beyond == Some(*b));
        let (from, to) = (points[*a], points[*b]);
        let reach = from.1.min(to.1);
        if !touch && distance(from.0, to.0) < 4.0 * reach {
            for (owner, part) in [(*a, 0.25), (*a, 0.46), (*b, 0.54), (*b, 0.75)] {
                sites.push(Site { at: between(from.0, to.0, part), owner, reach });
            }
        }
    }
    sites
}

/// The parts of a horizontal line inside some cells, from west to east. Cells that touch make one part.
pub fn stretches(cells: &[&[Corner]], y: f64) -> Vec<(f64, f64)> {
    let mut found: Vec<(f64, f64)> = Vec::new();
    for cell in cells {
        let mut crossings: Vec<f64> = Vec::new();
        for (at, corner) in cell.iter().enumerate() {
            let (a, b) = (corner.at, cell[(at + 1) % cell.len()].at);
            if (a.1 > y) != (b.1 > y) {
                crossings.push(a.0 + (b.0 - a.0) * (y - a.1) / (b.1 - a.1));
            }
        }
        if let (Some(from), Some(to)) =
            (crossings.iter().copied().reduce(f64::min), crossings.iter().copied().reduce(f64::max))
        {
            found.push((from, to));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for (from, to) in found {
        match joined.last_mut() {
            Some(last) if from <= last.1 + 1.0 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

/// A side of a cell as a border that looks drawn by hand. Both cells that share it get the same points.
pub fn rough(from: Point, to: Point) -> Vec<Point> {
    let (a, b) = (rounded(from), rounded(to));
    let swapped = (b.0, b.1) < (a.0, a.1);
    let mut points = Vec::new();
    let (first, last) = if swapped { (b, a) } else { (a, b) };
    points.push(first);
    split(first, last, &mut points);
    points.push(last);
    if swapped {
        points.reverse();
    }
    points
}

/// Rounds a point, so that equal points of neighboring cells are exactly equal.
fn rounded(point: Point) -> Point {
    (point.0.round(), point.1.round())
}

fn split(a: Point, b: Point, points: &mut Vec<Point>) {
    let length = distance(a, b);
    if length < STRAIGHT {
        return;
    }
    let noise = crate::theme::hash(&format!("{:.0} {:.0} {:.0} {:.0}", a.0, a.1, b.0, b.1)) % 1000;
    let aside = (f64::from(noise) / 500.0 - 1.0) * 0.16;
    let middle = between(a, b, 0.5);
    let middle = (middle.0 - (b.1 - a.1) * aside, middle.1 + (b.0 - a.0) * aside);
    split(a, middle, points);
    points.push(middle);
    split(middle, b, points);
}

/// A smooth curve through points. `is_open` starts a new path.
///
/// Every point but the ends is a control point, and the curve passes the middle between two of them. Each control point
/// is therefore the last one, mirrored, and `t` needs only the step to the next middle. Half the size of a map are its
/// borders, so steps are relative, and exact: both sides of a border draw the same line.
pub fn curve(points: &[Point], is_open: bool, path: &mut String) {
    let [first, inner @ .., last] = points else { return };
    path.push_str(&format!("{}{} {}", if is_open { 'M' } else { 'L' }, number(first.0), number(first.1)));
    let [first, last] = [first, last].map(|point| units(*point));
    let Some(control) = inner.first().map(|point| units(*point)) else {
        return step(path, 'l', &[(last.0 - first.0, last.1 - first.1)]);
    };
    let mut at = first;
    for (nth, point) in inner.iter().enumerate() {
        let point = units(*point);
        let middle = |next: (i64, i64)| (i64::midpoint(point.0, next.0), i64::midpoint(point.1, next.1));
        let to = inner.get(nth + 1).map_or(last, |next| middle(units(*next)));
        let there = (to.0 - at.0, to.1 - at.1);
        match nth {
            0 => step(path, 'q', &[(control.0 - at.0, control.1 - at.1), there]),
            _ => step(path, 't', &[there]),
        }
        at = to;
    }
}

/// A point in twentieths, on tenths, so that the middle between two points is exact.
fn units(point: Point) -> (i64, i64) {
    let tenths = |value: f64| (value * 10.0).round() as i64;
    (2 * tenths(point.0), 2 * tenths(point.1))
}

/// A step of a path, in twentieths from where it is.
fn step(path: &mut String, letter: char, steps: &[(i64, i64)]) {
    path.push(letter);
    for (at, value) in steps.iter().flat_map(|(x, y)| [*x, *y]).enumerate() {
        if at > 0 && value >= 0 {
            path.push(' ');
        }
        let (sign, hundredths) = (if value < 0 { "-" } else { "" }, value.unsigned_abs() * 5);
        let text = format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100);
        path.push_str(text.trim_end_matches('0').trim_end_matches('.'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame { left: -500.0, top: -500.0, right: 500.0, low: 500.0 };

    #[test]
    fn cells_of_neighbors_share_a_side() {
        let points = [(0.0, 0.0), (100.0, 0.0), (50.0, 80.0)].map(|at| (at, 90.0));
        let sites = sites(&points, &[(0, 1), (1, 2), (0, 2)], FRAME);
        assert_eq!(sites.len(), 3, "they touch without helpers");
        let cells = cells(&sites, FRAME);
        let beyond = |at: usize, owner| cells[at].iter().any(|corner| corner.beyond == Some(owner));
        assert!(beyond(0, 1) && beyond(1, 0) && beyond(1, 2) && beyond(2, 0));
    }

    #[test]
    fn neighbors_with_another_between_them_touch_through_helpers() {
        let points = [(0.0, 0.0), (160.0, 0.0), (80.0, 30.0), (80.0, -30.0)].map(|at| (at, 90.0));
        let sites = sites(&points, &[(0, 1)], FRAME);
        assert_eq!(sites.len(), 8);
        let cells = cells(&sites, FRAME);
        let touch = sites
            .iter()
            .zip(&cells)
            .any(|(site, cell)| site.owner == 0 && cell.iter().any(|corner| corner.beyond == Some(1)));
        assert!(touch);
    }

    #[test]
    fn a_cell_stays_in_its_frame() {
        let frame = Frame { left: -40.0, top: -10.0, right: 40.0, low: 30.0 };
        let site = Site { at: (0.0, 0.0), owner: 0, reach: 300.0 };
        let cell = &cells(&[site], frame)[0];
        let points: Vec<Point> = cell.iter().map(|corner| corner.at).collect();
        let Frame { left, top, right, low } = Frame::around(&points, 0.0);
        assert_eq!([left, top, right, low].map(f64::round), [-40.0, -10.0, 40.0, 30.0]);
        assert_eq!(stretches(&[cell], 0.0), [(-40.0, 40.0)]);
        assert_eq!(stretches(&[cell], 31.0), []);
    }

    #[test]
    fn a_curve_passes_the_middle_of_its_control_points() {
        let points = [(0.0, 0.0), (10.04, -3.0), (20.5, 4.1), (30.0, 0.25), (40.0, 1.0)];
        let mut path = String::new();
        curve(&points, true, &mut path);
        assert_eq!(path, "M0 0q10-3 15.25 0.55t10 1.65t14.75-1.2");
        let mut line = String::new();
        curve(&[(1.0, 2.0), (0.0, 2.5)], true, &mut line);
        curve(&[(0.0, 2.5), (3.0, 3.0)], false, &mut line);
        assert_eq!(line, "M1 2l-1 0.5L0 2.5l3 0.5");
    }

    #[test]
    fn a_border_is_the_same_from_both_sides() {
        let mut back = rough((70.2, 3.1), (0.0, 40.0));
        back.reverse();
        assert_eq!(rough((0.0, 40.0), (70.2, 3.1)), back);
        assert!(back.len() > 5);
    }
}
