//! The face of a card: title, type, emblem, text with its numbers set off, and what else the card says.

use principes_app::entity::face;
use principes_app::packs::OpenPacks;
use principes_app::props;
use principes_app::words::{Words, humanize};
use principes_core::{DesignId, Value};

use crate::geometry::{Point, regular};
use crate::piece::polygon;
use crate::svg::Svg;
use crate::text::{fit, width, wrap};
use crate::theme::{color, hash, ink_on, is_color, tint};

/// Width and height of a card: those of a poker card.
pub const SIZE: (f64, f64) = (250.0, 350.0);
/// From the edge to the text.
const EDGE: f64 = 18.0;
/// Where the text begins.
const TEXT: f64 = 188.0;

/// What stands on a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// Id of the design.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What type of card it is.
    pub card_type: String,
    /// The text with its numbers.
    pub text: String,
    /// Words that change nothing.
    pub flavor: String,
    /// Properties, each in words.
    pub facts: Vec<String>,
    /// How many copies there are.
    pub copies: u16,
    /// The color of its head, such as `#c8352b`.
    pub color: String,
}

impl Face {
    /// The face of a design in the language of some words.
    pub fn of(packs: &OpenPacks, words: &Words, design: DesignId) -> Face {
        let catalog = &packs.catalog;
        let spec = &catalog.designs[design.index()];
        let id = catalog.symbols.name(spec.card_type.index());
        let entity = packs.loaded.entities.iter().find(|entity| entity.family.key() == "cards" && entity.id == spec.id);
        let (title, text) = entity.map_or_else(|| (spec.id.clone(), None), |entity| face(packs, words, entity));
        let named = |value: &Value| match value {
            Value::Symbol(word) => Some(catalog.symbols.name(word.index())).filter(|word| is_color(word)),
            _ => None,
        };
        let own = spec.props.0.iter().find_map(|(_, value)| named(value));
        Face {
            id: spec.id.clone(),
            title,
            card_type: if words.is_named("type", id) { words.named("type", id) } else { humanize(id) },
            text: text.unwrap_or_default(),
            flavor: words.message(&format!("card.{}.flavor", spec.id), &[], None).unwrap_or_default(),
            facts: entity.map(|entity| props::told(packs, words, entity)).unwrap_or_default(),
            copies: spec.copies,
            color: match (spec.faction, own) {
                (Some(faction), _) => color(&catalog.factions[faction.index()].color),
                (None, Some(word)) => color(word),
                (None, None) => tint(id),
            },
        }
    }

    /// Draws it.
    pub fn draw(&self) -> String {
        let (wide, high) = SIZE;
        let mut svg = Svg::default();
        svg.put(
            "rect",
            &[("width", wide.into()), ("height", high.into()), ("rx", 14.0.into()), ("class", "card".into())],
        );
        self.head(&mut svg);
        self.emblem(&mut svg, (wide / 2.0, 116.0));
        self.text(&mut svg);
        self.foot(&mut svg);
        let frame = [
            ("x", 1.0.into()),
            ("y", 1.0.into()),
            ("width", (wide - 2.0).into()),
            ("height", (high - 2.0).into()),
            ("rx", 13.0.into()),
        ];
        let [x, y, w, h, round] = frame;
        svg.put("rect", &[x, y, w, h, round, ("class", "border".into()), ("stroke-width", 2.0.into())]);
        svg.finish((0.0, 0.0, wide, high), "card", &format!("{}. {}", self.title, self.text))
    }

