//! Draws dice as they lie on the table.

use std::f64::consts::FRAC_PI_2;

use principes_app::session::Die;
use principes_core::catalog::{BattleRule, Face};
use principes_core::{Catalog, SymbolId, Value};

use crate::geometry::{Point, regular};
use crate::look::{Paint, symbol};
use crate::piece::{circle, polygon};
use crate::svg::{Svg, attrs};
use crate::text::{fit, width};

/// The side of the drawing.
const SIDE: f64 = 60.0;
/// The margin around the die.
const ROOM: f64 = 4.0;
/// The most symbols on a face.
const MOST: usize = 4;
/// The symbol of a face that adds strength, in a box of 24 by 24: a sword.
const SWORD: &str = "M12 1l2 3v10h4v2h-4v3l1.4 1.6v2.4H8.6v-2.4L10 19v-3H6v-2h4V4z";
/// The symbol of a face that fortifies: a shield.
const SHIELD: &str = "M4 3h16v8c0 5.5-3.6 8.6-8 11-4.4-2.4-8-5.5-8-11zM6.5 5.5V11c0 4 2.3 6.2 5.5 8.2V5.5z";

/// Draws a die that shows a result.
pub fn draw(catalog: &Catalog, die: &Die, title: &str) -> String {
    let mut svg = Svg::default();
    match die {
        Die::Number { sides, result } => number(&mut svg, *sides, *result),
        Die::Face(id) => {
            let rule = catalog.battle.as_ref();
            let face = rule.and_then(|rule| {
                let is_it = |face: &&Face| catalog.symbols.name(face.id.index()) == id;
                Some((rule, rule.faces.iter().find(is_it)?))
            });
            body(&mut svg, None);
            match face.map(|(rule, face)| symbols(rule, face)) {
                Some(shown) if !shown.is_empty() => in_rows(&mut svg, &shown),
                _ => letters(&mut svg, id),
            }
        }
    }
    svg.finish((0.0, 0.0, SIDE, SIDE), "die", title)
}

/// The body of a die: a polygon, or a square with round corners.
fn body(svg: &mut Svg, corners: Option<usize>) {
    let heart = SIDE / 2.0;
    for (shift, class, opacity) in [(2.0, "ink", "0.3"), (0.0, "card edge", "1")] {
        let middle = (heart + shift * 0.5, heart + shift);
        match corners {
            Some(corners) => {
                let path = polygon(&regular(middle, SIDE / 2.0 - ROOM, corners, -FRAC_PI_2));
                let paint = attrs!["d" = &path, "class" = class, "stroke-width" = 1.6, "fill-opacity" = opacity];
                svg.put("path", paint);
            }
            None => {
                let side = SIDE - 2.0 * ROOM;
                let place = attrs![
                    "x" = middle.0 - side / 2.0,
                    "y" = middle.1 - side / 2.0,
                    "width" = side,
                    "height" = side,
                    "rx" = 10.0,
                    "class" = class,
                    "stroke-width" = 1.6,
                    "fill-opacity" = opacity,
                ];
                svg.put("rect", place);
            }
        }
    }
}

/// A die with numbers: pips if it is a cube, otherwise a polygon that resembles its sides.
fn number(svg: &mut Svg, sides: i32, result: i32) {
    if let (6, Some(pips)) = (sides, pips(result)) {
        body(svg, None);
        let place = |at: i32| SIDE / 2.0 + f64::from(at) * 13.0;
        let path: String = pips.iter().map(|(x, y)| circle((place(*x), place(*y)), 4.6)).collect();
        svg.put("path", attrs!["d" = &path, "class" = "ink"]);
        return;
    }
    body(
        svg,
        match sides {
            2 => Some(24),
            4 => Some(3),
            8 | 10 => Some(4),
            12 => Some(5),
            20 => Some(6),
            _ => None,
        },
    );
    letters(svg, &result.to_string());
}

/// The places of the pips of a cube, from the middle.
fn pips(result: i32) -> Option<&'static [(i32, i32)]> {
    Some(match result {
        1 => &[(0, 0)],
        2 => &[(-1, -1), (1, 1)],
        3 => &[(-1, -1), (0, 0), (1, 1)],
        4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6 => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
        _ => return None,
    })
}

fn letters(svg: &mut Svg, text: &str) {
    let room = SIDE - 4.0 * ROOM;
    let size = (room * 0.8 / width(text).max(0.1)).clamp(9.0, 24.0);
    let place = attrs![
        "x" = SIDE / 2.0,
        "y" = SIDE / 2.0 + size * 0.34,
        "font-size" = size,
        "text-anchor" = "middle",
        "font-weight" = "700",
        "class" = "ink title",
    ];
    svg.write("text", place, &fit(text, room / size));
}

/// What a face of a battle die counts for.
#[derive(Clone, Copy)]
enum Sign {
    Path(&'static str),
    Coin,
}

/// The signs of a face: swords for strength, shields for what fortifies, coins for everything else.
fn symbols(rule: &BattleRule, face: &Face) -> Vec<Sign> {
    let sign = |(name, value): &(SymbolId, Value)| {
        let count = match value {
            Value::Int(count) => usize::try_from(*count).unwrap_or_default().min(MOST),
            _ => 0,
        };
        let sign = match *name {
            name if name == rule.strength => Sign::Path(SWORD),
            name if name == rule.fortify => Sign::Path(SHIELD),
            _ => Sign::Coin,
        };
        std::iter::repeat_n(sign, count)
    };
    face.values.0.iter().flat_map(sign).take(MOST).collect()
}

fn in_rows(svg: &mut Svg, signs: &[Sign]) {
    let (columns, size) = match signs.len() {
        1 => (1, 40.0),
        2 => (2, 25.0),
        _ => (2, 22.0),
    };
    let rows = signs.len().div_ceil(columns);
    for (index, sign) in signs.iter().enumerate() {
        let place = |at: usize, of: usize| SIDE / 2.0 + (at as f64 - (of as f64 - 1.0) / 2.0) * (size + 1.0);
        let at: Point = (place(index % columns, columns), place(index / columns, rows));
        match sign {
            Sign::Path(path) => symbol(svg, path, at, size, Paint::Class("ink")),
            Sign::Coin => {
                svg.put("circle", attrs!["cx" = at.0, "cy" = at.1, "r" = size * 0.42, "class" = "gilt"]);
                let rim = attrs!["cx" = at.0, "cy" = at.1, "r" = size * 0.31, "class" = "line", "stroke-width" = 1.4];
                svg.put("circle", rim);
            }
        }
    }
}
