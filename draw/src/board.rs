//! The board: spaces with their names, borders, seats of power, and the pieces on them. A page holds one board at a time:
//! the outline of a space has an id in it.

use std::collections::BTreeMap;

use principes_app::board::{Board, FOG};
use principes_core::{Catalog, SymbolId, Value};

use crate::geometry::{Corner, Point, cells, distance, rough, sites};
use crate::layout::{Layout, STEP, Shape};
use crate::piece::{RADIUS, groups, letters, polygon};
use crate::svg::{Svg, number};
use crate::text::{width, wrap};
use crate::theme::color;

/// Land ends so far from the point of a space.
const REACH: f64 = STEP * 0.78;
/// Room around the board.
const MARGIN: f64 = STEP * 0.25;
/// Size of the names of spaces.
const NAME: f64 = 12.5;

/// Draws a board as a viewer sees it. Spaces have `data-space`; pieces have `data-kind`, `data-at` and `data-owner`.
pub fn draw(catalog: &Catalog, board: &Board, title: &str) -> String {
    if board.spaces.is_empty() {
        return Svg::default().finish((0.0, 0.0, STEP, STEP), "board empty", title);
    }
    let layout = Layout::of(catalog);
    let outlines = Outlines::of(&layout);
    let mut svg = Svg::default();
    let frame = frame(&layout);
    let (x, y, wide, high) = frame;
    svg.put(
        "rect",
        &[("x", x.into()), ("y", y.into()), ("width", wide.into()), ("height", high.into()), ("class", "paper".into())],
    );
    let mut painter = Painter { catalog, board, layout, outlines, svg };
    painter.links();
    painter.areas();
    painter.borders();
    painter.hits();
    painter.labels();
    painter.pieces();
    painter.svg.finish(frame, "board", title)
}

/// The part of the paper that is shown.
fn frame(layout: &Layout) -> (f64, f64, f64, f64) {
    let reach = MARGIN + if layout.shape == Shape::Areas { REACH } else { STEP * 0.58 };
    let xs = || layout.centers.iter().map(|point| point.0);
    let ys = || layout.centers.iter().map(|point| point.1);
    let (left, top) = (xs().fold(f64::MAX, f64::min) - reach, ys().fold(f64::MAX, f64::min) - reach);
    let (right, low) = (xs().fold(f64::MIN, f64::max) + reach, ys().fold(f64::MIN, f64::max) + reach);
    (left, top, right - left, low - top)
}

/// A side of a space: from, to, and the space beyond.
type Side = (Point, Point, Option<usize>);

/// What spaces cover: the path of each, and its sides.
struct Outlines {
    paths: Vec<String>,
    sides: Vec<Vec<Side>>,
    /// How wide a text may be in each.
    room: Vec<f64>,
}

impl Outlines {
    fn of(layout: &Layout) -> Outlines {
        let count = layout.centers.len();
        let mut outlines = Outlines {
            paths: vec![String::new(); count],
            sides: vec![Vec::new(); count],
            room: vec![STEP * 0.9; count],
        };
        if layout.shape == Shape::Areas {
            let sites = sites(&layout.centers, &layout.links, REACH);
            for (at, (site, cell)) in sites.iter().zip(cells(&sites, REACH)).enumerate() {
                outlines.add_cell(site.owner, &cell);
                if at < count {
                    outlines.room[at] = 2.0 * open_to_the_side(site.at, &cell);
                }
            }
        } else {
            for space in 0..count {
                let corners = layout.outline(space).unwrap_or_default();
                outlines.paths[space] = polygon(&corners);
                for (at, from) in corners.iter().enumerate() {
                    let to = corners[(at + 1) % corners.len()];
                    outlines.sides[space].push((*from, to, beyond(layout, space, *from, to)));
                }
            }
        }
        outlines
    }

