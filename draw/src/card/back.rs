//! The back of a card: the same for all cards of its deck, so that nobody can tell them apart.

use principes_app::packs::OpenPacks;
use principes_app::words::Words;
use principes_core::catalog::Visible;
use principes_core::{Catalog, DesignId, Value};

use principes_schemas::CardGround;

use super::face::{EDGE, SIZE, color_of, type_name};
use super::ground;
use crate::geometry::{Frame, Point};
use crate::look::{Paint, symbol, symbol_of};
use crate::svg::{Svg, attrs};
use crate::text::{fit, width};
use crate::theme::{ink_on, is_pale, mix, tint};

/// What stands on the back of a card.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Back {
    /// What the deck is called.
    pub title: String,
    /// The color of its ground, such as `#c8352b`.
    pub color: String,
    /// The path of its symbol.
    pub(super) symbol: Option<String>,
    pub(super) pattern: CardGround,
}

impl Back {
    /// The back of a design. Cards that lie hidden in one zone when the game begins have the same.
    pub fn of(packs: &OpenPacks, words: &Words, design: DesignId) -> Back {
        let (catalog, look) = (&packs.catalog, &*packs.loaded.look);
        let spec = &catalog.designs[design.index()];
        let deck = deck_of(catalog, design);
        let zone = catalog.zone_list[spec.start.index()].0;
        let zone_id = &catalog.zones[zone.index()].id;
        let card_type = catalog.symbols.name(spec.card_type.index());
        let is_one_type = deck.iter().all(|other| catalog.designs[other.index()].card_type == spec.card_type);
        let (own, typed) = (look.zones.get(zone_id), look.types.get(card_type).filter(|_| is_one_type));
        let color = own.and_then(|zone| zone.color.as_ref()).map(|color| color.0.clone()).unwrap_or_else(|| {
            let first = color_of(packs, design);
            let is_one_color = deck.iter().all(|other| color_of(packs, *other) == first);
            let typed = typed.and_then(|kind| kind.color.as_ref()).map(|color| color.0.clone());
            if is_one_color { first } else { typed.unwrap_or_else(|| tint(zone_id)) }
        });
        let path = symbol_of(look, own).or_else(|| look.symbol(typed.and_then(|kind| kind.symbol.as_ref())));
        Back {
            title: if is_one_type { type_name(words, card_type) } else { words.value(Value::Zone(zone), None) },
            color: if is_pale(&color) { mix(&color, "#6b604d", 0.5) } else { color },
            symbol: path.map(str::to_owned),
            pattern: typed.map(|kind| kind.ground).unwrap_or_default(),
        }
    }

    /// An `<svg>` element of the size of a card.
    pub fn draw(&self) -> String {
        let (wide, high) = SIZE;
        let ground = &self.color;
        let mut svg = Svg::default();
        svg.put("rect", attrs!["width" = wide, "height" = high, "rx" = 14.0, "fill" = ground]);
        let area = Frame { left: EDGE, top: EDGE, right: wide - EDGE, low: high - EDGE };
        ground::draw(&mut svg, self.pattern, area, (wide / 2.0, high * 0.44));
        let size = [("width", (wide - 2.0 * EDGE).into()), ("height", (high - 2.0 * EDGE).into())];
        let [w, h] = size;
        let line = [("fill", "none".into()), ("stroke", self.light().into()), ("stroke-width", 2.2.into())];
        let [fill, stroke, thick] = line;
        svg.put("rect", &[("x", EDGE.into()), ("y", EDGE.into()), w, h, ("rx", 9.0.into()), fill, stroke, thick]);
        self.medallion(&mut svg, (wide / 2.0, high * 0.44));
        svg.finish((0.0, 0.0, wide, high), "card", &self.title)
    }

    /// Draws what is in its middle, without a ground: tiles of any shape have their own.
    pub fn draw_middle(&self) -> String {
        let side = SIZE.0;
        let mut svg = Svg::default();
        self.medallion(&mut svg, (side / 2.0, side / 2.0));
        svg.finish((0.0, 0.0, side, side), "card", &self.title)
    }

    /// The color of lines, symbol and title.
    fn light(&self) -> &'static str {
        if ink_on(&self.color) == "#ffffff" { "#f6e9c8" } else { ink_on(&self.color) }
    }

    fn medallion(&self, svg: &mut Svg, heart: Point) {
        let light = self.light();
        if let Some(path) = &self.symbol {
            let line = [("stroke", light.into()), ("stroke-width", 2.6.into())];
            let [stroke, thick] = line;
            let place = [("cx", heart.0.into()), ("cy", heart.1.into()), ("r", 66.0.into())];
            let [x, y, r] = place;
            svg.put("circle", &[x, y, r, ("fill", (&self.color).into()), stroke, thick]);
            symbol(svg, path, heart, 80.0, Paint::Fill(light));
        }
        let size = (200.0 / width(&self.title).max(1.0)).clamp(12.0, 24.0);
        let place = attrs![
            "x" = heart.0,
            "y" = heart.1 + if self.symbol.is_some() { 66.0 + size * 1.5 } else { size * 0.33 },
            "font-size" = size,
            "text-anchor" = "middle",
            "font-weight" = "700",
            "class" = "title",
            "fill" = light,
        ];
        svg.write("text", place, &fit(&self.title, 210.0 / size));
    }
}

/// The designs whose backs are the same as that of a design, in order: those that lie in the same zone when the game
/// begins and, if everybody sees them there, are of the same type.
fn deck_of(catalog: &Catalog, design: DesignId) -> Vec<DesignId> {
    let spec = &catalog.designs[design.index()];
    let zone = &catalog.zones[catalog.zone_list[spec.start.index()].0.index()];
    let is_open = zone.visible == Visible::Everyone;
    let is_like = |other: &DesignId| {
        let other = &catalog.designs[other.index()];
        other.start == spec.start && (!is_open || other.card_type == spec.card_type)
    };
    (0..catalog.designs.len()).map(DesignId::at).filter(is_like).collect()
}
