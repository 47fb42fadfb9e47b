//! Paths: rewritten from the numbers that were read. What a path becomes is counted before it is made.

use kurbo::{BezPath, PathEl, Point};
use svgtypes::{PathParser, PathSegment};

/// The most parts of a path.
const MOST_PARTS: usize = 4000;
/// The parts that stand for an arc with the largest allowed radius.
const PARTS_OF_AN_ARC: usize = 12;
/// The limit of numbers, in both directions.
pub const FARTHEST: f64 = 100_000.0;

/// How to write a path that can be drawn.
pub const PATHS: &str = "write the data of an SVG path, such as `M2 2h20v20z`";

/// The number of parts of a path when it is written again; an error says why the path cannot be drawn.
pub fn parts(data: &str) -> Result<usize, String> {
    let mut parts = 0;
    for segment in PathParser::from(data) {
        let segment = segment.map_err(|_| "it is not the data of a path".to_owned())?;
        parts += if matches!(segment, PathSegment::EllipticalArc { .. }) { PARTS_OF_AN_ARC } else { 1 };
        if parts > MOST_PARTS {
            return Err(format!("it has more than {MOST_PARTS} parts; an arc counts as {PARTS_OF_AN_ARC}"));
        }
        if numbers(segment).iter().any(|number| !number.is_finite() || number.abs() > FARTHEST) {
            return Err("its numbers are too large".to_owned());
        }
    }
    Ok(parts)
}

fn numbers(segment: PathSegment) -> [f64; 6] {
    match segment {
        PathSegment::MoveTo { x, y, .. }
        | PathSegment::LineTo { x, y, .. }
        | PathSegment::SmoothQuadratic { x, y, .. } => [x, y, 0.0, 0.0, 0.0, 0.0],
        PathSegment::HorizontalLineTo { x, .. } => [x, 0.0, 0.0, 0.0, 0.0, 0.0],
        PathSegment::VerticalLineTo { y, .. } => [y, 0.0, 0.0, 0.0, 0.0, 0.0],
        PathSegment::CurveTo { x1, y1, x2, y2, x, y, .. } => [x1, y1, x2, y2, x, y],
        PathSegment::SmoothCurveTo { x2, y2, x, y, .. } => [x2, y2, x, y, 0.0, 0.0],
        PathSegment::Quadratic { x1, y1, x, y, .. } => [x1, y1, x, y, 0.0, 0.0],
        PathSegment::EllipticalArc { rx, ry, x_axis_rotation, x, y, .. } => [rx, ry, x_axis_rotation, x, y, 0.0],
        PathSegment::ClosePath { .. } => [0.0; 6],
    }
}

/// Rewritten path data; an error says why it cannot be drawn.
pub fn clean(data: &str) -> Result<String, String> {
    parts(data)?;
    let path = BezPath::from_svg(data).map_err(|error| error.to_string())?;
    let around = path.control_box();
    let sides = [around.x0, around.y0, around.x1, around.y1];
    if path.elements().is_empty() || sides.iter().any(|side| !side.is_finite() || side.abs() > FARTHEST) {
        return Err("its numbers are too large".to_owned());
    }
    if around.area() == 0.0 && !is_drawn(&path) {
        return Err("it covers nothing".to_owned());
    }
    Ok(rounded(&path).to_svg())
}

/// Whether any part of a path leads to another point. To measure its length takes longer.
fn is_drawn(path: &BezPath) -> bool {
    let mut at = None;
    path.elements().iter().any(|element| match *element {
        PathEl::MoveTo(start) => {
            at = Some(start);
            false
        }
        PathEl::LineTo(a) => Some(a) != at,
        PathEl::QuadTo(a, b) => Some(a) != at || Some(b) != at,
        PathEl::CurveTo(a, b, c) => Some(a) != at || Some(b) != at || Some(c) != at,
        PathEl::ClosePath => false,
    })
}

/// A path whose numbers have at most three decimal places.
fn rounded(path: &BezPath) -> BezPath {
    let point = |point: Point| Point::new((point.x * 1000.0).round() / 1000.0, (point.y * 1000.0).round() / 1000.0);
    let element = |element: &PathEl| match *element {
        PathEl::MoveTo(a) => PathEl::MoveTo(point(a)),
        PathEl::LineTo(a) => PathEl::LineTo(point(a)),
        PathEl::QuadTo(a, b) => PathEl::QuadTo(point(a), point(b)),
        PathEl::CurveTo(a, b, c) => PathEl::CurveTo(point(a), point(b), point(c)),
        PathEl::ClosePath => PathEl::ClosePath,
    };
    path.elements().iter().map(element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_again() {
        assert_eq!(clean("m 2,2 h20 v20 z").as_deref(), Ok("M2,2 L22,2 L22,22 Z"));
        for bad in ["", "M0 0", "L", "M0 0 L1e9 1", "M0 0 Lx y", "M0 0h1e400", "\"/><script>", "M1 1z"] {
            assert!(clean(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn parts_are_counted_before_they_are_made() {
        let arc = |radius: &str| format!("M0 0A{radius} {radius} 0 1 1 9 9");
        assert!(clean(&arc("30000")).is_ok());
        for radius in ["1e300", "1e18", "100001", "-1e300"] {
            assert_eq!(clean(&arc(radius)), Err("its numbers are too large".to_owned()), "{radius}");
        }
        for (part, times) in [("a1 1 0 0 1 1 1", 85_000), ("h1", 4_000), ("z", 4_000), ("A9e4 9e4 0 1 1 9 9", 400)] {
            let path = format!("M0 0{}", part.repeat(times));
            assert!(clean(&path).is_err_and(|why| why.contains("parts")), "{part}");
        }
        // An arc becomes at most as many parts as are counted for it.
        for (radius, end) in [("1e5", "1e5 1e5"), ("1e-9", "1e5 -1e5"), ("3", "1 2")] {
            let path = format!("M-1e5 1e5a{radius} {radius} 30 1 0 {end}");
            let made = BezPath::from_svg(&path).map(|path| path.elements().len());
            assert!(made.is_ok_and(|made| made <= 1 + PARTS_OF_AN_ARC), "{path}");
        }
    }
}
