//! Draws the ground of a card, and the emblem above its text.

use principes_model::{Looks, Picture};
use principes_schemas::CardFrame;

use super::face::{EDGE, Emblem, Face, SIZE};
use super::ground;
use crate::geometry::{Frame, Point, regular};
use crate::look::{Paint, on, symbol};
use crate::piece::{circle, polygon};
use crate::svg::{Svg, attrs};
use crate::theme::{hash, ink_on, is_pale, mix};
use crate::tile::Plan;

/// The size of tiles on their cards.
const TILE: f64 = 118.0;
/// The size of symbols: 42 % of the width of a card.
const SYMBOL: f64 = 0.42 * SIZE.0;
/// The radius of the corners of the paper.
const ROUND: f64 = 7.0;

/// The drawn plan of a tile, around the origin.
pub(super) fn tile(plan: &Plan, look: &Looks) -> String {
    let mut svg = Svg::default();
    plan.draw(&mut svg, look, (0.0, 0.0), TILE, None);
    svg.inner()
}

/// The outline of the paper, or of its upper part down to a height: round corners, or corners that are cut out.
fn outline(low: f64, is_notched: bool, is_whole: bool) -> String {
    let (r, sweep) = if is_notched { (12.0, 0) } else { (ROUND, 1) };
    let right = SIZE.0 - EDGE;
    let corner = |x: f64, y: f64| format!("A{r} {r} 0 0 {sweep} {x} {y}");
    let (near, far, top) = (EDGE + r, right - r, EDGE + r);
    let foot = match is_whole {
        true => format!("V{}{}H{near}{}", low - r, corner(far, low), corner(EDGE, low - r)),
        false => format!("V{low}H{EDGE}"),
    };
    [format!("M{near} {EDGE}H{far}"), corner(right, top), foot, format!("V{top}"), corner(near, EDGE), "Z".to_owned()]
        .concat()
}

impl Face {
    /// A color of the card that is visible on paper.
    pub(super) fn strong(&self) -> String {
        if is_pale(&self.color) { mix(&self.color, "#5b513f", 0.7) } else { self.color.clone() }
    }

    /// Draws the edge and the paper.
    pub(super) fn ground(&self, svg: &mut Svg) {
        let (wide, high) = SIZE;
        svg.put("rect", attrs!["width" = wide, "height" = high, "rx" = 14.0, "fill" = &self.color]);
        svg.put(
            "path",
            attrs!["d" = &outline(SIZE.1 - EDGE, self.frame == CardFrame::Notched, true), "class" = "card"],
        );
    }

    /// Draws the emblem on the color of the card, down to this height.
    pub(super) fn emblem(&self, svg: &mut Svg, high: f64) {
        let tint = self.strong();
        let heart = (SIZE.0 / 2.0, EDGE + high / 2.0);
        let area = Frame { left: EDGE, top: EDGE, right: SIZE.0 - EDGE, low: EDGE + high };
        let deep = mix(&tint, "#000000", 0.1);
        svg.put("path", attrs!["d" = &outline(area.low, self.frame == CardFrame::Notched, false), "fill" = &deep]);
        let glow = mix(&tint, "#f6e7c4", 0.5);
        for part in [1.0, 0.82, 0.64, 0.46] {
            let radius = high / 2.0 * part;
            let place = [("cx", heart.0.into()), ("cy", heart.1.into()), ("r", radius.into())];
            let [x, y, r] = place;
            svg.put("circle", &[x, y, r, ("fill", (&glow).into()), ("fill-opacity", "0.2".into())]);
        }
        let inner = Frame { left: area.left + ROUND, top: area.top + 1.0, right: area.right - ROUND, low: area.low };
        ground::draw(svg, self.pattern, inner, heart);
        self.figure(svg, heart, high);
        self.frame(svg, area);
    }

    /// Draws what is in the middle of the picture.
    fn figure(&self, svg: &mut Svg, (x, y): Point, high: f64) {
        let size = SYMBOL.min(high - 13.0);
        match &self.emblem {
            Emblem::Picture(picture) => {
                let wide = SIZE.0 - 2.0 * EDGE;
                picture_in(svg, picture, (x - wide / 2.0, y - high / 2.0, wide, high));
            }
            Emblem::Symbol(path) => {
                let ink = on(&self.strong());
                svg.open("g", attrs!["opacity" = "0.3"]);
                symbol(svg, path, (x + size * 0.014, y + size * 0.028), size, Paint::Fill("#000000"));
                svg.close("g");
                symbol(svg, path, (x, y), size, ink);
            }
            Emblem::Tile(_) | Emblem::Arms => self.scaled(svg, (x, y), (high - 20.0).min(1.4 * TILE) / TILE),
        }
    }

    /// Draws a tile or arms around a point.
    fn scaled(&self, svg: &mut Svg, (x, y): Point, scale: f64) {
        svg.open("g", attrs!["transform" = &format!("translate({x:.2} {y:.2}) scale({scale:.4})")]);
        match &self.emblem {
            Emblem::Tile(elements) => svg.raw(elements),
            _ => {
                svg.open("g", attrs!["transform" = "scale(1.42)"]);
                self.arms(svg, (0.0, 0.0));
                svg.close("g");
            }
        }
        svg.close("g");
    }

