//! Draws a board: spaces with their names, borders, seats of power, laid tiles and pieces. A page can contain only one
//! board at a time, because the outlines of spaces have ids.

mod labels;
mod outlines;

use std::collections::BTreeMap;

use principes_app::board::{FOG, Marks, SeenBoard};
use principes_core::{Catalog, SpaceId, SymbolId, Value};
use principes_model::Looks;

use self::outlines::{Outlines, border};
use crate::geometry::{Frame, Point, curve, distance};
use crate::layout::{Layout, STEP, Shape};
use crate::look::faction_color;
use crate::piece::{Pieces, letters, polygon};
use crate::svg::{Svg, attrs, number};
use crate::theme::{class_of, is_pale};
use crate::tile;

/// The margin around the board.
const MARGIN: f64 = STEP * 0.2;

/// Draws a board as a viewer sees it. Spaces have `data-space`; pieces have `data-kind`, `data-at` and `data-owner`.
pub fn draw(catalog: &Catalog, look: &Looks, board: &SeenBoard, title: &str) -> String {
    if board.spaces.is_empty() {
        return Svg::default().finish((0.0, 0.0, STEP, STEP), "board empty", title);
    }
    let mut layout = Layout::of(catalog);
    let near = built(board, &layout);
    let (near, is_far) = gather(catalog, &mut layout, near);
    let ids: Vec<&str> = board.spaces.iter().map(|space| space.id.as_str()).collect();
    let usual = usual_kind(catalog);
    let is_abroad: Vec<bool> = catalog.spaces.iter().map(|space| Some(space.kind) != usual).collect();
    let outlines = Outlines::of(&layout, look, &ids, &is_abroad);
    let kinds: Vec<(&str, bool)> = board.kinds.iter().map(|kind| (kind.name.as_str(), kind.is_on_board)).collect();
    let pieces = Pieces { board, look, letters: letters(&kinds) };
    let shown = near.unwrap_or_else(|| outlines.frame.wider(MARGIN));
    let svg = Svg::default();
    let mut painter = Painter { catalog, look, board, layout, outlines, is_abroad, is_far, shown, pieces, svg };
    painter.ground();
    painter.links();
    painter.areas();
    painter.borders();
    painter.tiles();
    painter.hits();
    painter.svg.open("g", attrs!["pointer-events" = "none"]);
    if painter.layout.shape == Shape::Areas {
        painter.area_labels();
    } else {
        painter.cell_labels();
    }
    painter.svg.close("g");
    let (wide, high) = shown.size();
    painter.svg.finish((shown.left, shown.top, wide, high), "board", title)
}

/// The margin around the built part of a grid for tiles.
const AROUND: f64 = STEP * 2.1;

/// The built part of a grid for tiles, with a margin. `None` if no tile is laid.
fn built(board: &SeenBoard, layout: &Layout) -> Option<Frame> {
    let laid = (0..board.spaces.len()).filter(|at| board.spaces[*at].tile.is_some());
    let laid: Vec<Point> = laid.map(|at| layout.centers[at]).collect();
    (board.grid.is_some() && !laid.is_empty()).then(|| Frame::around(&laid, AROUND))
}

/// Puts the spaces that are not cells of a grid into a row below its visible part. Returns that part with the row, and
/// for each space whether it is too far away to be shown.
fn gather(catalog: &Catalog, layout: &mut Layout, near: Option<Frame>) -> (Option<Frame>, Vec<bool>) {
    let (Some(mut near), Some(tiles)) = (near, &catalog.tiles) else {
        return (near, vec![false; layout.centers.len()]);
    };
    let is_far = layout.centers.iter().map(|middle| !near.holds(*middle));
    let mut is_far: Vec<bool> = is_far.collect();
    near = near.wider(STEP * 0.62);
    let apart: Vec<usize> = (0..is_far.len()).filter(|at| tiles.cell(SpaceId::at(*at)).is_none()).collect();
    for (place, at) in apart.iter().enumerate() {
        layout.centers[*at] = (near.left + STEP * (0.8 + 1.4 * place as f64), near.low + STEP * 0.6);
        is_far[*at] = false;
    }
    if !apart.is_empty() {
        near.low += STEP * 1.3;
        near.right = near.right.max(near.left + STEP * (0.2 + 1.4 * apart.len() as f64));
    }
    (Some(near), is_far)
}

