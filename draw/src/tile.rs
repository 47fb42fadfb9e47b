//! Draws tiles: cells with paths from side to side.

use std::f64::consts::PI;

use principes_app::board::TileOnBoard;
use principes_core::{Catalog, DesignId};
use principes_model::Looks;

use crate::geometry::{Point, between, regular};
use crate::look::{Paint, symbol};
use crate::piece::polygon;
use crate::svg::{Svg, attrs, number};
use crate::theme::{BADGE, ink_on};

/// The default colors of networks, by index.
const WAYS: [&str; 4] = ["#c79a55", "#4f8fb5", "#8a8f5a", "#9a6f8f"];

/// How large tiles are drawn that are drawn alone, from side to side.
const ALONE: f64 = 100.0;

/// Draws the symbol of a tile in its middle, in a frame of its own, because it lies on the paths.
fn sign_of(svg: &mut Svg, path: &str, heart: Point, step: f64) {
    let side = step * 0.4;
    let place = attrs![
        "x" = heart.0 - side / 2.0,
        "y" = heart.1 - side / 2.0,
        "width" = side,
        "height" = side,
        "rx" = side * 0.18,
        "fill" = BADGE.0,
        "stroke" = BADGE.1,
        "stroke-width" = step * 0.022,
    ];
    svg.put("rect", place);
    symbol(svg, path, heart, side * 0.84, Paint::Fill(BADGE.1));
}

/// The plan of a tile.
pub struct Plan {
    /// The network of each side, by index and keyword.
    networks: Vec<Option<(usize, String)>>,
    /// The sign at each side, if signs tell more than networks do.
    signs: Vec<Option<char>>,
    /// Sides that are joined inside the tile.
    groups: Vec<Vec<usize>>,
    /// The id of its design.
    design: String,
}

impl Plan {
    /// The plan of a laid tile.
    pub fn laid(catalog: &Catalog, tile: &TileOnBoard) -> Plan {
        Plan::of(catalog, &tile.edges, &tile.links, &tile.id)
    }

    /// The plan of a tile as printed; `None` if the design is not a tile.
    pub fn printed(catalog: &Catalog, design: DesignId) -> Option<Plan> {
        let rule = catalog.tiles.as_deref()?;
        let tile = rule.tile(design)?;
        let sides = rule.sides();
        let signs: Vec<char> = (0..sides).map(|side| rule.edges[usize::from(tile.edges[side])].sign).collect();
        let joined = |side: usize| (0..sides).filter(|other| tile.links[side] >> other & 1 == 1).collect();
        let links: Vec<Vec<usize>> = (0..sides).map(joined).collect();
        Some(Plan::of(catalog, &signs, &links, &catalog.designs[design.index()].id))
    }

    fn of(catalog: &Catalog, signs: &[char], links: &[Vec<usize>], design: &str) -> Plan {
        let kinds = catalog.tiles.as_deref().map_or(&[][..], |rule| &rule.edges);
        let networks = catalog.tiles.as_deref().map_or(&[][..], |rule| &rule.networks);
        let kind = |sign: &char| kinds.iter().find(|kind| kind.sign == *sign);
        let network = |sign: &char| {
            let at = kind(sign)?.network?;
            Some((at, catalog.symbols.name(networks.get(at)?.index()).to_owned()))
        };
        // A single kind of blank edge needs no sign.
        let blanks = kinds.iter().filter(|kind| kind.network.is_none()).count();
        let usual = kinds.iter().find(|kind| kind.network.is_none()).map(|kind| kind.sign);
        let drawn = |sign: &char| {
            let is_blank = kind(sign).is_some_and(|kind| kind.network.is_none());
            (is_blank && blanks > 1 && Some(*sign) != usual).then_some(*sign)
        };
        let mut groups: Vec<Vec<usize>> = links.iter().filter(|link| !link.is_empty()).cloned().collect();
        groups.sort();
        groups.dedup();
        let (networks, signs) = (signs.iter().map(network).collect(), signs.iter().map(drawn).collect());
        Plan { networks, signs, groups, design: design.to_owned() }
    }

    /// How many sides it has.
    pub fn sides(&self) -> usize {
        self.networks.len()
    }

    /// Draws the tile alone, as large as its cell: [`Plan::size`] times the length from side to side.
    pub fn draw_alone(&self, look: &Looks, title: &str) -> String {
        let (wide, high) = self.size();
        let mut svg = Svg::default();
        self.draw(&mut svg, look, (wide * ALONE / 2.0, high * ALONE / 2.0), ALONE / 0.97, None);
        svg.finish((0.0, 0.0, wide * ALONE, high * ALONE), "tile", title)
    }

    /// Its width and height, in lengths from side to side.
    pub fn size(&self) -> (f64, f64) {
        (1.0, if self.sides() == 6 { 2.0 / 3f64.sqrt() } else { 1.0 })
    }

