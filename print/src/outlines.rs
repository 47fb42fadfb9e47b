//! A scene as a self-contained SVG file. Letters are paths, so that it looks the same everywhere.

use std::fmt::Write as _;

use kurbo::Affine;

use crate::font::Fonts;
use crate::scene::{Cap, Item, Join, Paint, Scene, Shape};

/// Writes a scene as a file with this width and height in millimeters.
pub fn write(scene: &Scene, fonts: &Fonts, (wide, high): (f64, f64), title: &str) -> String {
    let mut writer = Writer { fonts, text: String::new(), clips: 0 };
    writer.items(&scene.items);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\"><title>{}</title>{}</svg>\n",
        short(wide),
        short(high),
        short(scene.size.0),
        short(scene.size.1),
        principes_draw::escape(title),
        writer.text
    )
}

struct Writer<'w> {
    fonts: &'w Fonts,
    text: String,
    clips: usize,
}

impl Writer<'_> {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(text);
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Shape(shape) => self.shape(shape),
                Item::Text(text) => {
                    self.text.push_str("<g>");
                    text.shapes(self.fonts).iter().for_each(|shape| self.shape(shape));
                    self.text.push_str("</g>");
                }
                Item::Pixels(pixels) => {
                    let media = if crate::pixels::is_jpeg(&pixels.bytes) { "jpeg" } else { "png" };
                    let data = principes_draw::base64(&pixels.bytes);
                    self.put(format_args!(
                        "<image width=\"1\" height=\"1\" preserveAspectRatio=\"none\" transform=\"{}\" href=\"data:image/{media};base64,{data}\"/>",
                        matrix(pixels.at)
                    ));
                }
                Item::Group(group) => {
                    let clip = group.clip.as_ref().map(|clip| {
                        self.clips += 1;
                        let (id, path) = (self.clips, rounded(clip).to_svg());
                        self.put(format_args!("<clipPath id=\"c{id}\"><path d=\"{path}\"/></clipPath>"));
                        format!(" clip-path=\"url(#c{id})\"")
                    });
                    self.put(format_args!("<g{}", clip.unwrap_or_default()));
                    if group.opacity < 1.0 {
                        self.put(format_args!(" opacity=\"{}\"", short(group.opacity)));
                    }
                    self.text.push('>');
                    self.items(&group.items);
                    self.text.push_str("</g>");
                }
            }
        }
    }

    fn shape(&mut self, shape: &Shape) {
        self.put(format_args!("<path d=\"{}\"", rounded(&shape.path).to_svg()));
        if shape.at != Affine::IDENTITY {
            self.put(format_args!(" transform=\"{}\"", matrix(shape.at)));
        }
        match &shape.fill {
            Some(fill) => {
                self.paint("fill", fill.paint);
                if fill.is_even_odd {
                    self.text.push_str(" fill-rule=\"evenodd\"");
                }
            }
            None => self.text.push_str(" fill=\"none\""),
        }
        if let Some(stroke) = &shape.stroke {
            self.paint("stroke", stroke.paint);
            self.put(format_args!(" stroke-width=\"{}\"", short(stroke.width)));
            match stroke.cap {
                Cap::Butt => {}
                Cap::Round => self.text.push_str(" stroke-linecap=\"round\""),
                Cap::Square => self.text.push_str(" stroke-linecap=\"square\""),
            }
            match stroke.join {
                Join::Miter => {}
                Join::Round => self.text.push_str(" stroke-linejoin=\"round\""),
                Join::Bevel => self.text.push_str(" stroke-linejoin=\"bevel\""),
            }
            if !stroke.dashes.is_empty() {
                let dashes: Vec<String> = stroke.dashes.iter().map(|length| short(*length)).collect();
                self.put(format_args!(" stroke-dasharray=\"{}\"", dashes.join(" ")));
            }
        }
        self.text.push_str("/>");
    }

    fn paint(&mut self, key: &str, paint: Paint) {
        let [r, g, b] = paint.color;
        self.put(format_args!(" {key}=\"#{r:02x}{g:02x}{b:02x}\""));
        if paint.opacity < 1.0 {
            self.put(format_args!(" {key}-opacity=\"{}\"", short(paint.opacity)));
        }
    }
}

/// A path whose numbers have few digits.
fn rounded(path: &kurbo::BezPath) -> kurbo::BezPath {
    let part =
        |point: kurbo::Point| kurbo::Point::new((point.x * 100.0).round() / 100.0, (point.y * 100.0).round() / 100.0);
    path.elements()
        .iter()
        .map(|element| match *element {
            kurbo::PathEl::MoveTo(to) => kurbo::PathEl::MoveTo(part(to)),
            kurbo::PathEl::LineTo(to) => kurbo::PathEl::LineTo(part(to)),
            kurbo::PathEl::QuadTo(a, to) => kurbo::PathEl::QuadTo(part(a), part(to)),
            kurbo::PathEl::CurveTo(a, b, to) => kurbo::PathEl::CurveTo(part(a), part(b), part(to)),
            kurbo::PathEl::ClosePath => kurbo::PathEl::ClosePath,
        })
        .collect()
}

fn matrix(at: Affine) -> String {
    let parts: Vec<String> = at.as_coeffs().iter().map(|number| format!("{:.5}", number)).collect();
    format!("matrix({})", parts.join(" "))
}

fn short(number: f64) -> String {
    let rounded = (number * 1000.0).round() / 1000.0;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}