/// The most common kind of space.
fn usual_kind(catalog: &Catalog) -> Option<SymbolId> {
    let mut kinds: BTreeMap<SymbolId, usize> = BTreeMap::new();
    for space in &catalog.spaces {
        *kinds.entry(space.kind).or_default() += 1;
    }
    kinds.into_iter().max_by_key(|(_, count)| *count).map(|(kind, _)| kind)
}

struct Painter<'a> {
    catalog: &'a Catalog,
    look: &'a Looks,
    board: &'a SeenBoard,
    layout: Layout,
    outlines: Outlines,
    /// For each space, whether it is not of the most common kind.
    is_abroad: Vec<bool>,
    /// For each space, whether it is left out because no tile is near it.
    is_far: Vec<bool>,
    /// The visible part of the paper.
    shown: Frame,
    pieces: Pieces<'a>,
    svg: Svg,
}

impl<'a> Painter<'a> {
    fn adjacent(&self, a: usize, b: usize) -> bool {
        self.layout.links.binary_search(&(a.min(b), a.max(b))).is_ok()
    }

    /// The paper, and the water around land.
    fn ground(&mut self) {
        let paper = self.shown;
        let rect = |svg: &mut Svg, frame: Frame, class: &str, line: f64| {
            let (wide, high) = frame.size();
            let place = attrs![
                "x" = frame.left,
                "y" = frame.top,
                "width" = wide,
                "height" = high,
                "class" = class,
                "stroke-width" = line,
            ];
            svg.put("rect", place);
        };
        rect(&mut self.svg, paper, "paper", 0.0);
        if self.layout.shape == Shape::Areas {
            rect(&mut self.svg, self.outlines.frame, "sea", 0.0);
            rect(&mut self.svg, self.outlines.frame.wider(5.0), "rule", 1.2);
            self.waves();
        }
    }

    /// Lines along the coast, as on engraved maps.
    fn waves(&mut self) {
        let mut path = String::new();
        for side in self.outlines.sides.iter().flatten() {
            if side.2.is_none() && !self.outlines.is_framed(side) {
                curve(&[side.0, side.1], true, &mut path);
            }
        }
        if path.is_empty() {
            return;
        }
        self.svg.open("defs", &[]);
        self.svg.put("path", attrs!["id" = "shore", "d" = &path]);
        self.svg.close("defs");
        for (wide, class) in
            [(34.0, "wave"), (31.0, "coast"), (22.0, "wave"), (18.5, "coast"), (11.0, "wave"), (7.5, "coast")]
        {
            let opacity = if class == "wave" { "0.5" } else { "0.35" };
            let paint = attrs!["href" = "#shore", "class" = class, "stroke-width" = wide, "stroke-opacity" = opacity];
            self.svg.put("use", paint);
        }
    }

    /// Lines between neighbors that do not touch.
    fn links(&mut self) {
        let mut path = String::new();
        for (a, b) in &self.layout.links {
            if self.outlines.sides[*a].iter().any(|(.., beyond)| *beyond == Some(*b)) {
                continue;
            }
            let (from, to) = (self.layout.centers[*a], self.layout.centers[*b]);
            if self.layout.shape == Shape::Squares && distance(from, to) < STEP * 1.6 {
                continue;
            }
            path.push_str(&format!("M{} {}L{} {}", number(from.0), number(from.1), number(to.0), number(to.1)));
        }
        if !path.is_empty() {
            let paint = attrs!["d" = &path, "class" = "line", "stroke-width" = 3.0, "stroke-dasharray" = "2 7"];
            self.svg.put("path", paint);
        }
    }

    fn areas(&mut self) {
        for at in (0..self.board.spaces.len()).filter(|at| !self.is_far[*at]).collect::<Vec<_>>() {
            let (id, shape, clip) = (format!("s{at}"), format!("#s{at}"), format!("c{at}"));
            self.svg.open("defs", &[]);
            let path = &self.outlines.paths[at];
            match self.outlines.scaled[at].map(|scale| format!("scale({scale:.4})")) {
                Some(scale) => self.svg.put("path", attrs!["id" = &id, "d" = path, "transform" = &scale]),
                None => self.svg.put("path", attrs!["id" = &id, "d" = path]),
            }
            let band = self.board.spaces[at].home.filter(|_| !self.outlines.sides[at].is_empty());
            if band.is_some() {
                self.svg.open("clipPath", attrs!["id" = &clip]);
                self.svg.put("use", attrs!["href" = &shape]);
                self.svg.close("clipPath");
            }
            self.svg.close("defs");
            self.area(at, &shape);
            if let Some(home) = band {
                self.band(at, home, &clip);
            }
        }
    }