    fn add_cell(&mut self, owner: usize, cell: &[Corner]) {
        let path = &mut self.paths[owner];
        let mut first = true;
        for (at, corner) in cell.iter().enumerate() {
            let to = cell[(at + 1) % cell.len()].at;
            // Within an area, sides stay straight: nobody sees them.
            let rough_side = corner.beyond.filter(|beyond| *beyond != owner);
            for point in border(corner.at, to, rough_side) {
                path.push(if first { 'M' } else { 'L' });
                path.push_str(&format!("{} {}", number(point.0), number(point.1)));
                first = false;
            }
            if corner.beyond != Some(owner) {
                self.sides[owner].push((corner.at, to, corner.beyond));
            }
        }
        path.push('Z');
    }
}

/// A side of an area: borders are rough, coasts are smooth.
fn border(from: Point, to: Point, beyond: Option<usize>) -> Vec<Point> {
    if beyond.is_some() { rough(from, to) } else { vec![from, to] }
}

/// How far the cell reaches to the east and west of its point, at least.
fn open_to_the_side(at: Point, cell: &[Corner]) -> f64 {
    let mut least = REACH;
    for (index, corner) in cell.iter().enumerate() {
        let (a, b) = (corner.at, cell[(index + 1) % cell.len()].at);
        if (a.1 - at.1) * (b.1 - at.1) <= 0.0 && a.1 != b.1 {
            let x = a.0 + (b.0 - a.0) * (at.1 - a.1) / (b.1 - a.1);
            least = least.min((x - at.0).abs());
        }
    }
    least
}

/// The space of a grid beyond a side of another.
fn beyond(layout: &Layout, space: usize, from: Point, to: Point) -> Option<usize> {
    let heart = layout.centers[space];
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let mirrored = (2.0 * middle.0 - heart.0, 2.0 * middle.1 - heart.1);
    layout.centers.iter().position(|other| distance(*other, mirrored) < 1.0)
}

struct Painter<'a> {
    catalog: &'a Catalog,
    board: &'a Board,
    layout: Layout,
    outlines: Outlines,
    svg: Svg,
}

