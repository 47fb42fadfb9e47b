//! Pieces as markers. Each faction has a shape of its own, so that nobody needs to tell colors apart.

use principes_app::board::{Board, PieceGroup};

use crate::geometry::{Point, regular};
use crate::svg::{Svg, number};
use crate::theme::{color, ink_on};

/// Radius of a marker.
pub const RADIUS: f64 = 11.0;

/// Draws the marker of a faction with a few letters on it.
pub fn marker(svg: &mut Svg, at: Point, radius: f64, faction: Option<(usize, &str)>, letters: &str) {
    let fill = faction.map_or_else(|| "#a9a294".to_owned(), |(_, word)| color(word));
    let path = shape(at, radius, faction.map(|(index, _)| index));
    svg.put(
        "path",
        &[("d", (&path).into()), ("fill", (&fill).into()), ("class", "edge".into()), ("stroke-width", 1.4.into())],
    );
    let size = radius * if letters.chars().count() > 1 { 0.85 } else { 1.15 };
    svg.write(
        "text",
        &[
            ("x", at.0.into()),
            ("y", (at.1 + size * 0.36).into()),
            ("font-size", size.into()),
            ("text-anchor", "middle".into()),
            ("font-weight", "700".into()),
            ("class", "sans".into()),
            ("fill", ink_on(&fill).into()),
        ],
        letters,
    );
}

/// The outline of a faction's marker.
fn shape(at: Point, radius: f64, faction: Option<usize>) -> String {
    let up = -std::f64::consts::FRAC_PI_2;
    let corners = match faction.map(|index| index % 6) {
        None | Some(0) => return circle(at, radius),
        Some(1) => regular(at, radius * 1.28, 4, up / 2.0),
        Some(2) => return shield(at, radius),
        Some(3) => regular(at, radius * 1.14, 6, up),
        Some(4) => regular(at, radius * 1.32, 4, up),
        Some(_) => regular(at, radius * 1.1, 8, up / 4.0),
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

fn circle((x, y): Point, radius: f64) -> String {
    let (left, r, wide) = (number(x - radius), number(radius), number(radius * 2.0));
    format!("M{left} {}a{r} {r} 0 1 0 {wide} 0a{r} {r} 0 1 0 -{wide} 0Z", number(y))
}

fn shield((x, y): Point, radius: f64) -> String {
    let n = |dx: f64, dy: f64| format!("{} {}", number(x + dx * radius), number(y + dy * radius));
    let (left, right, low) = (n(-1.0, -1.0), n(1.0, -1.0), n(0.0, 1.25));
    format!("M{left}L{right}L{}Q{} {low}Q{} {}Z", n(1.0, 0.1), n(0.9, 0.9), n(-0.9, 0.9), n(-1.0, 0.1))
}

/// Letters that tell the kinds of pieces apart: the first of its name, and a second where two begin alike.
pub fn letters(board: &Board) -> Vec<String> {
    let names: Vec<Vec<char>> =
        board.kinds.iter().map(|kind| kind.name.chars().filter(|letter| letter.is_alphanumeric()).collect()).collect();
    let shown: Vec<bool> = board.kinds.iter().map(|kind| kind.is_on_board).collect();
    let short = |name: &[char], length: usize| name.iter().take(length).collect::<String>();
    let letters = |(at, name): (usize, &Vec<char>)| {
        let alike =
            |(other, others): (usize, &Vec<char>)| other != at && shown[other] && short(others, 1) == short(name, 1);
        let length = if names.iter().enumerate().any(alike) { 2 } else { 1 };
        short(name, length)
    };
    names.iter().enumerate().map(letters).collect()
}

/// Draws the pieces of a space in rows below a point.
pub fn groups(svg: &mut Svg, board: &Board, letters: &[String], space: usize, top: Point, room: f64) {
    let groups = &board.spaces[space].pieces;
    let wide = |group: &PieceGroup| if group.count > 1 { RADIUS * 3.2 } else { RADIUS * 2.3 };
    let mut rows: Vec<Vec<&PieceGroup>> = vec![Vec::new()];
    let mut used = 0.0;
    for group in groups {
        if used > 0.0 && used + wide(group) > room {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += wide(group);
        if let Some(row) = rows.last_mut() {
            row.push(group);
        }
    }
    for (down, row) in rows.iter().enumerate() {
        let total: f64 = row.iter().map(|group| wide(group)).sum();
        let (mut x, y) = (top.0 - total / 2.0, top.1 + down as f64 * RADIUS * 2.4);
        for group in row {
            piece(svg, board, letters, space, group, (x + RADIUS * 1.15, y));
            x += wide(group);
        }
    }
}

fn piece(svg: &mut Svg, board: &Board, letters: &[String], space: usize, group: &PieceGroup, at: Point) {
    let owner = group.owner.map(|owner| &board.factions[owner]);
    let kind = &board.kinds[group.kind];
    let mut title = format!("{} × {}", group.count, kind.name);
    if let Some(owner) = owner {
        title = format!("{title} ({})", owner.name);
    }
    svg.open(
        "g",
        &[
            ("class", "piece".into()),
            ("data-kind", (&kind.id).into()),
            ("data-at", (&board.spaces[space].id).into()),
            ("data-owner", owner.map_or("", |owner| owner.id.as_str()).into()),
        ],
    );
    svg.write("title", &[], &title);
    let faction = group.owner.map(|index| (index, board.factions[index].color.as_str()));
    marker(svg, at, RADIUS, faction, letters.get(group.kind).map_or("", String::as_str));
    if group.count > 1 {
        let place = [("x", (at.0 + RADIUS * 1.3).into()), ("y", (at.1 + 4.5).into()), ("font-size", 13.0.into())];
        let [x, y, size] = place;
        let more = [("class", "ink halo sans".into()), ("font-weight", "700".into())];
        let [class, weight] = more;
        svg.write("text", &[x, y, size, class, weight], &group.count.to_string());
    }
    svg.close("g");
}
