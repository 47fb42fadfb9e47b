//! Words that findings have in common.

use std::borrow::Cow;

/// What one entity of a family is called.
pub fn singular(family: &str) -> &str {
    match family {
        "points" => "hook point",
        "kinds" => "kind of piece",
        "decisions" => "decision",
        _ => family.strip_suffix('s').unwrap_or(family),
    }
}

/// A noun with its article: `a card`, `an option`.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Names in backquotes with commas between them.
pub fn listing<T: AsRef<str>>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    quoted.join(", ")
}

/// A text from a file without characters that command a terminal or begin a line.
pub fn visible(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.chars().fold(String::new(), |mut text, c| {
        match c.is_control() {
            true => text.extend(c.escape_debug()),
            false => text.push(c),
        }
        text
    }))
}
