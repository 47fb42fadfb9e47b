//! Looks, and their defaults.

use principes_model::Looks;
use principes_schemas::{Emblem, MarkerShape};

use crate::svg::{Svg, attrs};
use crate::theme::{color, ink_on};

/// The side of a symbol's box.
const BOX: f64 = 24.0;

/// The color of a faction: from the look, or from its color word.
pub fn faction_color(look: &Looks, id: &str, word: &str) -> String {
    let own = look.factions.get(id).and_then(|faction| faction.color.as_ref());
    own.map_or_else(|| color(word), |color| color.0.clone())
}

/// The shape of a faction's markers: from the look, or by its index.
pub(crate) fn marker_shape(look: &Looks, faction: Option<(usize, &str)>) -> MarkerShape {
    let Some((place, id)) = faction else { return MarkerShape::Circle };
    let own = look.factions.get(id).and_then(|faction| faction.shape);
    own.unwrap_or(match place % 6 {
        0 => MarkerShape::Circle,
        1 => MarkerShape::Square,
        2 => MarkerShape::Shield,
        3 => MarkerShape::Hexagon,
        4 => MarkerShape::Diamond,
        _ => MarkerShape::Octagon,
    })
}

/// The path of the symbol of an emblem.
pub(crate) fn symbol_of<'l>(look: &'l Looks, emblem: Option<&Emblem>) -> Option<&'l str> {
    look.symbol(emblem?.symbol.as_ref())
}

/// Draws a symbol around a point, with a color or a class.
pub(crate) fn symbol(svg: &mut Svg, path: &str, at: (f64, f64), size: f64, paint: Paint<'_>) {
    let scale = size / BOX;
    let (x, y) = (at.0 - size / 2.0, at.1 - size / 2.0);
    let place = format!("translate({x:.2} {y:.2}) scale({scale:.4})");
    let (key, value) = match paint {
        Paint::Fill(color) => ("fill", color),
        Paint::Class(class) => ("class", class),
    };
    let rule = ("fill-rule", "evenodd".into());
    svg.put("path", &[("d", path.into()), ("transform", (&place).into()), (key, value.into()), rule]);
}

/// How a symbol is painted.
#[derive(Clone, Copy)]
pub(crate) enum Paint<'a> {
    /// A color.
    Fill(&'a str),
    /// By a style sheet, so that it follows light and dark themes.
    Class(&'a str),
}

/// The ink that a symbol or letters have on a color.
pub(crate) fn on(color: &str) -> Paint<'static> {
    Paint::Fill(ink_on(color))
}

/// A number on a small disk.
pub(crate) fn count(svg: &mut Svg, at: (f64, f64), radius: f64, text: &str) {
    svg.put("circle", attrs!["cx" = at.0, "cy" = at.1, "r" = radius, "class" = "ink"]);
    let size = radius * if text.chars().count() > 1 { 1.15 } else { 1.45 };
    svg.write(
        "text",
        attrs![
            "x" = at.0,
            "y" = at.1 + size * 0.35,
            "font-size" = size,
            "text-anchor" = "middle",
            "font-weight" = "700",
            "class" = "land",
        ],
        text,
    );
}
