//! Scenes as pages of a PDF file: paths stay paths, and letters stay letters of embedded fonts.

mod fonts;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use kurbo::{Affine, BezPath, PathEl};
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use self::fonts::UsedFont;
use crate::font::Fonts;
use crate::pixels::{decode, is_jpeg};
use crate::scene::{Cap, Fill, Group, Item, Join, Pixels, Scene, Shape, Stroke, Text};

/// Points per millimeter.
const POINTS: f64 = 72.0 / 25.4;

/// A page: what is on it, and its width and height in millimeters.
pub type Page<'a> = (&'a Scene, (f64, f64));

/// Writes pages as a file, with the same bytes on every machine.
pub fn write(pages: &[Page<'_>], fonts: &Fonts, title: &str, credits: &str) -> Vec<u8> {
    let mut writer = Writer::new(fonts);
    let [catalog, tree, info] = [(); 3].map(|()| writer.fresh());
    let mut kids = Vec::new();
    for (scene, size) in pages {
        kids.push(writer.page(scene, *size, tree));
    }
    writer.resources();
    let mut pdf = writer.pdf;
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).count(i32::try_from(kids.len()).unwrap_or(i32::MAX)).kids(kids);
    let mut info = pdf.document_info(info);
    info.title(TextStr(title)).producer(TextStr("principes"));
    if !credits.is_empty() {
        info.subject(TextStr(credits));
    }
    info.finish();
    pdf.finish()
}

/// The opacity of insides and of lines, in 255ths.
type Opacities = (u8, u8);

struct Writer<'w> {
    fonts: &'w Fonts,
    pdf: Pdf,
    next: Ref,
    /// The objects that all pages share.
    shared: Ref,
    opacities: BTreeMap<Opacities, Ref>,
    used: BTreeMap<usize, UsedFont>,
    pictures: Vec<(Arc<[u8]>, Ref)>,
    groups: Vec<Ref>,
}

impl<'w> Writer<'w> {
    fn new(fonts: &'w Fonts) -> Self {
        Writer {
            fonts,
            pdf: Pdf::new(),
            next: Ref::new(2),
            shared: Ref::new(1),
            opacities: BTreeMap::new(),
            used: BTreeMap::new(),
            pictures: Vec::new(),
            groups: Vec::new(),
        }
    }

    fn fresh(&mut self) -> Ref {
        self.next.bump()
    }

    fn page(&mut self, scene: &Scene, (wide, high): (f64, f64), tree: Ref) -> Ref {
        let [id, content] = [(); 2].map(|()| self.fresh());
        let (wide, high) = (wide * POINTS, high * POINTS);
        let scale = (wide / scene.size.0).min(high / scene.size.1);
        let mut painter = Content::new();
        // A page of a PDF file has its origin at the bottom.
        painter.transform(matrix(Affine::translate((0.0, high)) * Affine::scale_non_uniform(scale, -scale)));
        self.items(&mut painter, &scene.items);
        let bytes = packed(&painter.finish());
        self.pdf.stream(content, &bytes).filter(Filter::FlateDecode);
        let mut page = self.pdf.page(id);
        page.parent(tree).media_box(Rect::new(0.0, 0.0, wide as f32, high as f32)).contents(content);
        page.pair(Name(b"Resources"), self.shared);
        page.finish();
        id
    }

    fn items(&mut self, painter: &mut Content, items: &[Item]) {
        for item in items {
            painter.save_state();
            match item {
                Item::Shape(shape) => self.shape(painter, shape),
                Item::Text(text) => self.text(painter, text),
                Item::Pixels(pixels) => self.pixels(painter, pixels),
                Item::Group(group) => self.group(painter, group),
            }
            painter.restore_state();
        }
    }

    fn shape(&mut self, painter: &mut Content, shape: &Shape) {
        painter.transform(matrix(shape.at));
        self.opacity(painter, shape.fill.as_ref(), shape.stroke.as_ref());
        if let Some(fill) = &shape.fill {
            let [r, g, b] = parts(fill.paint.color);
            painter.set_fill_rgb(r, g, b);
        }
        if let Some(stroke) = &shape.stroke {
            line(painter, stroke);
        }
        draw(painter, &shape.path);
        match (&shape.fill, &shape.stroke) {
            (Some(fill), Some(_)) if fill.is_even_odd => painter.fill_even_odd_and_stroke(),
            (Some(_), Some(_)) => painter.fill_nonzero_and_stroke(),
            (Some(fill), None) if fill.is_even_odd => painter.fill_even_odd(),
            (Some(_), None) => painter.fill_nonzero(),
            (None, Some(_)) => painter.stroke(),
            (None, None) => painter.end_path(),
        };
    }

