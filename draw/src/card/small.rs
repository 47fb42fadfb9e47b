//! Draws a card small, as it lies in a market: its color, its emblem and its title.

use super::face::Face;
use crate::svg::{Svg, attrs};
use crate::text::{fit, width, wrap};

/// The width and height of the drawing.
const SMALL: (f64, f64) = (132.0, 46.0);
/// The width of the colored edge.
const RIM: f64 = 4.0;
/// The side of the emblem.
const SIDE: f64 = 32.0;
/// The least size of a title. What does not fit is shortened; the whole title is said with the drawing.
const LEAST: f64 = 11.5;
/// The most lines of a title.
const LINES: usize = 3;

impl Face {
    /// Draws the card small. The text of the card is in the title of the drawing.
    pub fn draw_small(&self) -> String {
        let (wide, high) = SMALL;
        let mut svg = Svg::default();
        svg.put("rect", attrs!["width" = wide, "height" = high, "rx" = 8.0, "fill" = &self.color]);
        let left = 2.0 * RIM + SIDE;
        let inner = attrs![
            "x" = left,
            "y" = RIM,
            "width" = wide - left - RIM,
            "height" = high - 2.0 * RIM,
            "rx" = 5.0,
            "class" = "card",
        ];
        svg.put("rect", inner);
        let heart = ((RIM + left) / 2.0 - 1.0, high / 2.0);
        svg.put(
            "rect",
            attrs![
                "x" = RIM,
                "y" = RIM,
                "width" = left - 1.5 * RIM,
                "height" = high - 2.0 * RIM,
                "rx" = 5.0,
                "fill" = &self.strong()
            ],
        );
        self.emblem_at(&mut svg, heart, SIDE);
        let room = wide - left - 2.0 * RIM;
        let most = |size: f64| LINES.min(((high - 2.0 * RIM) / (size * 1.08)) as usize);
        let is_good = |lines: &[String], size: f64| {
            lines.len() <= most(size) && lines.iter().all(|line| width(line) * size <= room)
        };
        let mut size = 15.0;
        let mut lines = wrap(&self.title, room / size);
        while size > LEAST && !is_good(&lines, size) {
            size -= 0.5;
            lines = wrap(&self.title, room / size);
        }
        lines.truncate(LINES);
        let top = (high - size * 1.08 * lines.len() as f64) / 2.0;
        for (down, line) in lines.iter().enumerate() {
            let place = attrs![
                "x" = left + (wide - left - RIM) / 2.0,
                "y" = top + size * (0.84 + 1.08 * down as f64),
                "font-size" = size,
                "text-anchor" = "middle",
                "font-weight" = "700",
                "class" = "ink title",
            ];
            svg.write("text", place, &fit(line, room / size + 0.3));
        }
        svg.finish((0.0, 0.0, wide, high), "laid-card", &self.told())
    }
}
