//! The positions and shapes of spaces in a drawing.
//!
//! The shape of spaces depends on `at` and their neighbors: hexagons, squares, or areas, which are Voronoi cells
//! clipped to the land (`geometry.rs`).

use principes_core::Catalog;

use crate::geometry::{Point, between, distance, regular};

/// The approximate distance between neighbors in a drawing.
pub const STEP: f64 = 100.0;
/// The number of iterations for boards without positions.
const PULLS: usize = 200;

/// The shapes of spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Areas with borders.
    Areas,
    /// Hexagons with a corner on top.
    HexagonsUp,
    /// Hexagons with a side on top.
    HexagonsFlat,
    /// Cells with four sides, in columns and rows.
    Squares,
}

/// The layout of a board.
pub struct Layout {
    /// The shape of the spaces.
    pub shape: Shape,
    /// The centers, in the order of the catalog.
    pub centers: Vec<Point>,
    /// Pairs of connected spaces, the lower index first. At least one of the two leads to the other.
    pub links: Vec<(usize, usize)>,
    /// The scale from the unit of `at`, if it is the same in all directions.
    pub scale: Option<f64>,
}

impl Layout {
    /// The layout of a game's board.
    pub fn of(catalog: &Catalog) -> Layout {
        let given: Vec<Point> =
            catalog.spaces.iter().map(|space| (f64::from(space.at.0), f64::from(space.at.1))).collect();
        let mut links: Vec<(usize, usize)> = Vec::new();
        for (at, space) in catalog.spaces.iter().enumerate() {
            links.extend(space.exits.iter().map(|exit| (at.min(exit.index()), at.max(exit.index()))));
        }
        links.sort_unstable();
        links.dedup();
        let (shape, centers) = shaped(&given, &links);
        let farthest = given.iter().zip(&centers).max_by(|a, b| a.0.0.abs().total_cmp(&b.0.0.abs()));
        let scale = farthest.filter(|(given, _)| shape == Shape::Areas && given.0 != 0.0);
        Layout { shape, scale: scale.map(|(given, drawn)| drawn.0 / given.0), centers, links }
    }

    /// The outline of a space, if all spaces have the same shape.
    pub fn outline(&self, space: usize) -> Option<Vec<Point>> {
        let (corners, radius, turn) = match self.shape {
            Shape::Areas => return None,
            Shape::HexagonsUp => (6, STEP / 3f64.sqrt(), std::f64::consts::FRAC_PI_6),
            Shape::HexagonsFlat => (6, STEP / 3f64.sqrt(), 0.0),
            Shape::Squares => (4, STEP / 2f64.sqrt(), std::f64::consts::FRAC_PI_4),
        };
        Some(regular(self.centers[space], radius, corners, turn))
    }
}

fn shaped(given: &[Point], links: &[(usize, usize)]) -> (Shape, Vec<Point>) {
    let first = given.first().copied().unwrap_or_default();
    if given.len() > 1 && given.iter().all(|point| *point == first) {
        return (Shape::Areas, sprung(given.len(), links));
    }
    let mut offsets: Vec<(i64, i64)> = Vec::new();
    for (a, b) in links {
        let (dx, dy) = ((given[*b].0 - given[*a].0) as i64, (given[*b].1 - given[*a].1) as i64);
        offsets.extend([(dx, dy), (-dx, -dy)]);
    }
    offsets.sort_unstable();
    offsets.dedup();
    let scaled = |x: f64, y: f64| given.iter().map(|point| (point.0 * x, point.1 * y)).collect::<Vec<Point>>();
    let row = STEP * 3f64.sqrt() / 2.0;
    if let Some((dx, dy)) = hexagons(&offsets) {
        return (Shape::HexagonsUp, scaled(STEP / dx, row / dy));
    }
    let turned: Vec<(i64, i64)> = offsets.iter().map(|(dx, dy)| (*dy, *dx)).collect();
    if let Some((dy, dx)) = hexagons(&turned) {
        return (Shape::HexagonsFlat, scaled(row / dx, STEP / dy));
    }
    if let Some((dx, dy)) = squares(&offsets).filter(|_| apart(given)) {
        return (Shape::Squares, scaled(STEP / dx, STEP / dy));
    }
    let mut lengths: Vec<f64> = links.iter().map(|(a, b)| distance(given[*a], given[*b])).collect();
    lengths.sort_by(f64::total_cmp);
    let usual = lengths.get(lengths.len() / 2).copied().filter(|length| *length > 0.0).unwrap_or(STEP);
    (Shape::Areas, scaled(STEP / usual, STEP / usual))
}