    fn head(&self, svg: &mut Svg) {
        let (wide, _) = SIZE;
        let path = format!("M0 50V14A14 14 0 0 1 14 0H{}A14 14 0 0 1 {wide} 14V50Z", wide - 14.0);
        svg.put("path", &[("d", (&path).into()), ("fill", (&self.color).into())]);
        let room = wide - 2.0 * EDGE;
        let size = (room / width(&self.title).max(1.0)).clamp(13.0, 19.0);
        let title = fit(&self.title, room / size + 0.3);
        let ink = ink_on(&self.color);
        let place = [
            ("x", (wide / 2.0).into()),
            ("y", 32.0.into()),
            ("font-size", size.into()),
            ("text-anchor", "middle".into()),
        ];
        let [x, y, size, anchor] = place;
        svg.write("text", &[x, y, size, anchor, ("font-weight", "700".into()), ("fill", ink.into())], &title);
        let kind = [("x", EDGE.into()), ("y", 67.0.into()), ("font-size", 10.5.into()), ("class", "quiet sans".into())];
        svg.write("text", &kind, &self.card_type);
        if self.copies > 1 {
            let count = [
                ("x", (wide - EDGE).into()),
                ("y", 67.0.into()),
                ("font-size", 10.5.into()),
                ("text-anchor", "end".into()),
                ("class", "quiet sans".into()),
            ];
            svg.write("text", &count, &format!("×{}", self.copies));
        }
    }

    /// Arms that are the same for a card everywhere: a shield with a division and a charge.
    fn emblem(&self, svg: &mut Svg, heart: Point) {
        let (wide, _) = SIZE;
        let plate = [
            ("x", EDGE.into()),
            ("y", 74.0.into()),
            ("width", (wide - 2.0 * EDGE).into()),
            ("height", 88.0.into()),
            ("rx", 6.0.into()),
        ];
        let [x, y, w, h, round] = plate;
        svg.put("rect", &[x, y, w, h, round, ("fill", (&self.color).into()), ("fill-opacity", "0.16".into())]);
        let seed = hash(&self.id);
        let (cx, cy) = heart;
        let shield = format!("M{} {}h60v30c0 22 -14 34 -30 42c-16 -8 -30 -20 -30 -42Z", cx - 30.0, cy - 37.0);
        svg.put("path", &[("d", (&shield).into()), ("fill", field(&self.color).into())]);
        let (left, top) = (cx - 30.0, cy - 37.0);
        // Each lies inside the shield.
        let division = match seed % 7 {
            0 => format!("M{left} {top}h30v70c-16 -8 -30 -18 -30 -40Z"),
            1 => format!("M{left} {top}h60v22h-60Z"),
            2 => format!("M{left} {}l30 -22l30 22v16l-30 -22l-30 22Z", top + 44.0),
            3 => format!("M{} {top}h16v24h22v16h-22v30l-8 2l-8 -2v-30h-22v-16h22Z", cx - 8.0),
            4 => format!("M{left} {top}h16l44 44l-4 12l-6 6l-50 -50Z"),
            5 => format!("M{left} {}h60v12h-60ZM{left} {}h56l-6 10h-43Z", top + 18.0, top + 42.0),
            _ => format!("M{left} {top}h30v32h-30ZM{cx} {}h29c-2 20 -14 30 -29 38Z", top + 32.0),
        };
        svg.put("path", &[("d", (&division).into()), ("fill", (&self.color).into())]);
        let at = (cx, cy - 5.0);
        let charge = match seed / 7 % 6 {
            0 => polygon(&regular(at, 12.0, 4, 0.0)),
            1 => star(at, 14.0, 5),
            2 => star(at, 14.0, 8),
            3 => polygon(&regular(at, 12.0, 6, 0.0)),
            4 => polygon(&regular(at, 13.0, 3, -std::f64::consts::FRAC_PI_2)),
            _ => star(at, 14.0, 4),
        };
        let paint = [("fill", "#e2b33c".into()), ("stroke", "#2a241b".into()), ("stroke-width", 1.3.into())];
        let [fill, stroke, thick] = paint;
        svg.put("path", &[("d", (&charge).into()), fill, stroke, thick]);
        svg.put(
            "path",
            &[
                ("d", (&shield).into()),
                ("fill", "none".into()),
                ("stroke", "#2a241b".into()),
                ("stroke-width", 2.0.into()),
            ],
        );
    }

