//! Draws the ground of a card, and the emblem above its text.

use principes_model::{Looks, Picture};
use principes_schemas::CardFrame;

use super::{EDGE, EMBLEM, Emblem, Face, INSET, SIZE};
use crate::geometry::{Point, regular};
use crate::look::{on, symbol};
use crate::piece::{circle, polygon};
use crate::svg::{Svg, attrs};
use crate::theme::{hash, is_pale, mix};
use crate::tile::Plan;

/// The size of tiles on their cards.
const TILE: f64 = 82.0;

/// The drawn plan of a tile, around the middle of the emblem.
pub(super) fn tile(plan: &Plan, look: &Looks) -> String {
    let mut svg = Svg::default();
    plan.draw(&mut svg, look, heart(), TILE, None);
    svg.inner()
}

fn heart() -> Point {
    (SIZE.0 / 2.0, EMBLEM.0 + EMBLEM.1 / 2.0)
}

impl Face {
    /// A color of the card that is visible on paper.
    fn strong(&self) -> String {
        if is_pale(&self.color) { mix(&self.color, "#5b513f", 0.7) } else { self.color.clone() }
    }

    /// Draws the edge, the paper and the frame.
    pub(super) fn ground(&self, svg: &mut Svg) {
        let (wide, high) = SIZE;
        svg.put("rect", attrs!["width" = wide, "height" = high, "rx" = 14.0, "fill" = &self.color]);
        let (right, low) = (wide - EDGE, high - EDGE);
        let cut = 12.0;
        let paper = match self.frame {
            CardFrame::Notched => format!(
                "M{} {EDGE}H{}A{cut} {cut} 0 0 0 {right} {}V{}A{cut} {cut} 0 0 0 {} {low}H{}A{cut} {cut} 0 0 0 {EDGE} {}V{}A{cut} {cut} 0 0 0 {} {EDGE}Z",
                EDGE + cut,
                right - cut,
                EDGE + cut,
                low - cut,
                right - cut,
                EDGE + cut,
                low - cut,
                EDGE + cut,
                EDGE + cut
            ),
            _ => {
                let r = 7.0;
                format!(
                    "M{} {EDGE}H{}A{r} {r} 0 0 1 {right} {}V{}A{r} {r} 0 0 1 {} {low}H{}A{r} {r} 0 0 1 {EDGE} {}V{}A{r} {r} 0 0 1 {} {EDGE}Z",
                    EDGE + r,
                    right - r,
                    EDGE + r,
                    low - r,
                    right - r,
                    EDGE + r,
                    low - r,
                    EDGE + r,
                    EDGE + r
                )
            }
        };
        svg.put("path", attrs!["d" = &paper, "class" = "card"]);
        svg.put("path", attrs!["d" = &paper, "class" = "border", "stroke-width" = 1.0]);
        if self.frame == CardFrame::Ornate {
            let inset = EDGE + 4.0;
            let place = attrs![
                "x" = inset,
                "y" = inset,
                "width" = wide - 2.0 * inset,
                "height" = high - 2.0 * inset,
                "rx" = 4.0,
                "class" = "rule",
                "stroke-width" = 0.8,
            ];
            svg.put("rect", place);
            let mut corners = String::new();
            for (x, y) in [(inset, inset), (wide - inset, inset), (inset, high - inset), (wide - inset, high - inset)] {
                corners.push_str(&polygon(&regular((x, y), 5.0, 4, 0.0)));
            }
            svg.put("path", attrs!["d" = &corners, "class" = "gilt"]);
        }
    }

    pub(super) fn emblem(&self, svg: &mut Svg) {
        let (top, high) = EMBLEM;
        let wide = SIZE.0 - 2.0 * INSET;
        let (x, right, low) = (INSET, SIZE.0 - INSET, top + high);
        let panel = match self.frame {
            CardFrame::Arched => {
                format!("M{x} {low}V{}A{} 30 0 0 1 {right} {}V{low}Z", top + 30.0, wide / 2.0, top + 30.0)
            }
            _ => format!("M{x} {top}h{wide}v{high}h-{wide}Z"),
        };
        let tint = self.strong();
        svg.put("path", attrs!["d" = &panel, "fill" = &tint, "fill-opacity" = "0.16"]);
        match &self.emblem {
            Emblem::Picture(picture) => picture_in(svg, picture, (x, top, wide, high)),
            Emblem::Tile(elements) => svg.raw(elements),
            Emblem::Symbol(path) => {
                let (cx, cy) = heart();
                self.rays(svg, (cx, cy));
                svg.put("circle", attrs!["cx" = cx, "cy" = cy, "r" = 41.0, "class" = "card"]);
                svg.put("circle", attrs!["cx" = cx, "cy" = cy, "r" = 38.5, "fill" = &tint]);
                svg.put("circle", attrs!["cx" = cx, "cy" = cy, "r" = 35.5, "class" = "rule", "stroke-width" = 1.0]);
                symbol(svg, path, (cx, cy), 50.0, on(&tint));
            }
            Emblem::Arms => {
                self.rays(svg, heart());
                self.arms(svg, heart());
            }
        }
        svg.put("path", attrs!["d" = &panel, "class" = "rule", "stroke-width" = 0.9]);
    }

    /// Draws the emblem alone in a square around a point.
    pub(super) fn emblem_at(&self, svg: &mut Svg, (x, y): Point, side: f64) {
        let tint = self.strong();
        let (cx, cy) = heart();
        let scale = side / TILE;
        if let Emblem::Symbol(path) = &self.emblem {
            svg.put("circle", attrs!["cx" = x, "cy" = y, "r" = side / 2.0, "fill" = &tint]);
            return symbol(svg, path, (x, y), side * 0.64, on(&tint));
        }
        if let Emblem::Picture(picture) = &self.emblem {
            return picture_in(svg, picture, (x - side / 2.0, y - side / 2.0, side, side));
        }
        let place = format!("translate({:.2} {:.2}) scale({scale:.4})", x - cx * scale, y - cy * scale);
        svg.open("g", attrs!["transform" = &place]);
        match &self.emblem {
            Emblem::Tile(elements) => svg.raw(elements),
            _ => self.arms(svg, (cx, cy)),
        }
        svg.close("g");
    }

    /// Lines that lead to the emblem from both sides.
    fn rays(&self, svg: &mut Svg, (cx, cy): Point) {
        let mut path = String::new();
        for step in [-2.0, -1.0, 0.0, 1.0, 2.0_f64] {
            let (near, far) = (47.0, 92.0 - step.abs() * 7.0);
            let y = cy + step * 9.0;
            path.push_str(&format!("M{} {y}H{}M{} {y}H{}", cx - far, cx - near, cx + near, cx + far));
        }
        let color = self.strong();
        let faint = ("stroke-opacity", "0.4".into());
        svg.put("path", &[("d", (&path).into()), ("stroke", (&color).into()), ("stroke-width", 1.1.into()), faint]);
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
