//! The props of a card: where each is shown, and as what.

use principes_schemas::PropPlace;

use super::face::{Face, Shown};
use crate::look::{Paint, symbol};
use crate::svg::{Svg, attrs};
use crate::text::{fit, width};
use crate::theme::BADGE;

/// The most letters in a badge.
const LETTERS: usize = 3;
/// The radius of a badge.
const RADIUS: f64 = 20.0;

impl Shown {
    /// What is written for it where its name is known: its value, or its name if it is a flag.
    pub(super) fn word(&self) -> &str {
        self.value.as_deref().unwrap_or(&self.name)
    }

    fn is_short(&self) -> bool {
        self.word().chars().count() <= LETTERS
    }

    fn fits_a_badge(&self) -> bool {
        self.is_short() || self.symbol.is_some() && !self.is_general
    }

    /// Draws a badge around a point: the symbol of its value, or its value, below the symbol of the prop.
    pub(super) fn badge(&self, svg: &mut Svg, (x, y): (f64, f64), strong: &str) {
        let color = self.symbol.as_ref().and_then(|(_, color)| color.as_deref()).unwrap_or(strong);
        svg.open("g", &[]);
        svg.write("title", &[], &self.label);
        let line = [("stroke", color.into()), ("stroke-width", 2.2.into())];
        let [stroke, thick] = line;
        let circle =
            [("cx", x.into()), ("cy", y.into()), ("r", RADIUS.into()), ("fill", BADGE.0.into()), stroke, thick];
        svg.put("circle", &circle);
        match &self.symbol {
            Some((path, _)) if !self.is_general => symbol(svg, path, (x, y), RADIUS * 1.32, Paint::Fill(color)),
            Some((path, _)) => {
                symbol(svg, path, (x, y - RADIUS * 0.45), RADIUS * 0.8, Paint::Fill(color));
                self.letters(svg, (x, y + RADIUS * 0.34), 17.0);
            }
            None => self.letters(svg, (x, y), if self.word().chars().count() > 2 { 15.0 } else { 20.0 }),
        }
        svg.close("g");
    }

    /// Draws its value around a point.
    fn letters(&self, svg: &mut Svg, (x, y): (f64, f64), size: f64) {
        let place = attrs![
            "x" = x,
            "y" = y + size * 0.35,
            "font-size" = size,
            "text-anchor" = "middle",
            "font-weight" = "700",
            "fill" = BADGE.1,
        ];
        svg.write("text", place, self.word());
    }

    /// The width of the prop in a line: its symbol, its name unless a symbol stands for it, and its value.
    pub(super) fn wide(&self, size: f64) -> f64 {
        let sign = if self.symbol.is_some() { size * 1.35 } else { 0.0 };
        let name = if self.is_named() { width(&self.name) * size + size * 0.4 } else { 0.0 };
        sign + name + width(self.word()) * size * 1.04 + size * 0.9
    }

    /// Whether its name is written before its value.
    fn is_named(&self) -> bool {
        self.symbol.is_none() && self.value.is_some() && self.place != PropPlace::Figure
    }

    /// Draws the prop in a box of this width, around a point.
    pub(super) fn chip(&self, svg: &mut Svg, (x, y): (f64, f64), wide: f64, size: f64, tint: &str) {
        svg.open("g", &[]);
        svg.write("title", &[], &self.label);
        let high = size * 1.5;
        let place = [("x", (x - wide / 2.0).into()), ("y", (y - high / 2.0).into()), ("width", wide.into())];
        let [left, top, w] = place;
        let look = [("rx", 5.0.into()), ("fill", tint.into()), ("fill-opacity", "0.14".into())];
        let [round, fill, faint] = look;
        svg.put("rect", &[left, top, w, ("height", high.into()), round, fill, faint]);
        let (mut at, low) = (x - wide / 2.0 + size * 0.45, y + size * 0.34);
        if let Some((path, color)) = &self.symbol {
            let paint = color.as_ref().map_or(Paint::Class("ink"), |color| Paint::Fill(color));
            symbol(svg, path, (at + size * 0.55, y), size * 1.15, paint);
            at += size * 1.35;
        }
        if self.is_named() {
            svg.write("text", attrs!["x" = at, "y" = low, "font-size" = size, "class" = "quiet"], &self.name);
            at += width(&self.name) * size + size * 0.4;
        }
        let word = fit(self.word(), (x + wide / 2.0 - at) / size);
        let place = attrs!["x" = at, "y" = low, "font-size" = size, "font-weight" = "700", "class" = "ink"];
        svg.write("text", place, &word);
        svg.close("g");
    }
}

/// The props of a card by their places.
pub(super) struct Arranged<'f> {
    /// At most two.
    pub corners: Vec<&'f Shown>,
    /// With the size of its letters.
    pub ribbon: Option<(&'f Shown, f64)>,
    pub figures: Vec<&'f Shown>,
    pub foot: Vec<&'f Shown>,
    pub below: Vec<&'f Shown>,
}

impl<'f> Arranged<'f> {
    /// Puts each prop in the place that the look says, or below the text if there is no room.
    pub(super) fn of(face: &'f Face) -> Arranged<'f> {
        let mut all = Arranged { corners: vec![], ribbon: None, figures: vec![], foot: vec![], below: vec![] };
        for shown in &face.shown {
            if shown.place == PropPlace::Ribbon
                && all.ribbon.is_none()
                && let Some(size) = ribbon_size(face, shown)
            {
                all.ribbon = Some((shown, size));
                continue;
            }
            match shown.place {
                PropPlace::Corner if all.corners.len() < 2 && shown.fits_a_badge() => all.corners.push(shown),
                PropPlace::Figure if shown.value.is_some() => all.figures.push(shown),
                PropPlace::Foot if all.foot.len() < 3 && shown.is_short() => all.foot.push(shown),
                _ => all.below.push(shown),
            }
        }
        all
    }
}

/// The size of the letters on the ribbon with a prop at its right; `None` if they would be too small.
fn ribbon_size(face: &Face, shown: &Shown) -> Option<f64> {
    let sign = if shown.symbol.is_some() { 1.4 } else { 0.0 };
    let size = 212.0 / (width(&face.card_type) + width(shown.word()) + sign + 1.0);
    (size >= 12.6).then_some(size.min(13.5))
}
