//! Draws pieces as markers. Each faction has its own shape, so that nobody needs to distinguish colors.

use principes_app::board::{PieceGroup, SeenBoard};
use principes_model::Looks;
use principes_schemas::MarkerShape;

use crate::geometry::{Point, regular};
use crate::look::{count, faction_color, marker_shape, on, symbol, symbol_of};
use crate::svg::{Svg, attrs, number};
use crate::theme::ink_on;

/// The radius of a marker.
pub const RADIUS: f64 = 11.5;
/// The color of pieces without an owner.
const NOBODY: &str = "#a59d8c";

/// The content of a marker.
#[derive(Clone, Copy)]
pub enum Face<'a> {
    /// The path of a symbol.
    Symbol(&'a str),
    /// A few letters.
    Letters(&'a str),
}

/// A faction by its index, id and color word.
type Whose<'a> = Option<(usize, &'a str, &'a str)>;

/// Draws the marker of a faction, or of a kind of pieces that nobody owns.
pub fn marker(
    svg: &mut Svg,
    look: &Looks,
    at: Point,
    radius: f64,
    whose: Whose<'_>,
    kind: Option<&str>,
    face: Face<'_>,
) {
    let fill = ground(look, whose, kind);
    let shape = marker_shape(look, whose.map(|(place, id, _)| (place, id)));
    let shadow = outline((at.0 + radius * 0.1, at.1 + radius * 0.16), radius, shape);
    svg.put("path", attrs!["d" = &shadow, "fill" = "#000", "fill-opacity" = "0.28"]);
    let path = outline(at, radius, shape);
    svg.put("path", attrs!["d" = &path, "fill" = &fill, "class" = "edge", "stroke-width" = radius * 0.12]);
    let inner = outline(at, radius * 0.8, shape);
    let thin = ("stroke-width", (radius * 0.06).into());
    let faint = ("stroke-opacity", "0.45".into());
    svg.put("path", &[("d", (&inner).into()), ("fill", "none".into()), ("stroke", ink_on(&fill).into()), thin, faint]);
    emblem(svg, at, radius, &fill, face);
}

/// How large markers are drawn that are drawn alone: their radius.
const ALONE: f64 = 100.0;

/// Draws a marker alone: a square on a ground of its color, so that it can be cut, with the shape of its faction inside.
pub fn draw_alone(look: &Looks, whose: Whose<'_>, kind: &str, face: Face<'_>, title: &str) -> String {
    let (side, fill) = (ALONE * 2.4, ground(look, whose, Some(kind)));
    let heart = (side / 2.0, side / 2.0);
    let mut svg = Svg::default();
    svg.put("rect", attrs!["width" = side, "height" = side, "fill" = &fill]);
    let shape = outline(heart, ALONE * 0.94, marker_shape(look, whose.map(|(place, id, _)| (place, id))));
    let thick = ("stroke-width", (ALONE * 0.05).into());
    let faint = ("stroke-opacity", "0.6".into());
    svg.put("path", &[("d", (&shape).into()), ("fill", "none".into()), ("stroke", ink_on(&fill).into()), thick, faint]);
    emblem(&mut svg, heart, ALONE * 0.85, &fill, face);
    svg.finish((0.0, 0.0, side, side), "token", title)
}

/// The color of a marker: that of its owner or, without one, that of its kind.
pub fn ground(look: &Looks, whose: Whose<'_>, kind: Option<&str>) -> String {
    let own = kind.and_then(|kind| look.kinds.get(kind)?.color.as_ref());
    match whose {
        Some((_, id, word)) => faction_color(look, id, word),
        None => own.map_or_else(|| NOBODY.to_owned(), |color| color.0.clone()),
    }
}

/// What stands on a marker.
fn emblem(svg: &mut Svg, at: Point, radius: f64, fill: &str, face: Face<'_>) {
    match face {
        Face::Symbol(path) => symbol(svg, path, at, radius * 1.3, on(fill)),
        Face::Letters("") => {}
        Face::Letters(letters) => {
            let size = radius * if letters.chars().count() > 1 { 0.85 } else { 1.15 };
            svg.write(
                "text",
                attrs![
                    "x" = at.0,
                    "y" = at.1 + size * 0.34,
                    "font-size" = size,
                    "text-anchor" = "middle",
                    "font-weight" = "700",
                    "fill" = ink_on(fill),
                ],
                letters,
            );
        }
    }
}

/// The outline of a marker.
pub fn outline(at: Point, radius: f64, shape: MarkerShape) -> String {
    let up = -std::f64::consts::FRAC_PI_2;
    let corners = match shape {
        MarkerShape::Circle => return circle(at, radius),
        MarkerShape::Shield => return shield(at, radius),
        MarkerShape::Square => regular(at, radius * 1.28, 4, up / 2.0),
        MarkerShape::Hexagon => regular(at, radius * 1.14, 6, up),
        MarkerShape::Diamond => regular(at, radius * 1.32, 4, up),
        MarkerShape::Octagon => regular(at, radius * 1.1, 8, up / 4.0),
    };
    polygon(&corners)
}

/// The path of a closed polygon.
pub fn polygon(corners: &[Point]) -> String {
    let mut path = String::new();
    for (at, corner) in corners.iter().enumerate() {
        path.push(if at == 0 { 'M' } else { 'L' });
        path.push_str(&format!("{} {}", number(corner.0), number(corner.1)));
    }
    path + "Z"
}

/// The path of a circle.
pub fn circle((x, y): Point, radius: f64) -> String {
    let (left, r, wide) = (number(x - radius), number(radius), number(radius * 2.0));
    format!("M{left} {}a{r} {r} 0 1 0 {wide} 0a{r} {r} 0 1 0 -{wide} 0Z", number(y))
}

fn shield((x, y): Point, radius: f64) -> String {
    let n = |dx: f64, dy: f64| format!("{} {}", number(x + dx * radius), number(y + dy * radius));
    let (left, right, low) = (n(-1.0, -1.0), n(1.0, -1.0), n(0.0, 1.25));
    format!("M{left}L{right}L{}Q{} {low}Q{} {}Z", n(1.0, 0.1), n(0.9, 0.9), n(-0.9, 0.9), n(-1.0, 0.1))
}

/// Letters that tell kinds of pieces apart: the first of its name, and a second where two begin alike. Only kinds that
/// are shown are told apart; a kind that is the only one needs none.
pub fn letters(kinds: &[(&str, bool)]) -> Vec<String> {
    if kinds.iter().filter(|(_, is_shown)| *is_shown).count() == 1 {
        return vec![String::new(); kinds.len()];
    }
    let letters_of = |name: &str| name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let names: Vec<Vec<char>> = kinds.iter().map(|(name, _)| letters_of(name)).collect();
    let short = |name: &[char], length: usize| name.iter().take(length).collect::<String>();
    let letters = |(at, name): (usize, &Vec<char>)| {
        let alike =
            |(other, others): (usize, &Vec<char>)| other != at && kinds[other].1 && short(others, 1) == short(name, 1);
        let length = if names.iter().enumerate().any(alike) { 2 } else { 1 };
        short(name, length)
    };
    names.iter().enumerate().map(letters).collect()
}

/// A number on a small disk, as a unit, which a page may enlarge.
pub fn disk(svg: &mut Svg, at: Point, radius: f64, text: &str) {
    svg.open("g", attrs!["class" = "count"]);
    count(svg, at, radius, text);
    svg.close("g");
}

/// The pieces of a space in rows, with the width of each row.
pub struct Rows<'a> {
    rows: Vec<(Vec<&'a PieceGroup>, f64)>,
}

/// The height of a row.
const ROW: f64 = RADIUS * 2.35;

impl<'a> Rows<'a> {
    /// Arranges groups of pieces in rows of a limited width.
    pub fn of(groups: &'a [PieceGroup], room: f64) -> Rows<'a> {
        let mut rows: Vec<(Vec<&PieceGroup>, f64)> = Vec::new();
        for group in groups {
            match rows.last_mut() {
                Some((row, used)) if *used + wide(group) <= room => {
                    row.push(group);
                    *used += wide(group);
                }
                _ => rows.push((vec![group], wide(group))),
            }
        }
        Rows { rows }
    }

    /// The width and height of all rows.
    pub fn size(&self) -> (f64, f64) {
        (self.rows.iter().map(|(_, wide)| *wide).fold(0.0, f64::max), self.rows.len() as f64 * ROW)
    }
}

fn wide(group: &PieceGroup) -> f64 {
    if group.count > 1 { RADIUS * 3.1 } else { RADIUS * 2.3 }
}

/// Everything that is needed to draw pieces.
pub struct Pieces<'a> {
    /// What the viewer sees.
    pub board: &'a SeenBoard,
    /// Colors and symbols.
    pub look: &'a Looks,
    /// Letters for kinds without a symbol.
    pub letters: Vec<String>,
}

impl Pieces<'_> {
    /// Draws the pieces of a space in rows. The first row is below a point.
    pub fn draw(&self, svg: &mut Svg, space: usize, rows: &Rows<'_>, top: Point) {
        if rows.rows.is_empty() {
            return;
        }
        svg.open("g", attrs!["class" = "stack", "data-stack" = &self.board.spaces[space].id]);
        for (down, (row, total)) in rows.rows.iter().enumerate() {
            let (mut x, y) = (top.0 - total / 2.0, top.1 + (down as f64 + 0.5) * ROW);
            for group in row {
                self.piece(svg, space, group, (x + RADIUS * 1.15, y));
                x += wide(group);
            }
        }
        svg.close("g");
    }

    fn piece(&self, svg: &mut Svg, space: usize, group: &PieceGroup, at: Point) {
        let owner = group.owner.map(|owner| &self.board.factions[owner]);
        let kind = &self.board.kinds[group.kind];
        let mut title = format!("{} × {}", group.count, kind.name);
        if let Some(owner) = owner {
            title = format!("{title} ({})", owner.name);
        }
        svg.open(
            "g",
            attrs![
                "class" = "piece",
                "data-kind" = &kind.id,
                "data-at" = &self.board.spaces[space].id,
                "data-owner" = owner.map_or("", |owner| owner.id.as_str()),
                "pointer-events" = "auto",
            ],
        );
        svg.write("title", &[], &title);
        let whose = group.owner.zip(owner).map(|(place, owner)| (place, owner.id.as_str(), owner.color.as_str()));
        marker(svg, self.look, at, RADIUS, whose, Some(&kind.id), self.face(group.kind, whose.map(|(_, id, _)| id)));
        if group.count > 1 {
            let heart = (at.0 + RADIUS * 1.05, at.1 + RADIUS * 0.75);
            disk(svg, heart, 6.4, &group.count.to_string());
        }
        svg.close("g");
    }

    /// The content of the markers of a kind that a faction owns.
    fn face(&self, kind: usize, owner: Option<&str>) -> Face<'_> {
        face_of(self.look, &self.board.kinds[kind].id, owner, self.letters.get(kind).map_or("", String::as_str))
    }
}

