//! Draws the face and the back of a card: title, type, emblem, text with emphasized numbers, and props.
//!
//! Only the color of the edge reaches the cutting line, so that prints can bleed.

mod back;
mod emblem;
mod heap;
mod small;

use principes_app::entity::face;
use principes_app::packs::OpenPacks;
use principes_app::props::{Fact, facts};
use principes_app::words::{Words, humanize};
use principes_core::{DesignId, Value};
use principes_model::{Looks, Picture};
use principes_schemas::{CardFrame, CardSize, Color};
use std::sync::Arc;

pub use self::back::Back;

use crate::look::{Paint, faction_color, symbol};
use crate::piece::polygon;
use crate::svg::{Svg, attrs};
use crate::text::{fit, width, wrap};
use crate::theme::{color, is_color, tint};
use crate::tile::Plan;

/// The width and height of a card in the drawing, for every size. The proportions are those of a poker card.
pub const SIZE: (f64, f64) = (250.0, 350.0);
/// The width of the colored edge.
const EDGE: f64 = 9.0;
/// The distance from the border of the card to the text.
const INSET: f64 = 22.0;
/// The top and the height of the emblem.
const EMBLEM: (f64, f64) = (72.0, 96.0);
/// The top of the text.
const TEXT: f64 = 178.0;
/// The height of a row of props.
const FACTS: f64 = 27.0;

/// The content of a card.
#[derive(Clone, Debug)]
pub struct Face {
    /// The id of the design.
    pub id: String,
    /// Already in the language of the viewer.
    pub title: String,
    /// The name of its card type, already in the language of the viewer.
    pub card_type: String,
    /// The text, with numbers filled in.
    pub text: String,
    /// The flavor text, which has no effect.
    pub flavor: String,
    /// The props, in words.
    pub facts: Vec<String>,
    /// The number of copies.
    pub copies: u16,
    /// The color of the edge, such as `#c8352b`.
    pub color: String,
    /// The size in print.
    pub size: CardSize,
    /// The props that are shown below the text.
    shown: Vec<Shown>,
    emblem: Emblem,
    frame: CardFrame,
}

/// A prop on a card.
#[derive(Clone, Debug)]
struct Shown {
    name: String,
    value: Option<String>,
    /// The path and the color of its symbol.
    symbol: Option<(String, Option<String>)>,
}

/// The emblem above the text.
#[derive(Clone, Debug)]
enum Emblem {
    /// Arms that are derived from the id.
    Arms,
    /// The path of a symbol.
    Symbol(String),
    /// From a look, in a box above the text.
    Picture(Arc<Picture>),
    /// The drawn plan of a tile.
    Tile(String),
}

impl Face {
    /// The face of a design, in the language of the words.
    pub fn of(packs: &OpenPacks, words: &Words, design: DesignId) -> Face {
        let (catalog, look) = (&packs.catalog, &*packs.loaded.look);
        let spec = &catalog.designs[design.index()];
        let id = catalog.symbols.name(spec.card_type.index());
        let entity = packs.loaded.entities.iter().find(|entity| entity.family.key() == "cards" && entity.id == spec.id);
        let (title, text) = entity.map_or_else(|| (spec.id.clone(), None), |entity| face(packs, words, entity));
        let facts = entity.map(|entity| facts(packs, words, entity)).unwrap_or_default();
        let (own, typed) = (look.cards.get(&spec.id), look.types.get(id));
        let named = own.and_then(|card| card.symbol.as_ref()).or(typed.and_then(|kind| kind.symbol.as_ref()));
        let emblem = match (look.pictures.get(&spec.id), Plan::printed(catalog, design), look.symbol(named)) {
            (Some(picture), ..) => Emblem::Picture(Arc::clone(picture)),
            (None, Some(plan), _) => Emblem::Tile(emblem::tile(&plan, look)),
            (None, None, Some(path)) => Emblem::Symbol(path.to_owned()),
            (None, None, None) => Emblem::Arms,
        };
        Face {
            id: spec.id.clone(),
            title,
            card_type: type_name(words, id),
            text: text.unwrap_or_default(),
            flavor: words.message_lines(&format!("card.{}.flavor", spec.id), &[], None).unwrap_or_default(),
            facts: facts.iter().map(Fact::label).collect(),
            copies: spec.copies,
            color: color_of(packs, design),
            size: typed.map(|kind| kind.size).unwrap_or_default(),
            shown: facts.into_iter().filter_map(|fact| Shown::of(look, fact)).collect(),
            emblem,
            frame: typed.map(|kind| kind.frame).unwrap_or_default(),
        }
    }

    /// Draws the face.
    pub fn draw(&self) -> String {
        let mut svg = Svg::default();
        self.ground(&mut svg);
        self.head(&mut svg);
        self.emblem(&mut svg);
        self.text(&mut svg);
        self.foot(&mut svg);
        svg.finish((0.0, 0.0, SIZE.0, SIZE.1), "card", &format!("{}. {}", self.title, self.text))
    }