    fn opacity(&mut self, painter: &mut Content, fill: Option<&Fill>, stroke: Option<&Stroke>) {
        let part = |opacity: f64| (opacity * 255.0).round() as u8;
        let key =
            (fill.map_or(255, |fill| part(fill.paint.opacity)), stroke.map_or(255, |line| part(line.paint.opacity)));
        self.set_opacities(painter, key);
    }

    fn set_opacities(&mut self, painter: &mut Content, key: Opacities) {
        if key != (255, 255) {
            if !self.opacities.contains_key(&key) {
                let id = self.fresh();
                self.opacities.insert(key, id);
            }
            painter.set_parameters(Name(opacity_name(key).as_bytes()));
        }
    }

    fn text(&mut self, painter: &mut Content, text: &Text) {
        if text.halo.is_some() {
            // Letters that are drawn twice would be found twice by a search.
            let halo = text.shapes(self.fonts).into_iter().find(|shape| shape.stroke.is_some());
            painter.save_state();
            halo.iter().for_each(|shape| self.shape(painter, shape));
            painter.restore_state();
        }
        let fill = Fill { paint: text.paint, is_even_odd: false };
        self.opacity(painter, Some(&fill), None);
        let [r, g, b] = parts(text.paint.color);
        let used = self.used.entry(text.font).or_insert_with(|| UsedFont::new(self.fonts, text.font));
        painter.set_fill_rgb(r, g, b).transform(matrix(text.at)).begin_text();
        painter.set_font(Name(font_name(text.font).as_bytes()), text.size as f32);
        painter.set_text_matrix([1.0, 0.0, 0.0, -1.0, 0.0, 0.0]);
        let mut positioned = painter.show_positioned();
        let mut items = positioned.items();
        let mut codes: Vec<u8> = Vec::new();
        for glyph in &text.glyphs {
            let (code, width) = used.code(glyph);
            codes.extend(code.to_be_bytes());
            // Kerning and spacing, in thousandths, subtracted from the position.
            let more = ((glyph.advance - width) * 1000.0).round();
            if more != 0.0 {
                items.show(Str(&codes)).adjust(-more as f32);
                codes.clear();
            }
        }
        if !codes.is_empty() {
            items.show(Str(&codes));
        }
        items.finish();
        positioned.finish();
        painter.end_text();
    }

    fn pixels(&mut self, painter: &mut Content, pixels: &Pixels) {
        let known = self.pictures.iter().position(|(bytes, _)| *bytes == pixels.bytes);
        let Some(at) = known.or_else(|| self.picture(&pixels.bytes)) else { return };
        // The vertical axis of pictures points up.
        let upright = pixels.at * Affine::new([1.0, 0.0, 0.0, -1.0, 0.0, 1.0]);
        painter.transform(matrix(upright)).x_object(Name(format!("P{at}").as_bytes()));
    }

    /// Writes a picture.
    fn picture(&mut self, bytes: &Arc<[u8]>) -> Option<usize> {
        let decoded = decode(bytes)?;
        let (wide, high) = (i32::try_from(decoded.size.0).ok()?, i32::try_from(decoded.size.1).ok()?);
        let [id, mask] = [(); 2].map(|()| self.fresh());
        let is_clear = decoded.rgba.chunks_exact(4).any(|pixel| pixel[3] != 255);
        // A photograph stays as it is, unless its colors are CMYK, which viewers convert differently.
        let rgb: Vec<u8> = decoded.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        let is_kept = is_jpeg(bytes) && jpeg_has_three_parts(bytes);
        let data = if is_kept { bytes.to_vec() } else { packed(&rgb) };
        let mut picture = self.pdf.image_xobject(id, &data);
        picture.filter(if is_kept { Filter::DctDecode } else { Filter::FlateDecode });
        picture.width(wide).height(high).bits_per_component(8);
        picture.color_space().device_rgb();
        if is_clear {
            picture.s_mask(mask);
        }
        picture.finish();
        if is_clear {
            let alpha = packed(&decoded.rgba.chunks_exact(4).map(|pixel| pixel[3]).collect::<Vec<u8>>());
            let mut picture = self.pdf.image_xobject(mask, &alpha);
            picture.filter(Filter::FlateDecode).pair(Name(b"Interpolate"), false);
            picture.width(wide).height(high).bits_per_component(8);
            picture.color_space().device_gray();
        }
        self.pictures.push((Arc::clone(bytes), id));
        Some(self.pictures.len() - 1)
    }

    fn group(&mut self, painter: &mut Content, group: &Group) {
        if let Some(clip) = &group.clip {
            draw(painter, clip);
            painter.clip_nonzero().end_path();
        }
        if group.opacity >= 1.0 {
            return self.items(painter, &group.items);
        }
        let mut inner = Content::new();
        self.items(&mut inner, &group.items);
        let bytes = packed(&inner.finish());
        let id = self.fresh();
        let shared = self.shared;
        let mut form = self.pdf.form_xobject(id, &bytes);
        form.filter(Filter::FlateDecode);
        form.bbox(Rect::new(-FAR, -FAR, FAR, FAR)).pair(Name(b"Resources"), shared);
        form.group().transparency().isolated(true).color_space().device_rgb();
        form.finish();
        self.groups.push(id);
        let part = (group.opacity * 255.0).round() as u8;
        self.set_opacities(painter, (part, part));
        painter.x_object(Name(format!("G{}", self.groups.len() - 1).as_bytes()));
    }

