//! Reads SVG into a scene. It understands what `principes-draw` writes and what looks may hold. Anything else is an
//! error, so that nothing is left out silently.
//!
//! Three writers paint the scene: `pdf.rs`, `pixels.rs`, and `outlines.rs`, which turns letters into paths. Libraries
//! that read all of SVG (usvg with resvg, krilla-svg) were measured: 2.8 to 7 MiB of program and 50 to 190 s of
//! compilation, for drawings that the program makes itself.

mod style;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use kurbo::{Affine, BezPath, Circle, Ellipse, Point, Rect, RoundedRect, Shape as _};
use roxmltree::{Document, Node, ParsingOptions};
use simplecss::StyleSheet;

use self::style::{Own, Style, number};
use crate::font::Fonts;
use crate::scene::{Group, Item, Pixels, Scene, Shape, Text};

/// The depth limit of groups.
const DEEPEST: usize = 60;
/// The accuracy of curves that replace arcs.
const EXACT: f64 = 0.01;

/// The distance by which something may leave a box and still count as inside.
const NEAR: f64 = 0.01;

/// The result of reading.
#[derive(Debug, Default)]
pub struct Read {
    /// The drawing.
    pub scene: Scene,
    /// Letters that no font has.
    pub missing: BTreeSet<char>,
}

/// Reads an `<svg>` element with a style sheet. An error names what is not understood.
pub fn read(svg: &str, sheet: &str, fonts: &Fonts) -> Result<Read, String> {
    let options = ParsingOptions { nodes_limit: 2_000_000, ..ParsingOptions::default() };
    let document = Document::parse_with_options(svg, options).map_err(|error| error.to_string())?;
    let root = document.root_element();
    let mut ids = HashMap::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            ids.insert(id, node);
        }
    }
    let sheet = StyleSheet::parse(sheet);
    let mut reader = Reader { fonts, sheet, ids, missing: BTreeSet::new() };
    let view = view_of(root)?;
    let paper = Paper { at: Affine::translate((-view.x0, -view.y0)), window: None, depth: 0 };
    let (style, _) = Style::default().of(root, &reader.sheet)?;
    let items = reader.children(root, &style, &paper)?;
    Ok(Read { scene: Scene { size: (view.width(), view.height()), items }, missing: reader.missing })
}

fn view_of(node: Node<'_, '_>) -> Result<Rect, String> {
    let given = node.attribute("viewBox").ok_or("a drawing without `viewBox`")?;
    let parts: Vec<f64> = given.split_whitespace().map(number).collect::<Result<_, _>>()?;
    match parts.as_slice() {
        [x, y, wide, high] if *wide > 0.0 && *high > 0.0 => Ok(Rect::new(*x, *y, x + wide, y + high)),
        _ => Err(format!("the view box `{given}`")),
    }
}

struct Reader<'r> {
    fonts: &'r Fonts,
    sheet: StyleSheet<'r>,
    ids: HashMap<&'r str, Node<'r, 'r>>,
    missing: BTreeSet<char>,
}

/// The transformation of the elements.
#[derive(Clone, Copy)]
struct Paper {
    at: Affine,
    /// The visible part of the paper, if not all of it.
    window: Option<Rect>,
    depth: usize,
}

impl Paper {
    fn shows(&self, bounds: Rect) -> bool {
        self.window.is_none_or(|window| window.overlaps(bounds))
    }
}

impl<'r> Reader<'r> {
    fn children(&mut self, node: Node<'r, 'r>, style: &Style, paper: &Paper) -> Result<Vec<Item>, String> {
        if paper.depth > DEEPEST {
            return Err(format!("groups that are nested more than {DEEPEST} times"));
        }
        let mut items = Vec::new();
        for child in node.children().filter(Node::is_element) {
            items.extend(self.element(child, style, paper)?);
        }
        Ok(items)
    }

    fn element(&mut self, node: Node<'r, 'r>, outer: &Style, paper: &Paper) -> Result<Vec<Item>, String> {
        let name = node.tag_name().name();
        if matches!(name, "title" | "defs" | "style" | "clipPath") {
            return Ok(Vec::new());
        }
        let (style, own) = outer.of(node, &self.sheet)?;
        let mut inner = Paper { depth: paper.depth + 1, ..*paper };
        if let Some(change) = node.attribute("transform") {
            inner.at *= transform(change)?;
        }
        let items = match name {
            "g" => self.children(node, &style, &inner)?,
            "svg" => return self.drawing(node, &style, &inner),
            "text" => self.text(node, &style, &inner)?,
            "image" => vec![image(node, &inner)?],
            "use" => self.used(node, &style, &inner)?,
            _ => {
                let path = shape(node, name)?;
                shaped(path, &style, &inner).into_iter().collect()
            }
        };
        self.grouped(items, &own, &inner)
    }