    /// The ground of a space, tinted by its home and its controller.
    fn area(&mut self, at: usize, shape: &str) {
        let space = &self.board.spaces[at];
        let terrain = self.terrain(at).map(|keyword| format!("area {}", class_of(keyword)));
        let class = match () {
            () if space.mark == FOG => "area fog",
            () if self.is_abroad[at] => "area abroad",
            () => "area land",
        };
        let class = terrain.as_deref().filter(|_| space.mark != FOG).unwrap_or(class);
        // A thin line of the same color hides the seams between the cells of an area.
        self.svg.put("use", attrs!["href" = shape, "class" = class, "stroke-width" = 1.6]);
        if let Some(color) = self.look.spaces.get(&space.id).and_then(|space| space.color.as_ref()) {
            self.svg.put("use", attrs!["href" = shape, "fill" = &color.0]);
        }
        let (x, y) = self.layout.centers[at];
        let is_odd = ((x / STEP).round() + (y / STEP).round()).rem_euclid(2.0) > 0.5;
        if self.layout.shape == Shape::Squares && is_odd {
            self.svg.put("use", attrs!["href" = shape, "class" = "ink", "fill-opacity" = "0.06"]);
        }
        for (faction, strength) in [(space.home, 0.2), (space.controller, 0.5)] {
            let Some(faction) = faction.map(|at| &self.board.factions[at]) else { continue };
            let fill = faction_color(self.look, &faction.id, &faction.color);
            let strength = if is_pale(&fill) { (strength * 1.7_f64).min(0.85) } else { strength };
            let opacity = format!("{strength:.2}");
            let rim = ("stroke-width", 1.2.into());
            let paint = [("fill", (&fill).into()), ("stroke", (&fill).into()), rim, ("opacity", (&opacity).into())];
            let [fill, stroke, rim, opacity] = paint;
            self.svg.put("use", &[("href", shape.into()), fill, stroke, rim, opacity]);
        }
    }

    /// A band along the inside of a home's border.
    fn band(&mut self, at: usize, home: usize, clip: &str) {
        let mut path = String::new();
        for (from, to, beyond) in &self.outlines.sides[at] {
            let other = beyond.map(|other| self.board.spaces[other].home);
            if other != Some(Some(home)) {
                self.side(&mut path, *from, *to, *beyond);
            }
        }
        let faction = &self.board.factions[home];
        let color = faction_color(self.look, &faction.id, &faction.color);
        if !path.is_empty() {
            let clip = format!("url(#{clip})");
            let paint = [("stroke", (&color).into()), ("stroke-width", 15.0.into()), ("stroke-opacity", "0.6".into())];
            let [stroke, wide, opacity] = paint;
            let fill = ("fill", "none".into());
            self.svg.put("path", &[("d", (&path).into()), ("clip-path", (&clip).into()), fill, stroke, wide, opacity]);
        }
    }

    fn side(&self, path: &mut String, from: Point, to: Point, beyond: Option<usize>) {
        let points = if self.layout.shape == Shape::Areas { border(from, to, beyond) } else { vec![from, to] };
        curve(&points, true, path);
    }

