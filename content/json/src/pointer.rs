//! JSON pointers (RFC 6901), and the part of a member that is meant.

use std::borrow::Cow;

/// The part of a JSON member that a finding points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberPart {
    /// Its value. For an object or array, only the opening bracket.
    Value,
    /// The text before the colon.
    Key,
}

/// A key as a JSON pointer writes it.
pub fn escape(key: &str) -> Cow<'_, str> {
    match key.contains(['~', '/']) {
        true => Cow::Owned(key.replace('~', "~0").replace('/', "~1")),
        false => Cow::Borrowed(key),
    }
}

/// The key that a part of a JSON pointer stands for.
pub fn unescape(part: &str) -> Cow<'_, str> {
    match part.contains('~') {
        true => Cow::Owned(part.replace("~1", "/").replace("~0", "~")),
        false => Cow::Borrowed(part),
    }
}

/// Whether one of two pointers is inside of the other, or equal to it.
pub fn overlap(a: &str, b: &str) -> bool {
    let inside = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    inside(a, b) || inside(b, a)
}