    fn head(&self, svg: &mut Svg) {
        let middle = SIZE.0 / 2.0;
        let room = SIZE.0 - 2.0 * INSET;
        let size = (room / (width(&self.title) * 1.06).max(1.0)).clamp(12.5, 19.0);
        let title = fit(&self.title, room / size / 1.06 + 0.3);
        let place = attrs![
            "x" = middle,
            "y" = 37.0,
            "font-size" = size,
            "text-anchor" = "middle",
            "font-weight" = "700",
            "class" = "ink title",
        ];
        svg.write("text", place, &title);
        svg.put(
            "path",
            attrs![
                "d" = &format!("M{INSET} 48H{}M{} 48H{}", middle - 9.0, middle + 9.0, SIZE.0 - INSET),
                "class" = "rule",
                "stroke-width" = 0.9
            ],
        );
        svg.put(
            "path",
            attrs!["d" = &polygon(&crate::geometry::regular((middle, 48.0), 4.0, 4, 0.0)), "class" = "gilt"],
        );
        let copies = if self.copies > 1 { format!("  ×{}", self.copies) } else { String::new() };
        let place =
            attrs!["x" = middle, "y" = 63.0, "font-size" = 9.5, "text-anchor" = "middle", "class" = "quiet caps",];
        svg.write("text", place, &format!("{}{copies}", self.card_type.to_uppercase()));
    }

    /// Draws the text and the flavor.
    fn text(&self, svg: &mut Svg) {
        let room = SIZE.0 - 2.0 * INSET;
        let foot = self.foot_top() - 6.0;
        let mut size = 16.5;
        let flavor = |size: f64| wrap(&self.flavor, room / (size * 0.78));
        let high = |size: f64, lines: usize, flavor: usize| {
            let more = if flavor > 0 { 8.0 + flavor as f64 * size * 0.95 } else { 0.0 };
            size * 1.24 * lines as f64 + more
        };
        let mut lines = wrap(&self.text, room / size);
        while size > 8.5 && TEXT + high(size, lines.len(), flavor(size).len()) > foot {
            size -= 0.5;
            lines = wrap(&self.text, room / size);
        }
        let flavor_lines = flavor(size);
        let spare = foot - TEXT - high(size, lines.len(), flavor_lines.len());
        let mut y = TEXT + size * 0.85 + (spare / 2.0).clamp(0.0, 40.0);
        for line in &lines {
            let place =
                attrs!["x" = SIZE.0 / 2.0, "y" = y, "font-size" = size, "text-anchor" = "middle", "class" = "ink",];
            svg.open("text", place);
            for (is_number, part) in numbers(line) {
                match is_number {
                    true => svg.write("tspan", attrs!["font-weight" = "700", "class" = "number"], part),
                    false => svg.write("tspan", &[], part),
                }
            }
            svg.close("text");
            y += size * 1.24;
        }
        y += 8.0 - size * 0.2;
        for line in flavor_lines {
            let place = attrs![
                "x" = SIZE.0 / 2.0,
                "y" = y,
                "font-size" = size * 0.74,
                "text-anchor" = "middle",
                "font-style" = "italic",
                "class" = "quiet",
            ];
            svg.write("text", place, &line);
            y += size * 0.95;
        }
    }

    /// The props in as many columns as fit.
    fn columns(&self) -> Vec<&[Shown]> {
        self.shown.chunks(if self.shown.len() == 4 { 2 } else { 3 }).collect()
    }

    fn foot_top(&self) -> f64 {
        SIZE.1 - EDGE - 7.0 - FACTS * self.columns().len() as f64
    }

    fn foot(&self, svg: &mut Svg) {
        let rows = self.columns();
        let mut top = self.foot_top();
        if !rows.is_empty() {
            let path = format!("M{INSET} {}H{}", top - 3.0, SIZE.0 - INSET);
            svg.put("path", attrs!["d" = &path, "class" = "rule", "stroke-width" = 0.9]);
        }
        for row in rows {
            let room = (SIZE.0 - 2.0 * INSET + 8.0) / row.len() as f64;
            for (column, shown) in row.iter().enumerate() {
                let x = INSET - 4.0 + room * (column as f64 + 0.5);
                shown.draw(svg, (x, top), room - 6.0);
            }
            top += FACTS;
        }
    }
}

impl Shown {
    fn of(look: &Looks, fact: Fact) -> Option<Shown> {
        let own = look.props.get(&fact.key);
        let is_color_only = own.is_none() && fact.word.as_deref().is_some_and(is_color);
        if own.is_some_and(|own| !own.show) || is_color_only {
            return None;
        }
        let value = fact.word.clone().or_else(|| fact.value.clone()).unwrap_or_default();
        let emblem = own.and_then(|own| own.values.get(&value));
        let path = emblem.and_then(|emblem| look.symbol(emblem.symbol.as_ref()));
        let color = emblem.and_then(|emblem| emblem.color.as_ref()).map(|color| color.0.clone());
        Some(Shown { name: fact.name, value: fact.value, symbol: path.map(|path| (path.to_owned(), color)) })
    }

