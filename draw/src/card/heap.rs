//! Draws cards that lie face down: a deck, and a hand of another seat.

use principes_app::packs::OpenPacks;
use principes_app::words::Words;
use principes_core::{DesignId, Value};

use principes_schemas::CardGround;

use super::back::Back;
use crate::look::{count, on, symbol, symbol_of};
use crate::svg::{Svg, attrs, number};
use crate::theme::{mix, tint};

/// The width and height of a card in these drawings.
const CARD: (f64, f64) = (50.0, 70.0);
/// The most cards that are drawn one by one.
const MOST: usize = 7;
/// The angle between two cards of a hand, in degrees.
const SPREAD: f64 = 9.0;

impl Back {
    /// What cards show that lie hidden in a zone: the back of its deck or, if none begins there, one of the zone.
    pub fn of_zone(packs: &OpenPacks, words: &Words, id: &str) -> Option<Back> {
        let (catalog, look) = (&packs.catalog, &*packs.loaded.look);
        let zone = catalog.zone(id)?;
        let starts = |design: &DesignId| catalog.zone_list[catalog.designs[design.index()].start.index()].0 == zone;
        if let Some(design) = (0..catalog.designs.len()).map(DesignId::at).find(starts) {
            return Some(Back::of(packs, words, design));
        }
        let own = look.zones.get(id);
        let color = own.and_then(|zone| zone.color.as_ref()).map_or_else(|| tint(id), |color| color.0.clone());
        let symbol = symbol_of(look, own).map(str::to_owned);
        let title = words.value(Value::Zone(zone), None);
        Some(Back { title, color, symbol, pattern: CardGround::default() })
    }

    /// Draws a deck: cards on each other, and their number.
    pub fn draw_stack(&self, cards: usize) -> String {
        let mut svg = Svg::default();
        let under = cards.saturating_sub(1).min(3);
        for down in (0..=under).rev() {
            let shift = 2.2 * down as f64;
            self.small(&mut svg, &format!("translate({} {})", number(shift), number(shift)), down == 0);
        }
        let (wide, high) = (CARD.0 + 12.0, CARD.1 + 12.0);
        count(&mut svg, (CARD.0 - 5.0, CARD.1 - 5.0), 13.0, &cards.to_string());
        svg.finish((-2.0, -2.0, wide, high), "heap", &format!("{}: {cards}", self.title))
    }

    /// Draws a hand: a fan of cards, and their number.
    pub fn draw_fan(&self, cards: usize) -> String {
        let mut svg = Svg::default();
        let shown = cards.min(MOST);
        for at in 0..shown {
            let turn = SPREAD * (at as f64 - (shown as f64 - 1.0) / 2.0);
            let place = format!("translate(45 12) rotate({turn:.1} {} {})", CARD.0 / 2.0, CARD.1 * 1.8);
            self.small(&mut svg, &place, at + 1 == shown);
        }
        count(&mut svg, (45.0 + CARD.0 / 2.0, CARD.1), 19.0, &cards.to_string());
        svg.finish((0.0, 0.0, 140.0, CARD.1 + 22.0), "heap", &format!("{}: {cards}", self.title))
    }

    /// One small card. Only the top card of a heap needs to be drawn in full.
    fn small(&self, svg: &mut Svg, place: &str, is_top: bool) {
        let (wide, high) = CARD;
        let ground = &self.color;
        let (light, dark) = (mix(ground, "#ffffff", 0.4), mix(ground, "#000000", 0.4));
        svg.open("g", attrs!["transform" = place]);
        let size = attrs![
            "width" = wide,
            "height" = high,
            "rx" = 4.5,
            "fill" = ground,
            "stroke" = &dark,
            "stroke-width" = 1.2
        ];
        svg.put("rect", size);
        if !is_top {
            return svg.close("g");
        }
        let line = attrs![
            "x" = 4.0,
            "y" = 4.0,
            "width" = wide - 8.0,
            "height" = high - 8.0,
            "rx" = 2.5,
            "fill" = "none",
            "stroke" = &light,
            "stroke-width" = 0.9,
        ];
        svg.put("rect", line);
        let heart = (wide / 2.0, high / 2.0);
        match &self.symbol {
            Some(path) => symbol(svg, path, heart, wide * 0.62, on(ground)),
            None => svg.put(
                "circle",
                attrs!["cx" = heart.0, "cy" = heart.1, "r" = wide * 0.2, "fill" = &light, "fill-opacity" = "0.8"],
            ),
        }
        svg.close("g");
    }
}