    /// Writes the objects that pages share.
    fn resources(&mut self) {
        for ((fill, stroke), id) in &self.opacities {
            let mut state = self.pdf.ext_graphics(*id);
            state.non_stroking_alpha(f32::from(*fill) / 255.0).stroking_alpha(f32::from(*stroke) / 255.0);
        }
        let mut fonts = Vec::new();
        for (font, used) in std::mem::take(&mut self.used) {
            let id = used.write(&mut self.pdf, &mut self.next, self.fonts, font);
            fonts.push((font_name(font), id));
        }
        let mut resources = self.pdf.indirect(self.shared).start::<pdf_writer::writers::Resources<'_>>();
        let mut list = resources.fonts();
        for (name, id) in &fonts {
            list.pair(Name(name.as_bytes()), *id);
        }
        list.finish();
        let mut list = resources.ext_g_states();
        for (key, id) in &self.opacities {
            list.pair(Name(opacity_name(*key).as_bytes()), *id);
        }
        list.finish();
        let mut list = resources.x_objects();
        for (at, (_, id)) in self.pictures.iter().enumerate() {
            list.pair(Name(format!("P{at}").as_bytes()), *id);
        }
        for (at, id) in self.groups.iter().enumerate() {
            list.pair(Name(format!("G{at}").as_bytes()), *id);
        }
    }
}

/// The limit of coordinates.
const FAR: f32 = 100_000.0;

fn opacity_name((fill, stroke): Opacities) -> String {
    format!("O{fill}x{stroke}")
}

fn font_name(font: usize) -> String {
    format!("F{font}")
}

fn parts(color: [u8; 3]) -> [f32; 3] {
    color.map(|part| f32::from(part) / 255.0)
}

fn matrix(at: Affine) -> [f32; 6] {
    at.as_coeffs().map(|number| ((number * 1e5).round() / 1e5) as f32)
}

/// Compresses bytes.
pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Whether the pixels of a JPEG file have three color channels.
fn jpeg_has_three_parts(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some([0xff, marker, high, low]) = bytes.get(at..at + 4) {
        if matches!(marker, 0xc0..=0xc2) {
            return bytes.get(at + 9) == Some(&3);
        }
        at += 2 + usize::from(u16::from_be_bytes([*high, *low]));
    }
    false
}

fn line(painter: &mut Content, stroke: &Stroke) {
    let [r, g, b] = parts(stroke.paint.color);
    painter.set_stroke_rgb(r, g, b).set_line_width(stroke.width as f32).set_miter_limit(4.0);
    painter.set_line_cap(match stroke.cap {
        Cap::Butt => LineCapStyle::ButtCap,
        Cap::Round => LineCapStyle::RoundCap,
        Cap::Square => LineCapStyle::ProjectingSquareCap,
    });
    painter.set_line_join(match stroke.join {
        Join::Miter => LineJoinStyle::MiterJoin,
        Join::Round => LineJoinStyle::RoundJoin,
        Join::Bevel => LineJoinStyle::BevelJoin,
    });
    if !stroke.dashes.is_empty() {
        painter.set_dash_pattern(stroke.dashes.iter().map(|length| *length as f32), 0.0);
    }
}

fn draw(painter: &mut Content, path: &BezPath) {
    let xy = |point: kurbo::Point| {
        let short = |number: f64| ((number * 100.0).round() / 100.0) as f32;
        (short(point.x), short(point.y))
    };
    let mut last = kurbo::Point::ORIGIN;
    for part in path.elements() {
        match *part {
            PathEl::MoveTo(to) => {
                painter.move_to(xy(to).0, xy(to).1);
                last = to;
            }
            PathEl::LineTo(to) => {
                painter.line_to(xy(to).0, xy(to).1);
                last = to;
            }
            PathEl::QuadTo(by, to) => {
                let (a, b) = (last.lerp(by, 2.0 / 3.0), to.lerp(by, 2.0 / 3.0));
                painter.cubic_to(xy(a).0, xy(a).1, xy(b).0, xy(b).1, xy(to).0, xy(to).1);
                last = to;
            }
            PathEl::CurveTo(a, b, to) => {
                painter.cubic_to(xy(a).0, xy(a).1, xy(b).0, xy(b).1, xy(to).0, xy(to).1);
                last = to;
            }
            PathEl::ClosePath => {
                painter.close_path();
            }
        }
    }
}