    /// Draws what the frame adds to the picture.
    fn frame(&self, svg: &mut Svg, area: Frame) {
        let dark = mix(&self.strong(), "#000000", 0.35);
        match self.frame {
            CardFrame::Plain | CardFrame::Notched => {}
            CardFrame::Ornate => {
                let mut corners = String::new();
                for x in [area.left + 9.0, area.right - 9.0] {
                    corners.push_str(&polygon(&regular((x, area.low - 9.0), 4.5, 4, 0.0)));
                }
                svg.put("path", attrs!["d" = &corners, "fill" = ink_on(&dark), "fill-opacity" = "0.55"]);
            }
            CardFrame::Arched => {
                let (half, rise) = (area.size().0 / 2.0, 52.0);
                let arch = format!("A{half} {rise} 0 0 1");
                let (middle, spring) = (SIZE.0 / 2.0, area.top + rise);
                let (near, far) = (area.left + ROUND, area.right - ROUND);
                let left = format!(
                    "M{near} {}H{middle}A{half} {rise} 0 0 0 {} {spring}V{}A{ROUND} {ROUND} 0 0 1 {near} {}Z",
                    area.top,
                    area.left,
                    area.top + ROUND,
                    area.top
                );
                let right = format!(
                    "M{far} {}H{middle}{arch} {} {spring}V{}A{ROUND} {ROUND} 0 0 0 {far} {}Z",
                    area.top,
                    area.right,
                    area.top + ROUND,
                    area.top
                );
                svg.put("path", attrs!["d" = &(left + &right), "fill" = &dark]);
            }
        }
    }

    /// Draws the emblem alone in a square around a point.
    pub(super) fn emblem_at(&self, svg: &mut Svg, (x, y): Point, side: f64) {
        let tint = self.strong();
        match &self.emblem {
            Emblem::Symbol(path) => symbol(svg, path, (x, y), side * 0.9, on(&tint)),
            Emblem::Picture(picture) => picture_in(svg, picture, (x - side / 2.0, y - side / 2.0, side, side)),
            Emblem::Tile(_) | Emblem::Arms => self.scaled(svg, (x, y), side / TILE),
        }
    }

    /// Draws arms that are derived from the card's id: a shield with a division and a charge.
    fn arms(&self, svg: &mut Svg, heart: Point) {
        let seed = hash(&self.id);
        let (cx, cy) = heart;
        let shield = format!("M{} {}h60v30c0 22 -14 34 -30 42c-16 -8 -30 -20 -30 -42Z", cx - 30.0, cy - 36.0);
        let (left, top) = (cx - 30.0, cy - 36.0);
        let tint = self.strong();
        svg.put("path", attrs!["d" = &shield, "fill" = "#fcf7ea"]);
        // Each division is inside the shield.
        let division = match seed % 6 {
            0 => format!("M{left} {top}h30v72c-16 -8 -30 -20 -30 -42Z"),
            1 => format!("M{left} {top}h60v22h-60Z"),
            2 => format!("M{left} {}l30 -20l30 20v13l-30 -20l-30 20Z", top + 34.0),
            3 => format!("M{} {top}h16v22h22v16h-22v30l-8 4l-8 -4v-30h-22v-16h22Z", cx - 8.0),
            4 => format!("M{left} {}h60v14h-60Z", top + 20.0),
            _ => format!("M{left} {top}h30v32h-30ZM{cx} {}h30c0 20 -14 32 -30 40Z", top + 32.0),
        };
        svg.put("path", attrs!["d" = &division, "fill" = &tint]);
        let at = (cx, cy - 5.0);
        let charge = match seed / 7 % 6 {
            0 => polygon(&regular(at, 12.0, 4, 0.0)),
            1 => star(at, 14.0, 5),
            2 => star(at, 14.0, 8),
            3 => polygon(&regular(at, 12.0, 6, 0.0)),
            4 => circle(at, 11.0),
            _ => star(at, 14.0, 4),
        };
        let thin = ("stroke-width", 1.3.into());
        svg.put("path", &[("d", (&charge).into()), ("fill", "#e2b33c".into()), ("stroke", "#2a241b".into()), thin]);
        let thick = ("stroke-width", 2.0.into());
        svg.put("path", &[("d", (&shield).into()), ("fill", "none".into()), ("stroke", "#2a241b".into()), thick]);
    }
}

/// A picture in a rectangle, as large as possible.
fn picture_in(svg: &mut Svg, picture: &Picture, (x, y, wide, high): (f64, f64, f64, f64)) {
    match picture {
        Picture::Pixels { media, bytes } => {
            let data = format!("data:{media};base64,{}", crate::svg::base64(bytes));
            let place = attrs!["x" = x, "y" = y, "width" = wide, "height" = high, "href" = &data];
            svg.put("image", place);
        }
        Picture::Shapes { elements, view: [left, top, w, h] } => {
            let scale = (wide / w).min(high / h);
            let (dx, dy) = (x + (wide - w * scale) / 2.0 - left * scale, y + (high - h * scale) / 2.0 - top * scale);
            svg.open("g", attrs!["transform" = &format!("translate({dx:.3} {dy:.3}) scale({scale:.5})")]);
            svg.raw(elements);
            svg.close("g");
        }
    }
}

/// The path of a star.
fn star(at: Point, radius: f64, points: usize) -> String {
    let corner = |index: usize| {
        let far = if index.is_multiple_of(2) { radius } else { radius * 0.45 };
        let angle = std::f64::consts::PI * (index as f64 / points as f64 - 0.5);
        (at.0 + far * angle.cos(), at.1 + far * angle.sin())
    };
    polygon(&(0..2 * points).map(corner).collect::<Vec<Point>>())
}
