//! Pictures in SVG: only what draws is read, everything else is refused, and the result is rewritten.

use std::fmt::Write as _;

use principes_model::Picture;

use super::path::{FARTHEST, clean, parts};

/// The most elements of a picture.
const MOST_ELEMENTS: usize = 3000;
/// The most tags of a picture, with those that only drawing programs read.
const MOST_MARKS: usize = 10 * MOST_ELEMENTS;
/// The most parts of all paths of a picture.
const MOST_PARTS: usize = 60_000;
/// The most numbers in a list.
const MOST_NUMBERS: usize = 8_000;
/// The most attributes of an element.
const MOST_ATTRIBUTES: usize = 200;
/// How often a picture may name a format.
const MOST_FORMATS: usize = 100;
/// The depth limit of groups.
const DEEPEST: usize = 30;

/// The numbers of each element, by its name.
const SHAPES: &[(&str, &[&str])] = &[
    ("g", &[]),
    ("path", &[]),
    ("rect", &["x", "y", "width", "height", "rx", "ry"]),
    ("circle", &["cx", "cy", "r"]),
    ("ellipse", &["cx", "cy", "rx", "ry"]),
    ("line", &["x1", "y1", "x2", "y2"]),
    ("polyline", &[]),
    ("polygon", &[]),
];

/// Reads a picture; an error says why the picture is refused.
pub fn read(text: &str) -> Result<Picture, String> {
    // The reader compares attributes and names of formats with each other.
    if text.matches("xmlns").count() > MOST_FORMATS {
        return Err(format!("it has more than {MOST_FORMATS} `xmlns`"));
    }
    if text.split('<').any(|element| element.bytes().filter(|byte| *byte == b'=').count() > MOST_ATTRIBUTES) {
        return Err(format!("an element has more than {MOST_ATTRIBUTES} attributes"));
    }
    if text.matches('<').count() > MOST_MARKS {
        return Err(format!("it has more than {MOST_MARKS} tags"));
    }
    let document = roxmltree::Document::parse(text).map_err(|error| error.to_string())?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return Err("it does not begin with `<svg>`".to_owned());
    }
    let view = view_box(root)?;
    let mut writer = PictureWriter { elements: String::new(), count: 0, parts: 0 };
    writer.children(root, 0)?;
    Ok(Picture::Shapes { elements: writer.elements, view })
}

fn view_box(root: roxmltree::Node<'_, '_>) -> Result<[f64; 4], String> {
    let given = root.attribute("viewBox").ok_or("it has no `viewBox`")?;
    let numbers = numbers(given)?;
    let view: [f64; 4] = numbers.try_into().map_err(|_| "its `viewBox` does not have four numbers")?;
    if view[2] <= 0.0 || view[3] <= 0.0 {
        return Err("its `viewBox` is empty".to_owned());
    }
    Ok(view)
}

struct PictureWriter {
    elements: String,
    count: usize,
    parts: usize,
}

impl PictureWriter {
    fn children(&mut self, node: roxmltree::Node<'_, '_>, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("its groups are nested more than {DEEPEST} times"));
        }
        for child in node.children() {
            if child.is_text() && child.text().is_none_or(|text| text.trim().is_empty()) || child.is_comment() {
                continue;
            }
            if !child.is_element() {
                return Err("it contains something other than elements".to_owned());
            }
            // Notes of drawing programs are left out.
            let name = child.tag_name().name();
            let is_svg = child.tag_name().namespace().is_none_or(|space| space == "http://www.w3.org/2000/svg");
            if !is_svg || matches!(name, "title" | "desc" | "metadata") {
                continue;
            }
            self.element(child, name, depth)?;
        }
        Ok(())
    }

    fn element(&mut self, node: roxmltree::Node<'_, '_>, name: &str, depth: usize) -> Result<(), String> {
        self.count += 1;
        if self.count > MOST_ELEMENTS {
            return Err(format!("it has more than {MOST_ELEMENTS} elements"));
        }
        let Some((name, lengths)) = SHAPES.iter().find(|(known, _)| *known == name) else {
            return Err(format!("it contains the element `{}`", principes_findings::escape::line(name)));
        };
        let mut written = format!("<{name}");
        for attribute in node.attributes() {
            if attribute.namespace().is_some() || matches!(attribute.name(), "id" | "class") {
                continue;
            }
            let (key, value) = (attribute.name(), attribute.value().trim());
            if key == "style" {
                for part in value.split(';').filter(|part| !part.trim().is_empty()) {
                    let (key, value) = part.split_once(':').ok_or("a `style` has no value")?;
                    write_paint(&mut written, key.trim(), value.trim())?;
                }
            } else if lengths.contains(&key) {
                let number = number(value)?;
                let _ = write!(written, " {key}=\"{number}\"");
            } else if key == "d" && *name == "path" {
                self.parts += parts(value)?;
                if self.parts > MOST_PARTS {
                    return Err(format!("its paths have more than {MOST_PARTS} parts together"));
                }
                let _ = write!(written, " d=\"{}\"", clean(value)?);
            } else if key == "points" && matches!(*name, "polyline" | "polygon") {
                let points: Vec<String> = numbers(value)?.iter().map(f64::to_string).collect();
                let _ = write!(written, " points=\"{}\"", points.join(" "));
            } else {
                write_paint(&mut written, key, value)?;
            }
        }
        self.elements.push_str(&written);
        if *name == "g" {
            self.elements.push('>');
            self.children(node, depth + 1)?;
            self.elements.push_str("</g>");
        } else if node.children().any(|child| child.is_element()) {
            return Err(format!("its `{name}` contains elements"));
        } else {
            self.elements.push_str("/>");
        }
        Ok(())
    }
}

