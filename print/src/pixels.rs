//! Pixels: reading the pictures of looks, and painting scenes.

use std::io::Cursor;

use kurbo::{Affine, BezPath, PathEl, Rect, Shape as _};
use tiny_skia::{
    ColorU8, FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, PixmapPaint,
    PremultipliedColorU8, Stroke, StrokeDash, Transform,
};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::font::Fonts;
use crate::scene::{Cap, Group, Item, Join, Pixels, Scene, Shape};

/// The most pixels of a picture.
pub const MOST: u64 = 100_000_000;
/// Millimeters per inch.
pub const INCH: f64 = 25.4;

/// The pixels of a picture: red, green, blue and opacity, line by line.
pub struct Decoded {
    /// Its width and height.
    pub size: (u32, u32),
    /// Four bytes for each pixel.
    pub rgba: Vec<u8>,
}

/// Whether bytes are a JPEG file.
pub fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xd8])
}

/// The width and height of a PNG or JPEG file.
pub fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    if is_jpeg(bytes) {
        let mut decoder = JpegDecoder::new(ZCursor::new(bytes));
        decoder.decode_headers().ok()?;
        let (wide, high) = decoder.dimensions()?;
        return Some((u32::try_from(wide).ok()?, u32::try_from(high).ok()?));
    }
    let reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    Some((reader.info().width, reader.info().height))
}

/// Reads a PNG or JPEG file that is not too large.
pub fn decode(bytes: &[u8]) -> Option<Decoded> {
    let (wide, high) = size(bytes).filter(|(wide, high)| u64::from(*wide) * u64::from(*high) <= MOST)?;
    if is_jpeg(bytes) {
        let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGBA);
        let rgba = JpegDecoder::new_with_options(ZCursor::new(bytes), options).decode().ok()?;
        return Some(Decoded { size: (wide, high), rgba });
    }
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let mut buffer = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut buffer).ok()?;
    let pixels = &buffer[..info.buffer_size()];
    let rgba = match info.color_type {
        png::ColorType::Rgba => pixels.to_vec(),
        png::ColorType::Rgb => pixels.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect(),
        png::ColorType::GrayscaleAlpha => pixels.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
        png::ColorType::Grayscale => pixels.iter().flat_map(|p| [*p, *p, *p, 255]).collect(),
        png::ColorType::Indexed => return None,
    };
    Some(Decoded { size: (wide, high), rgba })
}

/// What a scene is painted on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Canvas {
    /// White paper. The picture states the pixels per inch.
    Paper(f64),
    /// Glass: unpainted pixels are transparent.
    Glass,
}

/// Paints a scene with a width in pixels as a PNG file. `None` if the picture would be too large.
pub fn png(scene: &Scene, fonts: &Fonts, wide: f64, canvas: Canvas) -> Option<Vec<u8>> {
    let picture = paint(scene, fonts, wide, canvas)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_depth(png::BitDepth::Eight);
    let data: Vec<u8> = match canvas {
        Canvas::Paper(dots) => {
            let per_meter = (dots / INCH * 1000.0).round() as u32;
            let unit = png::Unit::Meter;
            encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: per_meter, yppu: per_meter, unit }));
            encoder.set_color(png::ColorType::Rgb);
            picture.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
        }
        Canvas::Glass => {
            encoder.set_color(png::ColorType::Rgba);
            let plain = |pixel: &PremultipliedColorU8| pixel.demultiply();
            let rgba = |pixel: ColorU8| [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()];
            picture.pixels().iter().map(plain).flat_map(rgba).collect()
        }
    };
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&data).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

/// Paints a scene with a width in pixels.
fn paint(scene: &Scene, fonts: &Fonts, wide: f64, canvas: Canvas) -> Option<Pixmap> {
    let scale = wide / scene.size.0;
    let (wide, high) = (wide.round().max(1.0), (scene.size.1 * scale).round().max(1.0));
    if wide * high > MOST as f64 {
        return None;
    }
    let mut picture = Pixmap::new(wide as u32, high as u32)?;
    if canvas != Canvas::Glass {
        picture.fill(tiny_skia::Color::WHITE);
    }
    let mut painter = Painter { fonts, picture, at: Affine::scale(scale), mask: None };
    painter.items(&scene.items);
    Some(painter.picture)
}

/// The surface to paint on. A group has a separate surface of its own size.
struct Painter<'p> {
    fonts: &'p Fonts,
    picture: Pixmap,
    at: Affine,
    /// The clip path.
    mask: Option<Mask>,
}