/// What is on the markers of a kind that a faction owns: the symbol of the kind, or else letters. Where letters would
/// tell nothing apart, the symbol of the faction.
pub fn face_of<'f>(look: &'f Looks, kind: &str, owner: Option<&str>, letters: &'f str) -> Face<'f> {
    let of_kind = symbol_of(look, look.kinds.get(kind));
    let of_owner = || {
        let owner = owner.filter(|_| letters.is_empty())?;
        look.symbol(look.factions.get(owner)?.symbol.as_ref())
    };
    of_kind.or_else(of_owner).map_or(Face::Letters(letters), Face::Symbol)
}

#[cfg(test)]
mod tests {
    use super::*;
    use principes_schemas::{Color, Emblem, FactionLook, SymbolName};

    #[test]
    fn pieces_have_the_color_of_their_owner_or_else_of_their_kind() {
        let mut look = Looks::default();
        let color = Some(Color("#123456".to_owned()));
        look.kinds.insert("tower".to_owned(), Emblem { color, symbol: None });
        assert_eq!(ground(&look, None, Some("tower")), "#123456");
        assert_eq!(ground(&look, None, Some("wall")), NOBODY);
        assert_eq!(ground(&look, Some((0, "north", "red")), Some("tower")), crate::theme::color("red"));
        let tower = draw_alone(&look, None, "tower", Face::Letters("T"), "Tower");
        assert!(tower.contains("#123456") && !tower.contains(NOBODY), "{tower}");
    }

    #[test]
    fn the_only_kind_of_pieces_shows_whose_it_is() {
        assert_eq!(letters(&[("Mark", true), ("Secret", false)]), ["", ""]);
        assert_eq!(letters(&[("Knight", true), ("King", true), ("Queen", true)]), ["Kn", "Ki", "Q"]);
        let mut look = Looks::default();
        look.symbols.insert("ring".to_owned(), "M1 1".to_owned());
        let own = FactionLook { symbol: Some(SymbolName("ring".to_owned())), ..FactionLook::default() };
        look.factions.insert("nought".to_owned(), own);
        assert!(matches!(face_of(&look, "mark", Some("nought"), ""), Face::Symbol("M1 1")));
        assert!(matches!(face_of(&look, "mark", Some("cross"), ""), Face::Letters("")));
        assert!(matches!(face_of(&look, "mark", Some("nought"), "M"), Face::Letters("M")));
    }
}
