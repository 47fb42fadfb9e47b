//! The values of strings and numbers in a script, exactly as in Luau.

use std::ops::Range;

/// The value of a string.
pub(crate) struct Decoded {
    /// Escapes replaced; they need not be UTF-8.
    pub bytes: Vec<u8>,
    /// The first escape that Lua 5.1 does not have.
    pub beyond: Option<Range<usize>>,
}

/// The value of the content of quotes, with escapes resolved, or the range of an invalid escape.
pub(crate) fn quoted(raw: &str) -> Result<Decoded, Range<usize>> {
    let source = raw.as_bytes();
    let mut decoded = Decoded { bytes: Vec::with_capacity(source.len()), beyond: None };
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        if byte != b'\\' {
            decoded.bytes.push(byte);
            at += 1;
            continue;
        }
        let start = at;
        let Some(&escape) = source.get(at + 1) else { return Err(start..at + 1) };
        at += 2;
        let known = escaped(source, &mut at, escape, &mut decoded.bytes).ok_or_else(|| place(raw, start, at))?;
        if !known && decoded.beyond.is_none() {
            decoded.beyond = Some(place(raw, start, at));
        }
    }
    Ok(decoded)
}

/// A range extended to whole characters.
fn place(raw: &str, start: usize, end: usize) -> Range<usize> {
    let mut end = end.min(raw.len());
    while !raw.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Adds the character of an escape whose letter is before `at`. Returns whether Lua 5.1 has the escape; `None` if it is
/// invalid.
fn escaped(source: &[u8], at: &mut usize, escape: u8, out: &mut Vec<u8>) -> Option<bool> {
    let known = !matches!(escape, b'x' | b'z' | b'u');
    match escape {
        b'\r' => {
            out.push(b'\n');
            *at += usize::from(source.get(*at) == Some(&b'\n'));
        }
        b'n' => out.push(b'\n'),
        b't' => out.push(b'\t'),
        b'r' => out.push(b'\r'),
        b'a' => out.push(7),
        b'b' => out.push(8),
        b'f' => out.push(12),
        b'v' => out.push(11),
        b'x' => {
            let digits = std::str::from_utf8(source.get(*at..*at + 2)?).ok()?;
            let hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            out.push(u8::from_str_radix(digits, 16).ok().filter(|_| hex)?);
            *at += 2;
        }
        b'z' => *at += source[*at..].iter().take_while(|b| matches!(b, b' ' | b'\t'..=b'\r')).count(),
        b'u' => {
            let code = unicode(source, at)?;
            push_utf8(code, out)?;
        }
        b'0'..=b'9' => {
            let mut code = u32::from(escape - b'0');
            for _ in 0..2 {
                let Some(digit) = source.get(*at).filter(|b| b.is_ascii_digit()) else { break };
                code = code * 10 + u32::from(digit - b'0');
                *at += 1;
            }
            out.push(u8::try_from(code).ok()?);
        }
        b'\n' | b'\\' | b'"' | b'\'' => out.push(escape),
        // Valid in a string in backticks; elsewhere an ordinary character.
        other => {
            out.push(other);
            return Some(matches!(other, b'`' | b'{'));
        }
    }
    Some(known)
}

/// The number in `{…}`, of up to sixteen digits. Only the last eight count.
fn unicode(source: &[u8], at: &mut usize) -> Option<u32> {
    if source.get(*at) != Some(&b'{') {
        return None;
    }
    *at += 1;
    let digits = source[*at..].iter().take(16).take_while(|b| b.is_ascii_hexdigit()).count();
    let mut code = 0u32;
    for digit in &source[*at..*at + digits] {
        code = code.wrapping_mul(16).wrapping_add(char::from(*digit).to_digit(16)?);
    }
    *at += digits;
    if digits == 0 || source.get(*at) != Some(&b'}') {
        return None;
    }
    *at += 1;
    Some(code)
}

/// Encodes surrogates like other characters, as Luau does.
fn push_utf8(code: u32, out: &mut Vec<u8>) -> Option<()> {
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
    match code {
        0..0x80 => out.push(code as u8),
        0x80..0x800 => out.extend([0xc0 | (code >> 6) as u8, tail(0)]),
        0x800..0x1_0000 => out.extend([0xe0 | (code >> 12) as u8, tail(6), tail(0)]),
        0x1_0000..0x11_0000 => out.extend([0xf0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
        _ => return None,
    }
    Some(())
}

/// The content of long brackets, without a first line feed, and with line feeds as the only line ends.
pub(crate) fn long(raw: &str) -> String {
    let text = raw.replace("\r\n", "\n");
    text.strip_prefix('\n').map_or_else(|| text.clone(), str::to_owned)
}

/// The form of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    /// As in Lua 5.1.
    Plain,
    /// With `0b` or `_`.
    Extended,
}

/// The form of a number; `None` if the token is not a number.
pub(crate) fn number(raw: &str) -> Option<Number> {
    let text = raw.replace('_', "");
    let digits = |prefix: [&str; 2]| text.strip_prefix(prefix[0]).or_else(|| text.strip_prefix(prefix[1]));
    if let Some(digits) = digits(["0x", "0X"]) {
        // A number with too many digits becomes the greatest number.
        let good = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        return good.then_some(if text.len() == raw.len() { Number::Plain } else { Number::Extended });
    }
    if let Some(digits) = digits(["0b", "0B"]) {
        let good = !digits.is_empty() && digits.bytes().all(|digit| matches!(digit, b'0' | b'1'));
        return good.then_some(Number::Extended);
    }
    // Rust and C agree on numbers without letters.
    let shaped = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    let good = shaped && text.parse::<f64>().is_ok();
    good.then_some(if text.len() == raw.len() { Number::Plain } else { Number::Extended })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_the_same_values_as_in_luau() {
        let bytes = |raw: &str| quoted(raw).map(|decoded| decoded.bytes).ok();
        assert_eq!(bytes(r"a\n\065\x41\u{e9}\z  b\q").as_deref(), Some("a\nAA\u{e9}bq".as_bytes()));
        assert_eq!(bytes("\\\r\nx").as_deref(), Some(b"\nx".as_slice()));
        assert_eq!(bytes(r"\255").as_deref(), Some([255].as_slice()));
        for broken in [r"\256", r"\x4", r"\xg0", r"\x+1", r"\u{}", r"\u{110000}", r"\u{41", r"\u41", "\\"] {
            assert_eq!(bytes(broken), None, "{broken}");
        }
        assert_eq!(quoted(r"ab\x41").ok().and_then(|decoded| decoded.beyond), Some(2..6));
        assert_eq!(quoted(r"\é").ok().and_then(|decoded| decoded.beyond), Some(0..3));
        assert_eq!(long("\r\na\r\nb"), "a\nb");
    }

    #[test]
    fn numbers_are_the_same_as_in_luau() {
        for plain in ["1", "1.", ".5", "5.e3", "1e-3", "0x1F", "0xffffffffffffffffffff"] {
            assert_eq!(number(plain), Some(Number::Plain), "{plain}");
        }
        for extended in ["1_000", "0b101", "0_x10", "0xff_ff"] {
            assert_eq!(number(extended), Some(Number::Extended), "{extended}");
        }
        for none in ["1e", "0x", "0b", "0b2", "0x_", "1.2.3", "3..2", "5i", "0b0b1", "1f", "1e5e5", "0x1p4"] {
            assert_eq!(number(none), None, "{none}");
        }
    }
}
