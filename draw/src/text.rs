//! How wide text is, roughly, and how it is broken into lines.

/// Fonts differ: text is assumed to be a bit wider than in most.
const WIDER: f64 = 1.15;

/// The width of a text in a common serif, in parts of the font size.
pub fn width(text: &str) -> f64 {
    let letter = |letter: char| match letter {
        'i' | 'j' | 'l' | 't' | 'f' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.3,
        ' ' | 'r' | 's' | '(' | ')' | '-' => 0.38,
        'm' | 'w' | 'M' | 'W' | '—' => 0.85,
        'A'..='Z' => 0.68,
        _ => 0.5,
    };
    text.chars().map(letter).sum::<f64>() * WIDER
}

/// The words of a text in lines of at most a width, which is in parts of the font size. A longer word stands alone.
pub fn wrap(text: &str, most: f64) -> Vec<String> {
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

/// A text cut so that it fits a width, with an ellipsis where something is missing.
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
    fn lines_are_no_longer_than_they_may_be() {
        let lines = wrap("Gain 2 gold for each Castle that you control, at most 4.", 12.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line) <= 12.0), "{lines:?}");
        assert_eq!(lines.join(" "), "Gain 2 gold for each Castle that you control, at most 4.");
        assert_eq!(fit("Short", 10.0), "Short");
        assert!(fit("A very long name of a place", 6.0).ends_with('…'));
    }
}
