//! Areas around points: Voronoi cells, cut to where land is, with borders that look drawn by hand.

use std::f64::consts::TAU;

/// A point: to the east, to the south.
pub type Point = (f64, f64);

/// Corners of a circle that stands for a coast.
const ROUND: usize = 48;
/// Borders shorter than this stay straight.
const STRAIGHT: f64 = 12.0;

/// A corner of a cell, and what lies beyond the side that leads from it to the next corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Where it is.
    pub at: Point,
    /// The owner of the cell beyond; none at the coast.
    pub beyond: Option<usize>,
}

/// A point that has a cell, and to whom it belongs.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Where it is.
    pub at: Point,
    /// Whose cell it makes bigger.
    pub owner: usize,
}

/// How far two points are from each other.
pub fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// A point between two: 0 is the first, 1 the second.
pub fn between(a: Point, b: Point, part: f64) -> Point {
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

/// A polygon with equal sides.
pub fn regular(heart: Point, radius: f64, corners: usize, turn: f64) -> Vec<Point> {
    let corner = |at: usize| {
        let angle = TAU * at as f64 / corners as f64 + turn;
        (heart.0 + radius * angle.cos(), heart.1 + radius * angle.sin())
    };
    (0..corners).map(corner).collect()
}

/// The part of a cell that is nearer to `from` than to `to`.
fn cut(cell: &[Corner], from: Point, to: Point, beyond: usize) -> Vec<Corner> {
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
                rest.push(Corner { at: crossing(), beyond: Some(beyond) });
            }
        } else if there <= 0.0 {
            rest.push(Corner { at: crossing(), beyond: corner.beyond });
        }
    }
    rest
}

/// The cell of each site: what is nearer to it than to the others, and no farther away than `reach`.
pub fn cells(sites: &[Site], reach: f64) -> Vec<Vec<Corner>> {
    let cell = |site: &Site| {
        let start = regular(site.at, reach, ROUND, 0.0);
        let start: Vec<Corner> = start.into_iter().map(|at| Corner { at, beyond: None }).collect();
        let others = sites.iter().filter(|other| {
            let far = distance(site.at, other.at);
            far > 0.0 && far < 2.0 * reach
        });
        others.fold(start, |cell, other| cut(&cell, site.at, other.at, other.owner))
    };
    sites.iter().map(cell).collect()
}

/// The sites of areas around points, where neighbors shall touch: those that would not get helpers between them.
pub fn sites(points: &[Point], neighbors: &[(usize, usize)], reach: f64) -> Vec<Site> {
    let mut sites: Vec<Site> = points.iter().enumerate().map(|(owner, at)| Site { at: *at, owner }).collect();
    let cells = cells(&sites, reach);
    for (a, b) in neighbors {
        let touch = cells[*a].iter().any(|corner| corner.beyond == Some(*b));
        if !touch && distance(points[*a], points[*b]) < 4.0 * reach {
            for (owner, part) in [(*a, 0.25), (*a, 0.46), (*b, 0.54), (*b, 0.75)] {
                sites.push(Site { at: between(points[*a], points[*b], part), owner });
            }
        }
    }
    sites
}

/// A side of a cell as a border drawn by hand. Both cells that share it get the same points.
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

/// Points of neighboring cells that should be the same are the same on this grid.
fn rounded(point: Point) -> Point {
    (point.0.round(), point.1.round())
}

fn split(a: Point, b: Point, points: &mut Vec<Point>) {
    let length = distance(a, b);
    if length < STRAIGHT {
        return;
    }
    let noise = crate::theme::hash(&format!("{:.0} {:.0} {:.0} {:.0}", a.0, a.1, b.0, b.1)) % 1000;
    let aside = (f64::from(noise) / 500.0 - 1.0) * 0.11;
    let middle = between(a, b, 0.5);
    let middle = (middle.0 - (b.1 - a.1) * aside, middle.1 + (b.0 - a.0) * aside);
    split(a, middle, points);
    points.push(middle);
    split(middle, b, points);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_neighbors_share_a_side() {
        let points = [(0.0, 0.0), (100.0, 0.0), (50.0, 80.0)];
        let sites = sites(&points, &[(0, 1), (1, 2), (0, 2)], 90.0);
        assert_eq!(sites.len(), 3, "they touch without helpers");
        let cells = cells(&sites, 90.0);
        let beyond = |at: usize, owner| cells[at].iter().any(|corner| corner.beyond == Some(owner));
        assert!(beyond(0, 1) && beyond(1, 0) && beyond(1, 2) && beyond(2, 0));
    }

    #[test]
    fn neighbors_with_another_between_them_touch_through_helpers() {
        let points = [(0.0, 0.0), (160.0, 0.0), (80.0, 30.0), (80.0, -30.0)];
        let sites = sites(&points, &[(0, 1)], 90.0);
        assert_eq!(sites.len(), 8);
        let cells = cells(&sites, 90.0);
        let touch = sites
            .iter()
            .zip(&cells)
            .any(|(site, cell)| site.owner == 0 && cell.iter().any(|corner| corner.beyond == Some(1)));
        assert!(touch);
    }

    #[test]
    fn a_border_is_the_same_from_both_sides() {
        let mut back = rough((70.2, 3.1), (0.0, 40.0));
        back.reverse();
        assert_eq!(rough((0.0, 40.0), (70.2, 3.1)), back);
        assert!(back.len() > 5);
    }
}