    /// Coasts, borders between homes, borders within them, and ridges that cannot be crossed.
    fn borders(&mut self) {
        let (mut coast, mut home, mut plain, mut ridge) = (String::new(), String::new(), String::new(), String::new());
        for (at, sides) in self.outlines.sides.iter().enumerate().filter(|(at, _)| !self.is_far[*at]) {
            for side in sides {
                let path = match side.2 {
                    None => &mut coast,
                    Some(other) if other < at && !self.is_far[other] => continue,
                    Some(other) if self.board.spaces[other].home != self.board.spaces[at].home => &mut home,
                    Some(other) if !self.adjacent(at, other) => &mut ridge,
                    Some(_) => &mut plain,
                };
                self.side(path, side.0, side.1, side.2);
            }
        }
        let dashed = if self.layout.shape == Shape::Areas { "3 5" } else { "none" };
        for (path, class, wide, dashes) in [
            (&plain, "line quiet-line", 1.3, "none"),
            (&ridge, "line", 3.4, dashed),
            (&home, "border", 2.6, "none"),
            (&coast, "border", 1.6, "none"),
        ] {
            if !path.is_empty() {
                let paint = attrs!["d" = path, "class" = class, "stroke-width" = wide, "stroke-dasharray" = dashes];
                self.svg.put("path", paint);
            }
        }
        for at in 0..self.board.spaces.len() {
            if let Some(scale) = self.outlines.scaled[at] {
                let shape = format!("#s{at}");
                let wide = format!("{:.3}", 1.8 / scale);
                self.svg.put("use", attrs!["href" = &shape, "class" = "border", "stroke-width" = &wide]);
            }
        }
    }

    fn tiles(&mut self) {
        for at in 0..self.board.spaces.len() {
            let Some(laid) = &self.board.spaces[at].tile else { continue };
            let owner = laid.owner.map(|owner| &self.board.factions[owner]);
            let owner = owner.map(|owner| faction_color(self.look, &owner.id, &owner.color));
            let plan = tile::Plan::laid(self.catalog, laid);
            plan.draw(&mut self.svg, self.look, self.layout.centers[at], STEP, owner.as_deref());
        }
    }

    fn hits(&mut self) {
        for (at, space) in self.board.spaces.iter().enumerate().filter(|(at, _)| !self.is_far[*at]) {
            self.svg.open("g", attrs!["class" = "space", "data-space" = &space.id]);
            self.svg.write("title", &[], &self.title(at));
            let shape = format!("#s{at}");
            match self.outlines.scaled[at].map(|scale| format!("scale({scale:.4})")) {
                // A page may give it a line, which must not be scaled, too. That is only possible for a path.
                Some(scale) => {
                    let path = &self.outlines.paths[at];
                    let place = attrs![
                        "d" = path,
                        "transform" = &scale,
                        "class" = "hit",
                        "fill" = "#000",
                        "fill-opacity" = "0"
                    ];
                    self.svg.put("path", place);
                }
                None => {
                    let place = attrs!["href" = &shape, "class" = "hit", "fill" = "#000", "fill-opacity" = "0"];
                    self.svg.put("use", place);
                }
            }
            self.svg.close("g");
        }
    }

    /// The title of a space, for tooltips and screen readers.
    fn title(&self, at: usize) -> String {
        let space = &self.board.spaces[at];
        let mut title = space.name.clone();
        if let Some(owner) = space.controller {
            title = format!("{title} — {}", self.board.factions[owner].name);
        }
        let meaning = match &self.board.marks {
            Marks::None => None,
            Marks::Points(counter) => Some((counter, &space.mark)),
            Marks::Track { name, items } => {
                let long = items.iter().find(|(short, _)| *short == space.mark);
                Some((name, long.map_or(&space.mark, |(_, long)| long)))
            }
        };
        if let Some((of, value)) = meaning.filter(|_| !space.mark.is_empty() && space.mark != FOG) {
            title = format!("{title}\n{of}: {value}");
        }
        for group in &space.pieces {
            title = format!("{title}\n{} × {}", group.count, self.board.kinds[group.kind].name);
        }
        title
    }

    /// The spaces that a playable faction names as its own, such as its capital.
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

    /// The keyword for the ground of a space in the look: its mark or its kind.
    fn terrain(&self, at: usize) -> Option<&'a str> {
        let kind = self.catalog.symbols.name(self.catalog.spaces[at].kind.index());
        let mark = self.board.spaces[at].mark_of.as_deref().unwrap_or_default();
        [mark, kind].into_iter().find_map(|keyword| Some(self.look.terrain.get_key_value(keyword)?.0.as_str()))
    }

    fn terrain_symbol(&self, at: usize) -> Option<&'a str> {
        let terrain = self.look.terrain.get(self.terrain(at)?)?;
        self.look.symbol(terrain.symbol.as_ref())
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
    svg.put("path", attrs!["d" = &polygon(&corners), "fill" = fill, "class" = "edge", "stroke-width" = 1.0]);
}