impl Painter<'_> {
    fn adjacent(&self, a: usize, b: usize) -> bool {
        self.layout.links.binary_search(&(a.min(b), a.max(b))).is_ok()
    }

    /// Lines between neighbors that do not touch.
    fn links(&mut self) {
        for (a, b) in &self.layout.links {
            if self.outlines.sides[*a].iter().any(|(.., beyond)| *beyond == Some(*b)) {
                continue;
            }
            let (from, to) = (self.layout.centers[*a], self.layout.centers[*b]);
            if self.layout.shape == Shape::Squares && distance(from, to) < STEP * 1.6 {
                continue;
            }
            let path = format!("M{} {}L{} {}", number(from.0), number(from.1), number(to.0), number(to.1));
            self.svg.put(
                "path",
                &[
                    ("d", (&path).into()),
                    ("class", "line".into()),
                    ("stroke-width", 3.0.into()),
                    ("stroke-dasharray", "2 7".into()),
                ],
            );
        }
    }

    /// The kind that most spaces have.
    fn usual_kind(&self) -> Option<SymbolId> {
        let mut kinds: BTreeMap<SymbolId, usize> = BTreeMap::new();
        for space in &self.catalog.spaces {
            *kinds.entry(space.kind).or_default() += 1;
        }
        kinds.into_iter().max_by_key(|(_, count)| *count).map(|(kind, _)| kind)
    }

    fn areas(&mut self) {
        let usual = self.usual_kind();
        for (at, space) in self.board.spaces.iter().enumerate() {
            let is_usual = Some(self.catalog.spaces[at].kind) == usual;
            let class = match () {
                () if space.mark == FOG => "fog",
                () if is_usual => "land",
                () => "abroad",
            };
            let (id, shape) = (format!("s{at}"), format!("#s{at}"));
            self.svg.open("defs", &[]);
            self.svg.put("path", &[("id", (&id).into()), ("d", (&self.outlines.paths[at]).into())]);
            self.svg.close("defs");
            // A thin rim of the same color hides the seams between the cells of one area.
            let class = format!("area {class}");
            self.svg.put("use", &[("href", (&shape).into()), ("class", (&class).into()), ("stroke-width", 1.6.into())]);
            if let Some(owner) = space.controller {
                let fill = color(&self.board.factions[owner].color);
                let rim = [("stroke", (&fill).into()), ("stroke-width", 1.2.into()), ("opacity", "0.5".into())];
                let [stroke, wide, opacity] = rim;
                self.svg.put("use", &[("href", (&shape).into()), ("fill", (&fill).into()), stroke, wide, opacity]);
            }
        }
    }

    /// Coasts, borders between homes, borders within them, and ridges that nobody can pass.
    fn borders(&mut self) {
        let (mut coast, mut home, mut plain, mut ridge) = (String::new(), String::new(), String::new(), String::new());
        let areas = self.layout.shape == Shape::Areas;
        for (at, sides) in self.outlines.sides.iter().enumerate() {
            for (from, to, beyond) in sides {
                let path = match beyond {
                    None => &mut coast,
                    Some(other) if *other < at => continue,
                    Some(other) if self.board.spaces[*other].home != self.board.spaces[at].home => &mut home,
                    Some(other) if !self.adjacent(at, *other) => &mut ridge,
                    Some(_) => &mut plain,
                };
                let points = if areas { border(*from, *to, *beyond) } else { vec![*from, *to] };
                for (index, point) in points.iter().enumerate() {
                    path.push(if index == 0 { 'M' } else { 'L' });
                    path.push_str(&format!("{} {}", number(point.0), number(point.1)));
                }
            }
        }
        let dashed = if areas { "3 5" } else { "none" };
        for (path, class, wide, dashes) in [
            (&coast, "coast", 7.0, "none"),
            (&plain, "line quiet-line", 1.3, "none"),
            (&ridge, "line", 3.0, dashed),
            (&home, "border", 3.2, "none"),
            (&coast, "border", 1.4, "none"),
        ] {
            if !path.is_empty() {
                self.svg.put(
                    "path",
                    &[
                        ("d", path.into()),
                        ("class", class.into()),
                        ("stroke-width", wide.into()),
                        ("stroke-dasharray", dashes.into()),
                    ],
                );
            }
        }
    }

    fn hits(&mut self) {
        for (at, space) in self.board.spaces.iter().enumerate() {
            self.svg.open("g", &[("class", "space".into()), ("data-space", (&space.id).into())]);
            self.svg.write("title", &[], &self.title(at));
            let shape = format!("#s{at}");
            let hit = [("class", "hit".into()), ("fill", "#000".into()), ("fill-opacity", "0".into())];
            let [class, fill, opacity] = hit;
            self.svg.put("use", &[("href", (&shape).into()), class, fill, opacity]);
            self.svg.close("g");
        }
    }

    /// A space in words.
    fn title(&self, at: usize) -> String {
        let space = &self.board.spaces[at];
        let mut title = space.name.clone();
        if !space.mark.is_empty() && space.mark != FOG {
            title = format!("{title} ({})", space.mark);
        }
        if let Some(owner) = space.controller {
            title = format!("{title} — {}", self.board.factions[owner].name);
        }
        for group in &space.pieces {
            title = format!("{title}\n{} × {}", group.count, self.board.kinds[group.kind].name);
        }
        title
    }

    /// Spaces that a playable faction names as its own: its capital, say.
    fn seats_of_power(&self) -> Vec<(usize, usize)> {
        let mut seats = Vec::new();
        for (faction, spec) in self.catalog.factions.iter().enumerate().take(self.catalog.playable) {
            for (_, value) in &spec.props.0 {
                if let Value::Space(space) = value {
                    seats.push((space.index(), faction));
                }
            }
        }
        seats
    }

    fn labels(&mut self) {
        let seats = self.seats_of_power();
        let grid = self.layout.shape != Shape::Areas;
        self.svg.open("g", &[("pointer-events", "none".into())]);
        for (at, space) in self.board.spaces.iter().enumerate() {
            let (x, y) = self.layout.centers[at];
            let room = (self.outlines.room[at] * 0.96 / NAME).max(4.2);
            let lines = if grid { vec![space.name.clone()] } else { wrap(&space.name, room) };
            let size = if grid { 10.5 } else { NAME };
            let top = if grid { y - STEP * 0.31 } else { y - 8.0 - NAME * (lines.len() as f64 - 1.0) };
            let class = if grid { "quiet" } else { "ink halo" };
            for (down, line) in lines.iter().enumerate() {
                let place = top + down as f64 * NAME * 1.02;
                self.svg.write(
                    "text",
                    &[
                        ("x", x.into()),
                        ("y", place.into()),
                        ("font-size", size.into()),
                        ("text-anchor", "middle".into()),
                        ("class", class.into()),
                    ],
                    line,
                );
            }
            if let Some((_, faction)) = seats.iter().find(|(seat, _)| *seat == at) {
                let fill = color(&self.board.factions[*faction].color);
                star(&mut self.svg, (x, top - NAME * 1.25), 7.5, &fill);
            }
            if !["", "0", FOG].contains(&space.mark.as_str()) {
                self.mark(at, (x, y), top, &lines);
            }
        }
        self.svg.close("g");
    }

    /// The note of a space: a number beside its name, or a word in its middle.
    fn mark(&mut self, at: usize, (x, y): Point, top: f64, lines: &[String]) {
        let mark = &self.board.spaces[at].mark;
        if mark.chars().count() > 2 {
            let size = (STEP * 0.8 / width(mark)).min(15.0);
            self.svg.write(
                "text",
                &[
                    ("x", x.into()),
                    ("y", (y + 2.0).into()),
                    ("font-size", size.into()),
                    ("text-anchor", "middle".into()),
                    ("class", "ink".into()),
                ],
                mark,
            );
            return;
        }
        let side = lines.first().map_or(0.0, |line| width(line) * NAME / 2.0) + 9.0;
        let heart = (x + side, top - NAME * 0.34);
        let path = [
            ("cx", heart.0.into()),
            ("cy", heart.1.into()),
            ("r", 6.6.into()),
            ("class", "ink".into()),
            ("fill-opacity", "0.88".into()),
        ];
        self.svg.put("circle", &path);
        self.svg.write(
            "text",
            &[
                ("x", heart.0.into()),
                ("y", (heart.1 + 3.3).into()),
                ("font-size", 9.5.into()),
                ("text-anchor", "middle".into()),
                ("class", "land sans".into()),
                ("font-weight", "700".into()),
            ],
            mark,
        );
    }

    fn pieces(&mut self) {
        let letters = letters(self.board);
        let grid = self.layout.shape != Shape::Areas;
        for at in 0..self.board.spaces.len() {
            let (x, y) = self.layout.centers[at];
            let alone = self.board.spaces[at].pieces.len() == 1 && self.board.spaces[at].mark.chars().count() < 3;
            let down = match (grid, alone) {
                (true, true) => 3.0,
                (true, false) => RADIUS * 1.4,
                (false, _) => RADIUS * 0.75,
            };
            let room = if grid { STEP * 0.86 } else { self.outlines.room[at].max(STEP * 0.6) };
            groups(&mut self.svg, self.board, &letters, at, (x, y + down), room);
        }
    }
}

/// A star with five points.
fn star(svg: &mut Svg, at: Point, radius: f64, fill: &str) {
    let corner = |index: usize| {
        let far = if index.is_multiple_of(2) { radius } else { radius * 0.45 };
        let angle = std::f64::consts::PI * (index as f64 / 5.0 - 0.5);
        (at.0 + far * angle.cos(), at.1 + far * angle.sin())
    };
    let corners: Vec<Point> = (0..10).map(corner).collect();
    svg.put(
        "path",
        &[
            ("d", (&polygon(&corners)).into()),
            ("fill", fill.into()),
            ("class", "edge".into()),
            ("stroke-width", 1.0.into()),
        ],
    );
}