impl Painter<'_> {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Shape(shape) => self.shape(shape),
                Item::Text(text) => text.shapes(self.fonts).iter().for_each(|shape| self.shape(shape)),
                Item::Pixels(pixels) => self.pixels(pixels),
                Item::Group(group) => self.group(group),
            }
        }
    }

    fn shape(&mut self, shape: &Shape) {
        let Some(path) = path(&shape.path) else { return };
        let at = transform(self.at * shape.at);
        let (picture, mask) = (&mut self.picture, self.mask.as_ref());
        if let Some(fill) = &shape.fill {
            let rule = if fill.is_even_odd { FillRule::EvenOdd } else { FillRule::Winding };
            picture.fill_path(&path, &color(fill.paint), rule, at, mask);
        }
        if let Some(line) = &shape.stroke {
            let stroke = Stroke {
                width: line.width as f32,
                miter_limit: 4.0,
                line_cap: match line.cap {
                    Cap::Butt => LineCap::Butt,
                    Cap::Round => LineCap::Round,
                    Cap::Square => LineCap::Square,
                },
                line_join: match line.join {
                    Join::Miter => LineJoin::Miter,
                    Join::Round => LineJoin::Round,
                    Join::Bevel => LineJoin::Bevel,
                },
                dash: StrokeDash::new(line.dashes.iter().map(|length| *length as f32).collect(), 0.0),
            };
            picture.stroke_path(&path, &color(line.paint), &stroke, at, mask);
        }
    }

    fn pixels(&mut self, pixels: &Pixels) {
        let Some(decoded) = decode(&pixels.bytes) else { return };
        let (wide, high) = decoded.size;
        let Some(mut picture) = Pixmap::new(wide, high) else { return };
        for (pixel, rgba) in picture.pixels_mut().iter_mut().zip(decoded.rgba.chunks_exact(4)) {
            let [r, g, b, a] = [rgba[0], rgba[1], rgba[2], rgba[3]];
            let part = |value: u8| ((u16::from(value) * u16::from(a) + 127) / 255) as u8;
            if let Some(color) = PremultipliedColorU8::from_rgba(part(r), part(g), part(b), a) {
                *pixel = color;
            }
        }
        let scale = Affine::scale_non_uniform(1.0 / f64::from(wide), 1.0 / f64::from(high));
        let at = transform(self.at * pixels.at * scale);
        let paint = PixmapPaint { quality: FilterQuality::Bicubic, ..PixmapPaint::default() };
        self.picture.draw_pixmap(0, 0, picture.as_ref(), &paint, at, self.mask.as_ref());
    }

    fn group(&mut self, group: &Group) {
        let all = group.items.iter().map(Item::bounds).reduce(|all, one| all.union(one)).unwrap_or_default();
        let seen = group.clip.as_ref().map_or(all, |clip| all.intersect(clip.bounding_box()));
        let here = self.at.transform_rect_bbox(seen).expand();
        let paper = Rect::new(0.0, 0.0, f64::from(self.picture.width()), f64::from(self.picture.height()));
        let part = here.intersect(paper);
        let Some(picture) = Pixmap::new(part.width() as u32, part.height() as u32) else { return };
        let at = Affine::translate((-part.x0, -part.y0)) * self.at;
        let mask = group.clip.as_ref().and_then(|clip| {
            let mut mask = Mask::new(picture.width(), picture.height())?;
            mask.fill_path(&path(clip)?, FillRule::Winding, true, transform(at));
            Some(mask)
        });
        let mut inner = Painter { fonts: self.fonts, picture, at, mask };
        inner.items(&group.items);
        let paint = PixmapPaint { opacity: group.opacity as f32, ..PixmapPaint::default() };
        let (x, y) = (part.x0 as i32, part.y0 as i32);
        self.picture.draw_pixmap(x, y, inner.picture.as_ref(), &paint, Transform::identity(), self.mask.as_ref());
    }
}

fn color(paint: crate::scene::Paint) -> Paint<'static> {
    let [r, g, b] = paint.color;
    let mut own = Paint::default();
    own.set_color_rgba8(r, g, b, (paint.opacity * 255.0).round() as u8);
    own
}

fn transform(at: Affine) -> Transform {
    let [a, b, c, d, e, f] = at.as_coeffs().map(|number| number as f32);
    Transform::from_row(a, b, c, d, e, f)
}

fn path(path: &BezPath) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for part in path.elements() {
        let xy = |point: &kurbo::Point| (point.x as f32, point.y as f32);
        match part {
            PathEl::MoveTo(to) => builder.move_to(xy(to).0, xy(to).1),
            PathEl::LineTo(to) => builder.line_to(xy(to).0, xy(to).1),
            PathEl::QuadTo(a, to) => builder.quad_to(xy(a).0, xy(a).1, xy(to).0, xy(to).1),
            PathEl::CurveTo(a, b, to) => {
                builder.cubic_to(xy(a).0, xy(a).1, xy(b).0, xy(b).1, xy(to).0, xy(to).1);
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish()
}
