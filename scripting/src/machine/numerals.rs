//! Converts numbers to text and back without the C library, whose results differ between systems.

/// The most characters of a width or precision, as in the C library.
const WIDEST: usize = 99;

/// A number in the format of `%e`, `%f` or `%g`. `flags` is the text between the percent sign and the letter.
pub fn written(flags: &str, letter: &str, value: f64) -> Result<String, String> {
    let wrong = || format!("string.format: `%{flags}{letter}` is not a number format; write `%.2f`, for example");
    if !value.is_finite() {
        return Err(format!("string.format: `%{letter}` needs a finite number, found infinity or NaN"));
    }
    let rest = flags.trim_start_matches(['-', '+', ' ', '0']);
    let marks = &flags[..flags.len() - rest.len()];
    let (width, precision) = match rest.split_once('.') {
        Some((width, precision)) => (width, bounded(precision).ok_or_else(wrong)?),
        None => (rest, 6),
    };
    let width = bounded(width).ok_or_else(wrong)?;
    let digits = digits(&letter.to_ascii_lowercase(), precision, value.abs()).ok_or_else(wrong)?;
    let sign = match value.is_sign_negative() {
        true => "-",
        false if marks.contains('+') => "+",
        false if marks.contains(' ') => " ",
        false => "",
    };
    let missing = width.saturating_sub(sign.len() + digits.len());
    let text = match (marks.contains('-'), marks.contains('0')) {
        (true, _) => format!("{sign}{digits}{}", " ".repeat(missing)),
        (false, true) => format!("{sign}{}{digits}", "0".repeat(missing)),
        (false, false) => format!("{}{sign}{digits}", " ".repeat(missing)),
    };
    Ok(if letter.starts_with(|letter: char| letter.is_ascii_uppercase()) { text.to_ascii_uppercase() } else { text })
}

/// A width or precision; 0 if missing.
fn bounded(text: &str) -> Option<usize> {
    if text.is_empty() {
        return Some(0);
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number <= WIDEST)
}

/// A number of at least 0, in the format of a letter.
fn digits(letter: &str, precision: usize, value: f64) -> Option<String> {
    match letter {
        "f" => Some(format!("{value:.precision$}")),
        "e" => scientific(precision, value).map(|(digits, exponent)| with_exponent(&digits, exponent)),
        "g" => {
            let most = precision.max(1);
            let (digits, exponent) = scientific(most - 1, value)?;
            let plain = usize::try_from(exponent + 4).is_ok() && exponent < i32::try_from(most).ok()?;
            Some(match plain {
                true => {
                    let places = usize::try_from(i32::try_from(most).ok()? - 1 - exponent).ok()?;
                    shortened(&format!("{value:.places$}")).to_owned()
                }
                false => with_exponent(shortened(&digits), exponent),
            })
        }
        _ => None,
    }
}

/// The digits of a number, one of them before the point, and its exponent.
fn scientific(precision: usize, value: f64) -> Option<(String, i32)> {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e')?;
    Some((digits.to_owned(), exponent.parse().ok()?))
}

fn with_exponent(digits: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

/// Removes zeros at the end of a fraction.
fn shortened(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// The number in a text: a decimal numeral, or a whole number of up to 13 hexadecimal digits after `0x`.
pub fn numeral(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?.trim_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => {
            let whole = hex.len() <= 13 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            // At most 52 bits, which a float represents exactly.
            u64::from_str_radix(hex, 16).ok().filter(|_| whole)? as f64
        }
        None => {
            let starts = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.');
            let known = digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
            digits.parse().ok().filter(|_| starts && known)?
        }
    };
    Some(if negative { -value } else { value })
}