    fn draw(&self, svg: &mut Svg, (x, top): (f64, f64), room: f64) {
        let line = |svg: &mut Svg, x: f64, y: f64, size: f64, class: &str, text: &str, room: f64| {
            let size = (room / width(text).max(1.0)).clamp(6.6, size);
            let text = fit(text, room / size + 0.3);
            let place = attrs!["x" = x, "y" = y, "font-size" = size, "text-anchor" = "middle", "class" = class];
            svg.write("text", place, &text);
        };
        let Some(value) = &self.value else {
            return line(svg, x, top + 15.0, 11.5, "ink", &self.name, room);
        };
        line(svg, x, top + 8.0, 8.0, "quiet", &self.name, room);
        let Some((path, color)) = &self.symbol else {
            return line(svg, x, top + 20.0, 11.5, "ink", value, room);
        };
        let size = ((room - 16.0) / width(value).max(1.0)).clamp(6.6, 11.5);
        let wide = (width(value) * size).min(room - 16.0);
        let paint = color.as_ref().map_or(Paint::Class("quiet"), |color| Paint::Fill(color));
        symbol(svg, path, (x - wide / 2.0 - 1.0, top + 16.5), 13.0, paint);
        line(svg, x + 8.0, top + 20.0, 11.5, "ink", value, room - 16.0);
    }
}

/// The color of a design: its own, or that of its faction, of a property or of its type.
fn color_of(packs: &OpenPacks, design: DesignId) -> String {
    let (catalog, look) = (&packs.catalog, &*packs.loaded.look);
    let spec = &catalog.designs[design.index()];
    let faction = spec.faction.map(|faction| &catalog.factions[faction.index()]);
    let card_type = catalog.symbols.name(spec.card_type.index());
    let named = |color: Option<&Color>| color.map(|color| color.0.clone());
    named(look.cards.get(&spec.id).and_then(|card| card.color.as_ref()))
        .or_else(|| faction.map(|faction| faction_color(look, &faction.id, &faction.color)))
        .or_else(|| own_color(packs, design))
        .or_else(|| named(look.types.get(card_type).and_then(|kind| kind.color.as_ref())))
        .unwrap_or_else(|| tint(card_type))
}

/// The color that a prop of a design names.
fn own_color(packs: &OpenPacks, design: DesignId) -> Option<String> {
    let catalog = &packs.catalog;
    let named = |value: &Value| match value {
        Value::Symbol(word) => Some(catalog.symbols.name(word.index())).filter(|word| is_color(word)),
        _ => None,
    };
    catalog.designs[design.index()].props.0.iter().find_map(|(_, value)| named(value)).map(color)
}

/// What a card type is called.
fn type_name(words: &Words, id: &str) -> String {
    if words.is_named("type", id) { words.named("type", id) } else { humanize(id) }
}

/// Splits a line into numbers and the text between them.
fn numbers(line: &str) -> Vec<(bool, &str)> {
    let mut parts = Vec::new();
    let mut from = 0;
    let letters: Vec<(usize, char)> = line.char_indices().collect();
    for pair in letters.windows(2) {
        let [(_, before), (at, after)] = pair else { continue };
        if before.is_ascii_digit() != after.is_ascii_digit() {
            parts.push((before.is_ascii_digit(), &line[from..*at]));
            from = *at;
        }
    }
    if let Some((_, last)) = letters.last() {
        parts.push((last.is_ascii_digit(), &line[from..]));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_emphasized() {
        assert_eq!(numbers("Gain 12 gold."), [(false, "Gain "), (true, "12"), (false, " gold.")]);
        assert_eq!(numbers(""), []);
    }

    #[test]
    fn a_long_text_stays_on_its_card() {
        let shown = Shown { name: "Price".to_owned(), value: Some("3".to_owned()), symbol: None };
        let face = Face {
            id: "x".to_owned(),
            title: "A title that is much too long for the head of any card".to_owned(),
            card_type: "Event".to_owned(),
            text: "word ".repeat(60),
            flavor: "flavor ".repeat(20),
            facts: vec!["Price: 3".to_owned()],
            copies: 2,
            color: "#123456".to_owned(),
            size: CardSize::Poker,
            shown: vec![shown],
            emblem: Emblem::Arms,
            frame: CardFrame::Plain,
        };
        let svg = face.draw();
        let lowest = svg.split(" y=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
        assert!(lowest.fold(0.0, f64::max) <= SIZE.1, "{svg}");
        assert!(svg.contains('…'));
    }
}