    /// Puts items into a group if their element has an opacity or a clip path.
    fn grouped(&self, items: Vec<Item>, own: &Own, paper: &Paper) -> Result<Vec<Item>, String> {
        if items.is_empty() || (own.opacity >= 1.0 && own.clip.is_none()) {
            return Ok(items);
        }
        let clip = own.clip.as_ref().map(|id| self.clip(id)).transpose()?;
        let clip = clip.map(|path| paper.at * path);
        Ok(vec![Item::Group(Group { items, opacity: own.opacity, clip })])
    }

    fn clip(&self, id: &str) -> Result<BezPath, String> {
        let node = self.ids.get(id).ok_or_else(|| format!("the clip path `{id}`, which does not exist"))?;
        let mut all = BezPath::new();
        for child in node.children().filter(Node::is_element) {
            let (target, at) = match child.tag_name().name() {
                "use" => self.target(child)?,
                _ => (child, Affine::IDENTITY),
            };
            all.extend(at * shape(target, target.tag_name().name())?);
        }
        Ok(all)
    }

    /// The element that a `use` shows, and its transformation.
    fn target(&self, node: Node<'r, 'r>) -> Result<(Node<'r, 'r>, Affine), String> {
        let id = node.attribute("href").and_then(|href| href.strip_prefix('#'));
        let target = id.and_then(|id| self.ids.get(id)).ok_or("a `use` of nothing")?;
        let at = target.attribute("transform").map(transform).transpose()?;
        Ok((*target, at.unwrap_or_default()))
    }

    fn used(&self, node: Node<'r, 'r>, style: &Style, paper: &Paper) -> Result<Vec<Item>, String> {
        let (target, at) = self.target(node)?;
        let (style, _) = style.of(target, &self.sheet)?;
        let path = shape(target, target.tag_name().name())?;
        let paper = Paper { at: paper.at * at, ..*paper };
        Ok(shaped(path, &style, &paper).into_iter().collect())
    }

    /// Reads a nested drawing, scaled to fit into its box and clipped to the box.
    fn drawing(&mut self, node: Node<'r, 'r>, style: &Style, paper: &Paper) -> Result<Vec<Item>, String> {
        let view = view_of(node)?;
        let [x, y, wide, high] = lengths(node, ["x", "y", "width", "height"])?;
        let scale = (wide / view.width()).min(high / view.height());
        let left = x + (wide - view.width() * scale) / 2.0;
        let top = y + (high - view.height() * scale) / 2.0;
        let frame = Rect::new(left, top, left + view.width() * scale, top + view.height() * scale);
        let window = paper.at.transform_rect_bbox(frame);
        let at = paper.at * Affine::translate((left, top)) * Affine::scale(scale);
        let inner = Paper { at: at * Affine::translate((-view.x0, -view.y0)), window: Some(window), ..*paper };
        let items = self.children(node, style, &inner)?;
        let around = window.inflate(NEAR, NEAR);
        if items.iter().all(|item| around.union(item.bounds()) == around) {
            return Ok(items);
        }
        let clip = Some(paper.at * frame.to_path(EXACT));
        Ok(vec![Item::Group(Group { items, opacity: 1.0, clip })])
    }

    fn text(&mut self, node: Node<'r, 'r>, style: &Style, paper: &Paper) -> Result<Vec<Item>, String> {
        let mut parts: Vec<(String, Style)> = Vec::new();
        for child in node.children() {
            match child.text() {
                Some(text) if child.is_text() => parts.push((text.to_owned(), style.clone())),
                _ if child.tag_name().name() == "tspan" => {
                    let (style, _) = style.of(child, &self.sheet)?;
                    parts.push((child.text().unwrap_or_default().to_owned(), style));
                }
                _ => return Err(format!("`{}` in a text", child.tag_name().name())),
            }
        }
        if let Some((first, _)) = parts.first_mut() {
            *first = first.trim_start().to_owned();
        }
        if let Some((last, _)) = parts.last_mut() {
            *last = last.trim_end().to_owned();
        }
        let mut lines: Vec<Text> = Vec::new();
        for (text, style) in parts {
            let Some(fill) = style.fill() else { continue };
            for mut run in self.fonts.shape(&text.replace(['\n', '\t'], " "), &style.font) {
                self.missing.extend(run.glyphs.iter().filter(|glyph| glyph.id == 0).map(|glyph| glyph.letter));
                run.glyphs.iter_mut().for_each(|glyph| glyph.advance += style.spacing);
                let halo = style.stroke().filter(|_| style.is_line_first);
                let (font, glyphs, paint) = (run.font, run.glyphs, fill.paint);
                lines.push(Text { font, size: style.size, at: paper.at, glyphs, paint, halo });
            }
        }
        let [x, y] = lengths(node, ["x", "y"])?;
        let mut x = x - lines.iter().map(Text::width).sum::<f64>() * style.anchor;
        for line in &mut lines {
            line.at *= Affine::translate((x, y));
            x += line.width();
        }
        Ok(lines.into_iter().filter(|line| paper.shows(line.bounds())).map(Item::Text).collect())
    }
}

