//! Draws the pattern behind the symbol of a card, and on its back. A pattern ends at the border of its box by itself, so
//! that a page can hold many cards without the ids that clipping needs.

use principes_schemas::CardGround;
use std::f64::consts::{FRAC_PI_2, PI};

use crate::geometry::{Frame, Point};
use crate::piece::{circle, polygon};
use crate::svg::{Svg, attrs, number};

/// Where a line from a point inside leaves a rectangle.
fn exit(area: Frame, (x, y): Point, angle: f64) -> Point {
    let (dx, dy) = (angle.cos(), angle.sin());
    let far = |from: f64, to: f64, step: f64| if step.abs() < 1e-9 { f64::INFINITY } else { (to - from) / step };
    let wide = far(x, if dx > 0.0 { area.right } else { area.left }, dx);
    let high = far(y, if dy > 0.0 { area.low } else { area.top }, dy);
    let length = wide.min(high);
    (x + dx * length, y + dy * length)
}

fn corners(area: Frame) -> [Point; 4] {
    [(area.left, area.top), (area.right, area.top), (area.right, area.low), (area.left, area.low)]
}

/// Draws a pattern around a point, in white with little opacity.
pub(super) fn draw(svg: &mut Svg, ground: CardGround, area: Frame, heart: Point) {
    let (path, wide) = match ground {
        CardGround::Blank => return,
        CardGround::Rays => {
            let path = rays(area, heart);
            return svg.put("path", attrs!["d" = &path, "fill" = "#fff", "fill-opacity" = "0.13"]);
        }
        CardGround::Lattice => (lattice(area), 1.1),
        CardGround::Stripes => (stripes(area), 1.1),
        CardGround::Rings => (rings(area, heart), 1.5),
        CardGround::Waves => (waves(area, heart), 2.2),
    };
    let line = [("stroke", "#fff".into()), ("stroke-opacity", "0.16".into()), ("stroke-width", wide.into())];
    let [color, faint, wide] = line;
    svg.put("path", &[("d", (&path).into()), ("fill", "none".into()), color, faint, wide]);
}

/// Twenty rays.
fn rays(area: Frame, heart: Point) -> String {
    let mut path = String::new();
    for ray in 0..20 {
        let (from, to) = (PI * f64::from(ray) / 10.0 - FRAC_PI_2, PI * (f64::from(ray) + 0.36) / 10.0 - FRAC_PI_2);
        let is_between = |corner: &Point| {
            let angle = (corner.1 - heart.1).atan2(corner.0 - heart.0);
            [angle, angle + 2.0 * PI].iter().any(|angle| *angle > from && *angle < to)
        };
        let mut points = vec![heart, exit(area, heart, from)];
        points.extend(corners(area).into_iter().filter(is_between));
        points.push(exit(area, heart, to));
        path.push_str(&polygon(&points));
    }
    path
}

fn line(path: &mut String, from: Point, to: Point) {
    path.push_str(&format!("M{} {}L{} {}", number(from.0), number(from.1), number(to.0), number(to.1)));
}

/// Lines in two directions.
fn lattice(area: Frame) -> String {
    let (wide, high) = area.size();
    let mut path = String::new();
    let mut shift = 11.0 - high;
    while shift < wide {
        // From the top to the right and down, and mirrored.
        let (near, far) = (shift.max(0.0), (shift + high).min(wide));
        let (down, low) = (near - shift, far - shift);
        line(&mut path, (area.left + near, area.top + down), (area.left + far, area.top + low));
        line(&mut path, (area.right - near, area.top + down), (area.right - far, area.top + low));
        shift += 22.0;
    }
    path
}

fn stripes(area: Frame) -> String {
    let mut path = String::new();
    let mut x = area.left + 8.0;
    while x < area.right - 1.0 {
        line(&mut path, (x, area.top), (x, area.low));
        x += 12.0;
    }
    path
}

/// Circles, and at both sides the parts of larger ones.
fn rings(area: Frame, heart: Point) -> String {
    let room = (area.right - heart.0).min(area.low - heart.1).min(heart.1 - area.top);
    let mut path = String::new();
    for ring in 1..=12 {
        let radius = f64::from(ring) * 14.0;
        if radius <= room {
            path.push_str(&circle(heart, radius));
            continue;
        }
        let at = |y: f64| (radius * radius - (y - heart.1).powi(2)).max(0.0).sqrt();
        let (top, low) = (area.top.max(heart.1 - radius), area.low.min(heart.1 + radius));
        if radius > area.right - heart.0 {
            break;
        }
        for side in [-1.0, 1.0] {
            let sweep = if side > 0.0 { 1 } else { 0 };
            let (from, to) = ((heart.0 + side * at(top), top), (heart.0 + side * at(low), low));
            arc(&mut path, from, to, radius, sweep);
        }
    }
    path
}

fn arc(path: &mut String, from: Point, to: Point, radius: f64, sweep: u8) {
    let radius = number(radius);
    let (from, to) = ([from.0, from.1].map(number).join(" "), [to.0, to.1].map(number).join(" "));
    path.push_str(&format!("M{from}A{radius} {radius} 0 0 {sweep} {to}"));
}

/// Arcs around a point far below.
fn waves(area: Frame, heart: Point) -> String {
    let (x, y) = (heart.0, area.low + (area.low - area.top) * 0.35);
    let half = area.right - x;
    let mut path = String::new();
    let mut radius = y - area.low + 8.0;
    while radius < (y - area.top).hypot(half) - 4.0 {
        let wide = (radius * radius - (y - area.low).powi(2)).max(0.0).sqrt();
        let (reach, end) =
            if wide <= half { (wide, area.low) } else { (half, y - (radius * radius - half * half).sqrt()) };
        let split = (radius * radius - (y - area.top).powi(2)).max(0.0).sqrt();
        if y - radius >= area.top {
            arc(&mut path, (x - reach, end), (x + reach, end), radius, 1);
        } else {
            arc(&mut path, (x - reach, end), (x - split, area.top), radius, 1);
            arc(&mut path, (x + split, area.top), (x + reach, end), radius, 1);
        }
        radius += 11.0;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stay_in_their_box() {
        let area = Frame { left: 9.0, top: 9.0, right: 241.0, low: 159.0 };
        let all = [CardGround::Rays, CardGround::Lattice, CardGround::Waves, CardGround::Rings, CardGround::Stripes];
        for ground in all {
            let mut svg = Svg::default();
            draw(&mut svg, ground, area, (125.0, 84.0));
            let text = svg.inner();
            let path = text.split('"').nth(1).unwrap_or_default();
            let mut drawn = 0;
            for part in path.split(['M', 'L']).filter(|part| !part.is_empty() && !part.contains('a')) {
                // The last two numbers of a part are a point; an arc has others before them.
                let numbers: Vec<f64> =
                    part.trim_end_matches('Z').split([' ', 'A']).filter_map(|n| n.parse().ok()).collect();
                let points = [numbers.get(..2), numbers.get(numbers.len().saturating_sub(2)..)];
                for point in points.into_iter().flatten() {
                    let inside = (8.9..=241.1).contains(&point[0]) && (8.9..=159.1).contains(&point[1]);
                    assert!(inside, "{ground:?}: {part}");
                    drawn += 1;
                }
            }
            assert!(drawn > 10, "{ground:?}: {text}");
        }
        let mut blank = Svg::default();
        draw(&mut blank, CardGround::Blank, area, (125.0, 84.0));
        assert_eq!(blank.inner(), "");
    }
}