/// Writes an attribute for painting.
fn write_paint(written: &mut String, key: &str, value: &str) -> Result<(), String> {
    let refused = || format!("it contains the attribute `{}`", principes_findings::escape::line(key));
    let value = match key {
        "fill" | "stroke" => paint(value).ok_or_else(refused)?,
        "fill-rule" => one_of(value, &["evenodd", "nonzero"]).ok_or_else(refused)?,
        "stroke-linecap" => one_of(value, &["butt", "round", "square"]).ok_or_else(refused)?,
        "stroke-linejoin" => one_of(value, &["miter", "round", "bevel"]).ok_or_else(refused)?,
        "opacity" | "fill-opacity" | "stroke-opacity" | "stroke-width" | "stroke-miterlimit" => {
            number(value)?.to_string()
        }
        "stroke-dasharray" if value == "none" => value.to_owned(),
        "stroke-dasharray" => numbers(value)?.iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
        "transform" => transform(value).ok_or_else(refused)?,
        _ => return Err(refused()),
    };
    let _ = write!(written, " {key}=\"{value}\"");
    Ok(())
}

fn one_of(value: &str, known: &[&str]) -> Option<String> {
    known.contains(&value).then(|| value.to_owned())
}

/// A plain color, checked.
fn paint(value: &str) -> Option<String> {
    let is_hex = value
        .strip_prefix('#')
        .is_some_and(|digits| [3, 6].contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let is_word = value.len() < 20 && value.bytes().all(|letter| letter.is_ascii_lowercase());
    (is_hex || is_word).then(|| value.to_owned())
}

/// A list of plain transformations, checked.
fn transform(value: &str) -> Option<String> {
    let mut written = Vec::new();
    for part in value.split(')').map(|part| part.trim_matches([' ', ',', '\n', '\t'])).filter(|part| !part.is_empty()) {
        let (name, arguments) = part.split_once('(')?;
        let name = one_of(name.trim(), &["translate", "scale", "rotate", "matrix", "skewX", "skewY"])?;
        let arguments: Vec<String> = numbers(arguments).ok()?.iter().map(f64::to_string).collect();
        written.push(format!("{name}({})", arguments.join(" ")));
    }
    Some(written.join(" "))
}

fn number(text: &str) -> Result<f64, String> {
    let text = text.strip_suffix("px").unwrap_or(text);
    let number: f64 = text.parse().map_err(|_| "a number in it cannot be read".to_owned())?;
    match number.is_finite() && number.abs() <= FARTHEST {
        true => Ok(number),
        false => Err("a number in it is too large".to_owned()),
    }
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let parts = || text.split([' ', ',', '\n', '\t', '\r']).filter(|part| !part.is_empty());
    if parts().nth(MOST_NUMBERS).is_some() {
        return Err(format!("a list in it has more than {MOST_NUMBERS} numbers"));
    }
    parts().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(elements: &str) -> Result<Picture, String> {
        read(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\">{elements}</svg>"))
    }

    #[test]
    fn shapes_are_written_again() {
        let given = "<g style='fill:#fff;stroke-width:2px' id='a'><path d='M1,1h3v3z' transform='rotate(3, 1 2)'/></g>";
        let Ok(Picture::Shapes { elements, view }) = inside(given) else { panic!("refused") };
        let again =
            "<g fill=\"#fff\" stroke-width=\"2\"><path d=\"M1,1 L4,1 L4,4 Z\" transform=\"rotate(3 1 2)\"/></g>";
        assert_eq!((elements.as_str(), view), (again, [0.0, 0.0, 24.0, 24.0]));
    }

    #[test]
    fn whatever_could_do_more_than_draw_is_refused() {
        for hostile in [
            "<script>alert(1)</script>",
            "<rect width='1' height='1' onload='alert(1)'/>",
            "<image href='http://example.com/x.png'/>",
            "<use href='#a'/>",
            "<foreignObject/>",
            "<style>*{}</style>",
            "<a href='javascript:alert(1)'><rect/></a>",
            "<rect fill='url(http://example.com/#a)'/>",
            "<rect style='fill:url(#a)'/>",
            "<rect style='background:red'/>",
            "<path d='M0 0\"/><script>'/>",
            "<animate attributeName='x'/>",
            "<rect width='1e9'/>",
            "text",
            "<rect><rect/></rect>",
            "<g transform='expression(1)'/>",
        ] {
            assert!(inside(hostile).is_err(), "{hostile}");
        }
        assert!(read("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg viewBox='0 0 1 1'/>").is_err());
        assert!(read("<svg/>").is_err() && read("<svg viewBox='0 0 0 1'/>").is_err() && read("x").is_err());
        assert!(inside(&"<g>".repeat(40)).is_err());
    }
}