fn shaped(path: BezPath, style: &Style, paper: &Paper) -> Option<Item> {
    let shape = Shape { path, at: paper.at, fill: style.fill(), stroke: style.stroke() };
    let is_seen = (shape.fill.is_some() || shape.stroke.is_some()) && !shape.path.is_empty();
    (is_seen && paper.shows(shape.bounds())).then_some(Item::Shape(shape))
}

fn transform(value: &str) -> Result<Affine, String> {
    let t: svgtypes::Transform = value.parse().map_err(|_| format!("the transformation `{value}`"))?;
    Ok(Affine::new([t.a, t.b, t.c, t.d, t.e, t.f]))
}

fn lengths<const N: usize>(node: Node<'_, '_>, names: [&str; N]) -> Result<[f64; N], String> {
    let mut all = [0.0; N];
    for (at, name) in names.into_iter().enumerate() {
        if let Some(value) = node.attribute(name) {
            all[at] = number(value)?;
        }
    }
    Ok(all)
}

/// The path of an element.
fn shape(node: Node<'_, '_>, name: &str) -> Result<BezPath, String> {
    let points = |is_closed: bool| {
        let given = node.attribute("points").unwrap_or_default();
        let numbers: Vec<f64> =
            given.split([' ', ',']).filter(|part| !part.is_empty()).map(number).collect::<Result<_, _>>()?;
        let mut path = BezPath::new();
        for (at, point) in numbers.chunks_exact(2).enumerate() {
            let point = Point::new(point[0], point[1]);
            if at == 0 { path.move_to(point) } else { path.line_to(point) }
        }
        if is_closed && !path.is_empty() {
            path.close_path();
        }
        Ok(path)
    };
    match name {
        "path" => {
            let data = node.attribute("d").unwrap_or_default();
            BezPath::from_svg(data).map_err(|error| format!("a path: {error}"))
        }
        "rect" => {
            let [x, y, wide, high, rx, ry] = lengths(node, ["x", "y", "width", "height", "rx", "ry"])?;
            let rect = Rect::new(x, y, x + wide, y + high);
            let radius = if rx > 0.0 { rx } else { ry };
            Ok(if radius > 0.0 { RoundedRect::from_rect(rect, radius).to_path(EXACT) } else { rect.to_path(EXACT) })
        }
        "circle" => {
            let [x, y, radius] = lengths(node, ["cx", "cy", "r"])?;
            Ok(Circle::new((x, y), radius).to_path(EXACT))
        }
        "ellipse" => {
            let [x, y, rx, ry] = lengths(node, ["cx", "cy", "rx", "ry"])?;
            Ok(Ellipse::new((x, y), (rx, ry), 0.0).to_path(EXACT))
        }
        "line" => {
            let [x1, y1, x2, y2] = lengths(node, ["x1", "y1", "x2", "y2"])?;
            let mut path = BezPath::new();
            path.move_to((x1, y1));
            path.line_to((x2, y2));
            Ok(path)
        }
        "polyline" => points(false),
        "polygon" => points(true),
        other => Err(format!("the element `{other}`")),
    }
}

fn image(node: Node<'_, '_>, paper: &Paper) -> Result<Item, String> {
    let data = node.attribute("href").and_then(|href| href.split_once(";base64,")).ok_or("a picture without data")?.1;
    let bytes: Arc<[u8]> = principes_draw::from_base64(data).ok_or("a picture that cannot be read")?.into();
    let (wide, high) = crate::pixels::size(&bytes).ok_or("a picture that is neither PNG nor JPEG")?;
    let [x, y, room_x, room_y] = lengths(node, ["x", "y", "width", "height"])?;
    let (wide, high) = (f64::from(wide), f64::from(high));
    let scale = (room_x / wide).min(room_y / high);
    let (left, top) = (x + (room_x - wide * scale) / 2.0, y + (room_y - high * scale) / 2.0);
    let at = paper.at * Affine::translate((left, top)) * Affine::scale_non_uniform(wide * scale, high * scale);
    Ok(Item::Pixels(Pixels { bytes, at }))
}
