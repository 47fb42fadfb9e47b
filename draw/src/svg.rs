//! Writes SVG elements.

use std::fmt::Write as _;

/// A drawing in progress.
#[derive(Default)]
pub struct Svg {
    text: String,
}

/// The attributes of an element, as `key = value`.
macro_rules! attrs {
    ($($key:literal = $value:expr),* $(,)?) => { &[$(($key, $crate::svg::Of::from($value))),*] };
}
pub(crate) use attrs;

/// The value of an attribute.
pub enum Of<'a> {
    /// A text. It is escaped.
    Text(&'a str),
    /// A number, rounded to tenths.
    Number(f64),
}

impl<'a> From<&'a str> for Of<'a> {
    fn from(text: &'a str) -> Self {
        Of::Text(text)
    }
}
impl<'a> From<&'a String> for Of<'a> {
    fn from(text: &'a String) -> Self {
        Of::Text(text)
    }
}
impl From<f64> for Of<'_> {
    fn from(number: f64) -> Self {
        Of::Number(number)
    }
}

/// A number with at most one decimal place.
pub fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    if tenths == 0.0 { "0".to_owned() } else { tenths.to_string() }
}

/// Escapes text for an element or a quoted attribute.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML does not allow other control characters.
            control if control.is_control() && !matches!(control, '\n' | '\t') => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Bytes in base 64.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let all = chunk.iter().fold(0_u32, |all, byte| all << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = all >> (18 - 6 * place) & 63;
            text.push(if place <= chunk.len() { char::from(DIGITS[digit as usize]) } else { '=' });
        }
    }
    text
}

/// The bytes that text in base 64 stands for; `None` if it has other letters.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut all, mut bits) = (0_u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        all = all << 6 | u32::from(digit(letter)?);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((all >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

impl Svg {
    fn tag(&mut self, name: &str, attributes: &[(&str, Of<'_>)]) {
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            let value = match value {
                Of::Text(text) => escape(text),
                Of::Number(value) => number(*value),
            };
            // Writing to a string cannot fail.
            let _ = write!(self.text, " {key}=\"{value}\"");
        }
    }

    /// Opens an element. Close it with [`Svg::close`].
    pub fn open(&mut self, name: &str, attributes: &[(&str, Of<'_>)]) {
        self.tag(name, attributes);
        self.text.push('>');
    }

    /// Closes an element.
    pub fn close(&mut self, name: &str) {
        let _ = write!(self.text, "</{name}>");
    }

    /// An element without content.
    pub fn put(&mut self, name: &str, attributes: &[(&str, Of<'_>)]) {
        self.tag(name, attributes);
        self.text.push_str("/>");
    }

    /// An element that holds text.
    pub fn write(&mut self, name: &str, attributes: &[(&str, Of<'_>)], content: &str) {
        self.open(name, attributes);
        self.text.push_str(&escape(content));
        self.close(name);
    }

    /// Adds elements that this module wrote, or shapes that the check of looks wrote.
    pub fn raw(&mut self, elements: &str) {
        self.text.push_str(elements);
    }

    /// The elements, without an `<svg>` around them.
    pub fn inner(self) -> String {
        self.text
    }

    /// The complete drawing with a view box, and a title for screen readers.
    pub fn finish(self, (left, top, width, height): (f64, f64, f64, f64), class: &str, title: &str) -> String {
        let view = [left, top, width, height].map(number).join(" ");
        let (class, title) = (escape(class), escape(title));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{view}\" class=\"drawing {class}\"><title>{title}</title>{}</svg>",
            self.text
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_packs_cannot_break_out() {
        let mut svg = Svg::default();
        svg.write("text", &[("data-id", "\"><script>".into())], "</text><script>alert(1)</script>\u{1}");
        let text = svg.finish((0.0, 0.0, 1.04, 1.0), "board", "<b>");
        assert!(!text.contains("<script") && !text.contains("<b>") && !text.contains('\u{1}'), "{text}");
        assert!(text.contains("viewBox=\"0 0 1 1\""), "{text}");
    }

    #[test]
    fn bytes_are_encoded() {
        let texts = ["", "f", "fo", "foo", "foob"].map(|bytes| base64(bytes.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
        let bytes = texts.each_ref().map(|text| from_base64(text));
        assert_eq!(bytes, ["", "f", "fo", "foo", "foob"].map(|bytes| Some(bytes.as_bytes().to_vec())));
        assert_eq!(from_base64("Zm-v"), None);
    }
}
