//! Draws the face and the back of a card: emblem with badges, ribbon, title, text with emphasized numbers, and props.
//!
//! Only the color of the edge reaches the cutting line, so that prints can bleed.

mod back;
mod emblem;
mod face;
mod ground;
mod heap;
mod layout;
mod prop;
mod small;

pub use self::back::Back;
pub use self::face::{Face, SIZE};

use self::face::Emblem;
use self::layout::Layout;
use self::prop::Arranged;
use crate::svg::Svg;

impl Face {
    /// Draws the face.
    pub fn draw(&self) -> String {
        let mut svg = Svg::default();
        let layout = Layout::of(self);
        self.ground(&mut svg);
        self.emblem(&mut svg, layout.art);
        layout.draw(&mut svg);
        svg.finish((0.0, 0.0, SIZE.0, SIZE.1), "card", &self.told())
    }

    /// Whether the card has a symbol, a picture or a plan of its own, and not arms that are derived from its id.
    pub fn has_emblem(&self) -> bool {
        !matches!(self.emblem, Emblem::Arms)
    }

    /// Whether two cards have the same emblem and the same badges, which makes them look alike from afar.
    pub fn is_like(&self, other: &Face) -> bool {
        let badges = |face| Arranged::of(face).corners.iter().map(|corner| corner.label.clone()).collect::<Vec<_>>();
        self.has_emblem() && self.emblem == other.emblem && badges(self) == badges(other)
    }
}

#[cfg(test)]
mod tests {
    use super::face::Shown;
    use super::*;
    use principes_schemas::{CardFrame, CardGround, CardSize, PropPlace};

    fn shown(place: PropPlace, value: &str) -> Shown {
        let label = format!("Price: {value}");
        Shown { name: "Price".to_owned(), label, value: Some(value.to_owned()), symbol: None, is_general: true, place }
    }

    fn face() -> Face {
        Face {
            id: "x".to_owned(),
            title: "Toll".to_owned(),
            card_type: "Event".to_owned(),
            text: "Pay 2 gold.".to_owned(),
            flavor: String::new(),
            facts: vec!["Price: 3".to_owned()],
            copies: 2,
            color: "#123456".to_owned(),
            size: CardSize::Poker,
            shown: Vec::new(),
            emblem: Emblem::Symbol("M2 2h20v20z".to_owned()),
            frame: CardFrame::Plain,
            pattern: CardGround::Rays,
        }
    }

    #[test]
    fn a_long_text_stays_on_its_card() {
        let long = Face {
            title: "A title that is much too long for the head of any card, even in two lines of it".to_owned(),
            text: "word ".repeat(60),
            flavor: "flavor ".repeat(20),
            shown: vec![shown(PropPlace::Below, "3")],
            ..face()
        };
        let svg = long.draw();
        let lowest = svg.split(" y=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
        assert!(lowest.fold(0.0, f64::max) <= SIZE.1, "{svg}");
        assert!(svg.contains('…'));
    }

    /// The size of the element of text with these letters.
    fn size_of(svg: &str, text: &str) -> f64 {
        let before = svg.split(text).next().unwrap_or_default();
        let size = before.rsplit("font-size=\"").next().and_then(|rest| rest.split('"').next());
        size.and_then(|size| size.parse().ok()).unwrap_or_else(|| panic!("{text}: {svg}"))
    }

    #[test]
    fn a_symbol_is_large_and_texts_are_legible() {
        let svg = Face { shown: vec![shown(PropPlace::Below, "3")], ..face() }.draw();
        let symbol = format!("scale({:.4})", 0.42 * SIZE.0 / 24.0);
        assert!(svg.contains(&symbol), "{symbol}: {svg}");
        assert!((21.0..=23.0).contains(&size_of(&svg, ">Toll<")), "{svg}");
        // A card is 63 mm wide, and a point is 25.4 / 72 mm.
        let points = |units: f64| units * 63.0 / SIZE.0 / (25.4 / 72.0);
        for text in [">Pay ", ">Price<", ">Event<"] {
            assert!(points(size_of(&svg, text)) >= 9.0, "{text}: {svg}");
        }
    }

    #[test]
    fn props_are_in_their_places() {
        let y = |svg: &str, text: &str| {
            let before = svg.split(text).next().unwrap_or_default();
            let y = before.rsplit(" y=\"").next().and_then(|rest| rest.split('"').next());
            y.and_then(|y| y.parse::<f64>().ok()).unwrap_or_else(|| panic!("{text}: {svg}"))
        };
        let at = |place| {
            let svg = Face { shown: vec![shown(place, "37")], ..face() }.draw();
            (y(&svg, ">37<"), y(&svg, ">Toll<"), svg.contains(">Price<"))
        };
        let (corner, title, is_named) = at(PropPlace::Corner);
        assert!(corner < 60.0 && corner < title && !is_named);
        let (ribbon, title, is_named) = at(PropPlace::Ribbon);
        assert!(ribbon > 100.0 && ribbon < title && !is_named);
        let (figure, title, _) = at(PropPlace::Figure);
        let (foot, _, is_named) = at(PropPlace::Foot);
        assert!(figure > title && foot > figure && !is_named);
        let (below, title, is_named) = at(PropPlace::Below);
        assert!(below > title && is_named);
        // What does not fit into a badge is shown with its name.
        let svg = Face { shown: vec![shown(PropPlace::Corner, "thirty-seven")], ..face() }.draw();
        assert!(y(&svg, ">thirty-seven<") > y(&svg, ">Toll<"), "{svg}");
    }
}