/// The step along a row, and to the next row, if the neighbors are those of hexagons with a corner on top.
fn hexagons(offsets: &[(i64, i64)]) -> Option<(f64, f64)> {
    let (dx, dy) = offsets.iter().fold((0, 0), |(x, y), (dx, dy)| (x.max(*dx), y.max(*dy)));
    if offsets.len() != 6 || dx == 0 || dy == 0 || dx % 2 != 0 {
        return None;
    }
    let fits = |(x, y): &(i64, i64)| (*y == 0 && x.abs() == dx) || (y.abs() == dy && x.abs() == dx / 2);
    offsets.iter().all(fits).then_some((dx as f64, dy as f64))
}

/// The steps to the east and to the south, if the neighbors are those of squares, including diagonal ones.
fn squares(offsets: &[(i64, i64)]) -> Option<(f64, f64)> {
    let (dx, dy) = offsets.iter().fold((0, 0), |(x, y), (dx, dy)| (x.max(*dx), y.max(*dy)));
    let fits = |(x, y): &(i64, i64)| [0, dx].contains(&x.abs()) && [0, dy].contains(&y.abs());
    (!offsets.is_empty() && offsets.iter().all(fits)).then(|| (dx.max(1) as f64, dy.max(1) as f64))
}

/// Whether all spaces have different positions.
fn apart(given: &[Point]) -> bool {
    let mut places: Vec<(i64, i64)> = given.iter().map(|point| (point.0 as i64, point.1 as i64)).collect();
    places.sort_unstable();
    places.windows(2).all(|pair| pair[0] != pair[1])
}

/// Positions for spaces without any: links are springs, and all spaces repel each other.
fn sprung(count: usize, links: &[(usize, usize)]) -> Vec<Point> {
    let mut points = regular((0.0, 0.0), STEP * (count as f64).sqrt(), count, 0.0);
    for pull in 0..PULLS {
        let heat = STEP * (1.0 - pull as f64 / PULLS as f64);
        let mut moves = vec![(0.0, 0.0); count];
        let mut push = |a: usize, b: usize, force: f64, points: &[Point]| {
            let far = distance(points[a], points[b]).max(1.0);
            let (x, y) = ((points[b].0 - points[a].0) / far * force, (points[b].1 - points[a].1) / far * force);
            moves[a] = (moves[a].0 - x, moves[a].1 - y);
            moves[b] = (moves[b].0 + x, moves[b].1 + y);
        };
        for a in 0..count {
            for b in a + 1..count {
                push(a, b, STEP * STEP / distance(points[a], points[b]).max(1.0), &points);
            }
        }
        for (a, b) in links {
            let far = distance(points[*a], points[*b]);
            push(*a, *b, -far * far / STEP, &points);
        }
        for (point, (x, y)) in points.iter_mut().zip(moves) {
            let far = x.hypot(y);
            if far > 0.0 {
                let target = (point.0 + x, point.1 + y);
                *point = between(*point, target, far.min(heat) / far);
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_recognized_in_any_unit() {
        let up = [(0.0, 0.0), (20.0, 0.0), (10.0, 7.0), (30.0, 7.0)];
        let links = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)];
        let (shape, centers) = shaped(&up, &links);
        assert_eq!((shape, distance(centers[0], centers[2]).round()), (Shape::HexagonsUp, STEP));
        let flat = up.map(|(x, y)| (y, x));
        assert_eq!(shaped(&flat, &links).0, Shape::HexagonsFlat);
        let grid = [(0.0, 0.0), (3.0, 0.0), (0.0, 5.0), (3.0, 5.0)];
        let (shape, centers) = shaped(&grid, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        assert_eq!((shape, centers[3]), (Shape::Squares, (STEP, STEP)));
        assert_eq!(shaped(&[(0.0, 0.0), (9.0, 2.0), (1.0, 7.0)], &[(0, 1), (0, 2)]).0, Shape::Areas);
    }

    #[test]
    fn spaces_without_positions_are_spread_out() {
        let (_, centers) = shaped(&[(0.0, 0.0); 5], &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        for a in 0..5 {
            for b in a + 1..5 {
                assert!(distance(centers[a], centers[b]) > STEP / 3.0, "{centers:?}");
            }
        }
    }
}