    /// The text and the flavor.
    fn text(&self, svg: &mut Svg) {
        let (wide, high) = SIZE;
        let room = wide - 2.0 * EDGE;
        let foot = high - 14.0 - 13.0 * self.footnotes().len() as f64;
        let mut size = 17.0;
        let mut lines = wrap(&self.text, room / size);
        while size > 9.0 && TEXT + size * 1.28 * lines.len() as f64 > foot {
            size -= 0.5;
            lines = wrap(&self.text, room / size);
        }
        let mut y = TEXT;
        for line in &lines {
            svg.open(
                "text",
                &[("x", EDGE.into()), ("y", y.into()), ("font-size", size.into()), ("class", "ink".into())],
            );
            for (is_number, part) in numbers(line) {
                let weight = if is_number { "700" } else { "400" };
                svg.write("tspan", &[("font-weight", weight.into())], part);
            }
            svg.close("text");
            y += size * 1.28;
        }
        for line in wrap(&self.flavor, room / 11.5) {
            if y + 8.0 > foot {
                break;
            }
            svg.write(
                "text",
                &[
                    ("x", EDGE.into()),
                    ("y", (y + 4.0).into()),
                    ("font-size", 11.5.into()),
                    ("font-style", "italic".into()),
                    ("class", "quiet".into()),
                ],
                &line,
            );
            y += 14.0;
        }
    }

    fn footnotes(&self) -> Vec<String> {
        wrap(&self.facts.join(" · "), (SIZE.0 - 2.0 * EDGE) / 10.5)
    }

    fn foot(&self, svg: &mut Svg) {
        let lines = self.footnotes();
        let (wide, high) = SIZE;
        let top = high - 10.0 - 13.0 * lines.len() as f64;
        if !lines.is_empty() {
            let path = format!("M{EDGE} {}H{}", top - 6.0, wide - EDGE);
            svg.put(
                "path",
                &[("d", (&path).into()), ("class", "line quiet-line".into()), ("stroke-width", 1.0.into())],
            );
        }
        for (down, line) in lines.iter().enumerate() {
            let y = top + 8.0 + 13.0 * down as f64;
            svg.write(
                "text",
                &[("x", EDGE.into()), ("y", y.into()), ("font-size", 10.5.into()), ("class", "quiet sans".into())],
                line,
            );
        }
    }
}

/// The metal behind the color of a shield: dark behind a color that is nearly white.
fn field(color: &str) -> &'static str {
    let is_pale = [1, 3, 5].iter().all(|at| color.get(*at..at + 2).is_some_and(|part| part > "b0"));
    if is_pale { "#857a66" } else { "#fbf7ec" }
}

fn star(at: Point, radius: f64, points: usize) -> String {
    let outer = regular(at, radius, points, -std::f64::consts::FRAC_PI_2);
    let turn = std::f64::consts::PI / points as f64 - std::f64::consts::FRAC_PI_2;
    let inner = regular(at, radius * 0.48, points, turn);
    let corners: Vec<Point> = outer.into_iter().zip(inner).flat_map(|(outer, inner)| [outer, inner]).collect();
    polygon(&corners)
}

/// A line in parts, and whether each is a number.
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
    fn numbers_are_set_off() {
        assert_eq!(numbers("Gain 12 gold."), [(false, "Gain "), (true, "12"), (false, " gold.")]);
        assert_eq!(numbers(""), []);
    }

    #[test]
    fn a_long_text_stays_on_its_card() {
        let face = Face {
            id: "x".to_owned(),
            title: "A title that is much too long for the head of any card".to_owned(),
            card_type: "Event".to_owned(),
            text: "word ".repeat(60),
            flavor: String::new(),
            facts: vec!["Price: 3".to_owned()],
            copies: 2,
            color: "#123456".to_owned(),
        };
        let svg = face.draw();
        let lowest = svg.split(" y=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
        assert!(lowest.fold(0.0, f64::max) <= SIZE.1, "{svg}");
        assert!(svg.contains('…'));
    }
}
