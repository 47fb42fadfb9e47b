//! The approximate width of text, and line breaks.

/// A factor for readers who do not have the font of the drawings: other fonts are slightly wider.
const WIDER: f64 = 1.06;

/// The widths of the characters from space to tilde in the serif font of the drawings, in hundredths of the font size.
const WIDTHS: [u8; 95] = [
    20, 41, 34, 59, 55, 86, 74, 20, 29, 29, 44, 55, 26, 42, 24, 36, 59, 37, 53, 51, 56, 50, 54, 48, 52, 54, 24, 26, 55,
    55, 55, 54, 100, 70, 62, 65, 73, 60, 56, 73, 75, 35, 33, 68, 56, 93, 74, 73, 58, 73, 68, 55, 58, 68, 69, 100, 67,
    63, 63, 27, 38, 27, 55, 55, 30, 50, 55, 45, 56, 47, 34, 51, 60, 30, 28, 55, 30, 88, 60, 53, 57, 55, 42, 43, 35, 56,
    53, 77, 52, 54, 50, 33, 17, 33, 55,
];

/// The width of a text in the serif font of the drawings, as a multiple of the font size.
pub fn width(text: &str) -> f64 {
    let letter = |letter: char| {
        let at = (letter as usize).checked_sub(32).and_then(|at| WIDTHS.get(at));
        match (at, letter) {
            (Some(width), _) => f64::from(*width) / 100.0,
            (None, '—') => 1.0,
            (None, 'ł' | 'í' | '’' | '·') => 0.32,
            (None, other) if other.is_uppercase() => 0.68,
            (None, _) => 0.54,
        }
    };
    text.chars().map(letter).sum::<f64>() * WIDER
}

/// Breaks a text into lines of a limited width, which is a multiple of the font size, and where it has a line break. A
/// longer word gets a line of its own.
pub fn wrap(text: &str, most: f64) -> Vec<String> {
    text.split('\n').flat_map(|paragraph| wrap_paragraph(paragraph, most)).collect()
}

fn wrap_paragraph(text: &str, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 0.25 + width(word) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Cuts a text to a width, with an ellipsis if something is missing.
pub fn fit(text: &str, most: f64) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        if width(&short) + width(&letter.to_string()) + 1.0 > most {
            break;
        }
        short.push(letter);
    }
    format!("{}…", short.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_their_width() {
        let lines = wrap("Gain 2 gold for each Castle that you control, at most 4.", 12.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line) <= 12.0), "{lines:?}");
        assert_eq!(lines.join(" "), "Gain 2 gold for each Castle that you control, at most 4.");
        assert_eq!(wrap("Gain gold.\n\nThen rest.", 12.0), ["Gain gold.", "Then rest."]);
        assert_eq!(fit("Short", 10.0), "Short");
        assert!(fit("A very long name of a place", 6.0).ends_with('…'));
    }
}