    /// The middle of a side. Sides count clockwise, from the north-east or the north.
    fn side(&self, heart: Point, step: f64, side: usize) -> Point {
        let sides = self.networks.len() as f64;
        let first = if self.networks.len() == 6 { -PI / 3.0 } else { -PI / 2.0 };
        let angle = first + 2.0 * PI * side as f64 / sides;
        (heart.0 + step / 2.0 * angle.cos(), heart.1 + step / 2.0 * angle.sin())
    }

    /// The outline around a point. `step` is the distance from side to side.
    pub fn outline(&self, heart: Point, step: f64) -> String {
        match self.networks.len() {
            6 => polygon(&regular(heart, step / 3f64.sqrt(), 6, PI / 6.0)),
            _ => polygon(&regular(heart, step / 2f64.sqrt(), 4, PI / 4.0)),
        }
    }

    /// Draws the tile around a point. `step` is the distance from side to side.
    pub fn draw(&self, svg: &mut Svg, look: &Looks, heart: Point, step: f64, owner: Option<&str>) {
        let shape = self.outline(heart, step * 0.97);
        let own = look.cards.get(&self.design);
        let ground = own.and_then(|card| card.color.as_ref()).map(|color| color.0.as_str());
        match ground {
            Some(color) => svg.put("path", attrs!["d" = &shape, "fill" = color]),
            None => svg.put("path", attrs!["d" = &shape, "class" = "card"]),
        }
        if let Some(color) = owner {
            svg.put("path", attrs!["d" = &shape, "fill" = color, "fill-opacity" = "0.3"]);
            let inner = self.outline(heart, step * 0.9);
            let thick = ("stroke-width", (step * 0.045).into());
            svg.put("path", &[("d", (&inner).into()), ("fill", "none".into()), ("stroke", color.into()), thick]);
        }
        for group in &self.groups {
            self.way(svg, look, heart, step, group);
        }
        for (side, sign) in self.signs.iter().enumerate() {
            let Some(sign) = sign else { continue };
            let (x, y) = between(heart, self.side(heart, step, side), 0.82);
            let size = step * 0.11;
            let place = [("x", x.into()), ("y", (y + size * 0.34).into()), ("font-size", size.into())];
            let [x, y, size] = place;
            let paint = ground.map_or(("class", "quiet".into()), |color| ("fill", ink_on(color).into()));
            svg.write("text", &[x, y, size, ("text-anchor", "middle".into()), paint], &sign.to_string());
        }
        if let Some(path) = look.symbol(own.and_then(|card| card.symbol.as_ref())) {
            sign_of(svg, path, heart, step);
        }
        svg.put("path", attrs!["d" = &shape, "class" = "border", "stroke-width" = step * 0.016]);
    }

    /// Draws a path that joins sides.
    fn way(&self, svg: &mut Svg, look: &Looks, heart: Point, step: f64, group: &[usize]) {
        let Some((place, keyword)) = group.first().and_then(|side| self.networks[*side].as_ref()) else { return };
        let own = look.networks.get(keyword).and_then(|network| network.color.as_ref());
        let color = own.map_or(WAYS[place % WAYS.len()], |shade| shade.light.0.as_str());
        let at = |point: Point| format!("{} {}", number(point.0), number(point.1));
        let ends: Vec<Point> = group.iter().map(|side| self.side(heart, step * 0.97, *side)).collect();
        let mut path = String::new();
        match ends.as_slice() {
            [only] => path = format!("M{}L{}", at(*only), at(between(*only, heart, 0.62))),
            [from, to] => path = format!("M{}Q{} {}", at(*from), at(heart), at(*to)),
            all => all.iter().for_each(|end| path.push_str(&format!("M{}L{}", at(*end), at(heart)))),
        }
        let line = |svg: &mut Svg, color: &str, wide: f64, cap: &str| {
            let join = ("stroke-linejoin", "round".into());
            let paint = [("stroke", color.into()), ("stroke-width", wide.into()), ("stroke-linecap", cap.into())];
            let [stroke, wide, cap] = paint;
            svg.put("path", &[("d", (&path).into()), ("fill", "none".into()), stroke, wide, cap, join]);
        };
        line(svg, "#3f3526", step * 0.17, "butt");
        line(svg, color, step * 0.135, "butt");
        if ends.len() != 2 {
            let hub = if let [only] = ends.as_slice() { between(*only, heart, 0.62) } else { heart };
            svg.put(
                "circle",
                attrs![
                    "cx" = hub.0,
                    "cy" = hub.1,
                    "r" = step * 0.105,
                    "fill" = color,
                    "class" = "edge",
                    "stroke-width" = step * 0.018
                ],
            );
        }
        if ends.len() > 2 {
            // The hub must not cover the paths.
            line(svg, color, step * 0.135, "butt");
        }
    }
}
